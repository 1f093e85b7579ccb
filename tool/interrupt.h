/* SPDX-License-Identifier: Apache-2.0
 *
 * interrupt.h: Ctrl-C, SIGTERM and SIGHUP end a job at once and leave nothing behind.
 */
#ifndef RUNG_TOOL_INTERRUPT_H
#define RUNG_TOOL_INTERRUPT_H

/* From here on these signals discard the staging folder and then end the process as they would have without us. A
 * signal that the caller has ignored (nohup) stays ignored. */
void interrupt_install(void);
/* Holds the signals back while files get their names, and lets them through again. Not nested; main thread only. */
void interrupt_hold(void);
void interrupt_release(void);

#endif
