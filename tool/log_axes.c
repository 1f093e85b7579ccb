/* SPDX-License-Identifier: Apache-2.0
 *
 * log_axes.c: scales and their lines.
 */
#include "log_axes.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "ink.h"

void log_axis_hold(log_axis *axis, double value)
{
    if (!isfinite(value) || value <= 0)
        return;
    axis->low = fmin(axis->low, value);
    axis->high = fmax(axis->high, value);
}

void log_axis_widen(log_axis *axis)
{
    if (axis->low > axis->high)
        axis->low = axis->high = 1;
    axis->low /= 1.8;
    axis->high *= 1.8;
    const double missing = 10 / (axis->high / axis->low);
    if (missing > 1) {
        axis->low /= sqrt(missing);
        axis->high *= sqrt(missing);
    }
}

double log_axis_at(const log_axis *axis, double value)
{
    return axis->from + (axis->to - axis->from) * log(value / axis->low) / log(axis->high / axis->low);
}

/* Calls for every number with a line. With more than three decades, numbers stand at the powers of ten alone. */
static void each_line(const log_axis *axis, void (*line)(double value, double at, bool major, bool told, void *user),
                      void *user)
{
    static const double steps[] = {1, 2, 5};
    const bool many = axis->high / axis->low > 1000;
    for (int power = (int)floor(log10(axis->low)); power <= (int)ceil(log10(axis->high)); power++) {
        for (int i = 0; i < 3; i++) {
            const double value = steps[i] * pow(10, power);
            if (value >= axis->low && value <= axis->high)
                line(value, log_axis_at(axis, value), i == 0, i == 0 || !many, user);
        }
    }
}

typedef struct drawing {
    cairo_t *cr;
    const log_axes *axes;
} drawing;

static void across(cairo_t *cr, double x0, double y0, double x1, double y1, bool major)
{
    ink_set(cr, ink_line, major ? 1 : 0.55);
    cairo_set_line_width(cr, 1);
    cairo_move_to(cr, x0, y0);
    cairo_line_to(cr, x1, y1);
    cairo_stroke(cr);
}

static void line_of_x(double value, double at, bool major, bool told, void *user)
{
    const drawing *d = user;
    char text[32];
    snprintf(text, sizeof text, "%g", value);
    across(d->cr, at, d->axes->y.from, at, d->axes->y.to, major);
    if (told)
        ink_write(d->cr, at, d->axes->y.from + 18, 13, INK_MIDDLE, ink_dim, text);
}

static void line_of_y(double value, double at, bool major, bool told, void *user)
{
    const drawing *d = user;
    char text[32];
    snprintf(text, sizeof text, "%g", value);
    across(d->cr, d->axes->x.from, at, d->axes->x.to, at, major);
    if (told)
        ink_write(d->cr, d->axes->x.from - 8, at + 4.5, 13, INK_RIGHT, ink_dim, text);
}

void log_axes_draw(cairo_t *cr, const log_axes *axes, const char *x_title, const char *y_title)
{
    drawing d = {cr, axes};
    ink_set(cr, ink_panel, 1);
    cairo_rectangle(cr, axes->x.from, axes->y.to, axes->x.to - axes->x.from, axes->y.from - axes->y.to);
    cairo_fill(cr);
    each_line(&axes->x, line_of_x, &d);
    each_line(&axes->y, line_of_y, &d);
    ink_write(cr, (axes->x.from + axes->x.to) / 2, axes->y.from + 42, 14, INK_MIDDLE, ink_text, x_title);
    cairo_save(cr);
    cairo_translate(cr, axes->x.from - 58, (axes->y.from + axes->y.to) / 2);
    cairo_rotate(cr, -acos(-1.0) / 2);
    ink_write(cr, 0, 0, 14, INK_MIDDLE, ink_text, y_title);
    cairo_restore(cr);
}
