/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_roofs.h: the lines of a roofline: the slope of memory, and the heights of arithmetic in double and in float.
 */
#ifndef RUNG_TOOL_BENCH_ROOFS_H
#define RUNG_TOOL_BENCH_ROOFS_H

#include <cairo.h>
#include <stdbool.h>

#include "bench_file.h"
#include "log_axes.h"

/* The middle of something, and its size from end to end. */
typedef struct plot_box {
    double x, y, width, height;
} plot_box;

bool plot_boxes_overlap(const plot_box *a, const plot_box *b);

/* Draws the lines, when the file has them, and says what they are; the slope's own text at a part `at` of its length.
 */
void bench_roofs_draw(cairo_t *cr, const bench_file *file, const log_axes *axes, double at);
/* A point of the slope. */
void bench_roofs_point(const bench_file *file, const log_axes *axes, double at, double *x, double *y);
/* Whether a line or its text goes through a box. */
bool bench_roofs_cross(const bench_file *file, const log_axes *axes, const plot_box *box);

#endif
