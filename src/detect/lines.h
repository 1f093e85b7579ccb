/* SPDX-License-Identifier: Apache-2.0
 *
 * lines.h: files of many lines, such as those of /proc, and the numbers in them. No locale, no allocation.
 */
#ifndef RUNG_DETECT_LINES_H
#define RUNG_DETECT_LINES_H

#include "world.h"

/* Calls fn for every line, without its newline, until it returns non-zero. What a line has beyond RUNG_LINE_MAX - 1
 * bytes is dropped, and a file is read for 16 MiB at most. 0, or an errno; lines before an error have been told. */
enum { RUNG_LINE_MAX = 4096 };
typedef int rung_line_fn(char *line, void *user);
int rung_world_lines(const rung_world *world, const char *path, rung_line_fn *fn, void *user);

/* Reads decimal digits, after blanks, and moves *at behind them. False, and *at as it was, where there are none or
 * where they stand for more than 64 bits. */
bool rung_scan_uint(const char **at, uint64_t *out);

/* The part of the line after this beginning, NULL where it begins otherwise. */
const char *rung_scan_after(const char *line, const char *beginning);

/* The first bytes of a file as one number, blanks around it allowed. False where it is anything else. */
bool rung_world_uint(const rung_world *world, const char *path, uint64_t *out);

#endif
