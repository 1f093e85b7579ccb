/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_marks.h: the cells in a roofline: a mark for each and size, coloured by device, arch and variant, and a number
 * for each op and size.
 */
#ifndef RUNG_TOOL_BENCH_MARKS_H
#define RUNG_TOOL_BENCH_MARKS_H

#include <cairo.h>

#include "bench_file.h"
#include "log_axes.h"

typedef struct bench_marks bench_marks;

/* Whether a row has a place in it: its operations are known. */
bool bench_mark_is_drawn(const bench_row *row);

bench_marks *bench_marks_new(const bench_file *file); /* which outlives it */
void bench_marks_free(bench_marks *marks);
void bench_marks_draw(cairo_t *cr, const bench_marks *marks, const log_axes *axes);
/* From a point to the nearest mark. */
double bench_marks_distance(const bench_marks *marks, const log_axes *axes, double x, double y);
/* What the colours mean. */
void bench_marks_legend(cairo_t *cr, const bench_marks *marks, double x, double y);
/* What the numbers mean, in columns. */
void bench_marks_key(cairo_t *cr, const bench_marks *marks, double x, double y, double width);
double bench_marks_key_height(const bench_marks *marks, double width);

#endif
