/* SPDX-License-Identifier: Apache-2.0
 *
 * courses.c: one row for each factor, in up to three columns.
 */
#include "courses.h"

#include <math.h>
#include <stdio.h>

#include "ink.h"

static const double row_height = 27, head_height = 34, gap = 28;

static size_t listed(size_t factors)
{
    return factors < COURSES_MOST ? factors : COURSES_MOST;
}

static size_t columns(size_t factors)
{
    return factors <= 8 ? 1 : factors <= 24 ? 2 : 3;
}

static size_t rows(size_t factors)
{
    size_t c = columns(factors);
    return (listed(factors) + c - 1) / c;
}

double courses_height(size_t factors)
{
    return head_height + row_height * (double)rows(factors);
}

/* A course between top and bottom, over a line where it is 0. Of the volumes that fall on one pixel the lowest and the
 * highest are drawn, so that the cost does not grow with the volumes. */
static void draw_course(cairo_t *cr, double x, double y, double width, double height, const double *w, size_t volumes,
                        ink colour)
{
    double low = 0, high = 0;
    for (size_t t = 0; t < volumes; t++) {
        low = fmin(low, w[t]);
        high = fmax(high, w[t]);
    }
    double scale = high > low ? height / (high - low) : 0, zero = high > low ? y + scale * high : y + height / 2;
    ink_set(cr, ink_line, 1);
    cairo_set_line_width(cr, 1);
    cairo_move_to(cr, x, floor(zero) + 0.5);
    cairo_line_to(cr, x + width, floor(zero) + 0.5);
    cairo_stroke(cr);

    size_t steps = (size_t)width;
    if (volumes <= 2 * steps) {
        for (size_t t = 0; t < volumes; t++)
            cairo_line_to(cr, x + width * (double)t / (double)(volumes - 1), zero - scale * w[t]);
    } else {
        for (size_t i = 0; i < steps; i++) {
            size_t first = i * volumes / steps, end = (i + 1) * volumes / steps;
            double least = w[first], most = w[first];
            for (size_t t = first; t < end; t++) {
                least = fmin(least, w[t]);
                most = fmax(most, w[t]);
            }
            cairo_line_to(cr, x + (double)i, zero - scale * (i % 2 != 0 ? least : most));
            cairo_line_to(cr, x + (double)i, zero - scale * (i % 2 != 0 ? most : least));
        }
    }
    ink_set(cr, colour, 1);
    cairo_set_line_width(cr, 1.2);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(cr);
}

static void draw_row(cairo_t *cr, double x, double y, double width, const rung_tfa_result *r, size_t k)
{
    static const double size = 12.5;
    const double *theta = r->theta + 4 * k;
    char text[64];
    double base = y + row_height / 2 + size * 0.36;
    snprintf(text, sizeof text, "%zu", k + 1);
    ink_write(cr, x + 22, base, size + 1, INK_RIGHT, ink_factor(k), text);
    for (int c = 0; c < 3; c++) {
        snprintf(text, sizeof text, "%.1f", theta[c]);
        ink_write(cr, x + 72 + 48 * c, base, size, INK_RIGHT, ink_text, text);
    }
    snprintf(text, sizeof text, "%.1f", theta[3]);
    ink_write(cr, x + 222, base, size, INK_RIGHT, ink_text, text);
    snprintf(text, sizeof text, "%.2f", 100 * r->explained[k]);
    ink_write(cr, x + 274, base, size, INK_RIGHT, ink_dim, text);
    draw_course(cr, x + 290, y + 3, width - 290, row_height - 6, r->weights + k * r->volumes, r->volumes,
                ink_factor(k));
}

static void draw_head(cairo_t *cr, double x, double y, double width, const rung_tfa_result *r)
{
    static const double size = 12.5;
    static const char *const names[] = {"x", "y", "z"};
    for (int c = 0; c < 3; c++)
        ink_write(cr, x + 72 + 48 * c, y, size, INK_RIGHT, ink_dim, names[c]);
    ink_write(cr, x + 222, y, size, INK_RIGHT, ink_dim, "s, mm");
    ink_write(cr, x + 274, y, size, INK_RIGHT, ink_dim, "R\xC2\xB2, %");
    char text[96];
    snprintf(text, sizeof text, "weight, volumes 1 to %zu, each to its own scale", r->volumes);
    if (ink_width(cr, size, text) < width - 300)
        ink_write(cr, x + 290, y, size, INK_LEFT, ink_dim, text);
}

void courses_draw(cairo_t *cr, double x, double y, double width, const rung_tfa_result *result)
{
    size_t shown = listed(result->factors), c = columns(result->factors), per = rows(result->factors);
    double each = (width - gap * (double)(c - 1)) / (double)c;
    for (size_t i = 0; i < c && i * per < shown; i++)
        draw_head(cr, x + (double)i * (each + gap), y + 14, each, result);
    for (size_t k = 0; k < shown; k++) {
        size_t column = k / per, row = k % per;
        draw_row(cr, x + (double)column * (each + gap), y + 20 + row_height * (double)row, each, result, k);
    }
}
