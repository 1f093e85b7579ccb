/* SPDX-License-Identifier: Apache-2.0
 *
 * progress.h: how far a job is, on stderr: a bar that is redrawn on a terminal, a line now and then elsewhere.
 */
#ifndef RUNG_TOOL_PROGRESS_H
#define RUNG_TOOL_PROGRESS_H

#include <stdbool.h>

/* Seconds from some moment on. */
double progress_clock(void);
/* Nothing is shown before this, nor when quiet. */
void progress_begin(bool quiet);
/* `fraction` 0 to 1, or negative when it is not known; `detail` may be "". Cheap: shows at most ten times a second on a
 * terminal, and elsewhere when the stage changes and every few seconds. */
void progress_show(const char *stage, double fraction, const char *detail);
/* Takes the bar away, for a line of text; the next progress_show brings it back. */
void progress_hide(void);
/* The same from a signal handler. */
void progress_wipe(void);
/* Takes the bar away for good. */
void progress_end(void);

#endif
