/* SPDX-License-Identifier: Apache-2.0
 *
 * log_axes.h: a panel with two logarithmic axes.
 */
#ifndef RUNG_TOOL_LOG_AXES_H
#define RUNG_TOOL_LOG_AXES_H

#include <cairo.h>

typedef struct log_axis {
    double low, high; /* above 0 */
    double from, to;  /* where these are in the picture */
} log_axis;

typedef struct log_axes {
    log_axis x, y; /* y.from is below y.to: the bottom has the larger coordinate */
} log_axes;

/* Widens [low, high] to hold value, if that is finite and above 0; an axis without a value has low above high. */
void log_axis_hold(log_axis *axis, double value);
/* Some room on both sides, and a decade at least. */
void log_axis_widen(log_axis *axis);
double log_axis_at(const log_axis *axis, double value);
/* The ground, lines and numbers at 1, 2 and 5 times powers of ten, and what is on the axes. */
void log_axes_draw(cairo_t *cr, const log_axes *axes, const char *x_title, const char *y_title);

#endif
