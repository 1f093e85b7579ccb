/* SPDX-License-Identifier: Apache-2.0
 *
 * text.h: strings from outside (file names, device names) made safe to show.
 */
#ifndef RUNG_TOOL_TEXT_H
#define RUNG_TOOL_TEXT_H

#include <stddef.h>

/* Bytes of the valid UTF-8 sequence at s (1 to 4), or 0: overlong forms, surrogates and values above U+10FFFF are not
 * valid. The terminating NUL counts as no sequence. */
size_t text_step(const char *s);
/* A copy in which every byte that is not part of valid UTF-8 is U+FFFD. Free it. */
char *text_utf8(const char *s);
/* The same into a buffer, cut at a whole character; control characters become '?'. */
void text_copy_line(char *out, size_t size, const char *s);
/* Columns that s takes on a terminal, one per character. */
size_t text_width(const char *s);
/* The last part of a path. */
const char *text_base(const char *path);

#endif
