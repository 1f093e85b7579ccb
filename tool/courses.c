/* SPDX-License-Identifier: Apache-2.0
 *
 * courses.c: time courses of the factors.
 */
#include "courses.h"

#include <math.h>
#include <stdio.h>

#include "ink.h"
#include "listing.h"

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

static void draw_one(cairo_t *cr, double x, double y, double width, double height, size_t k, const void *user)
{
    const rung_tfa_result *r = user;
    draw_course(cr, x, y, width, height, r->weights + k * r->volumes, r->volumes, ink_factor(k));
}

void courses_draw(cairo_t *cr, double x, double y, double width, const rung_tfa_result *result)
{
    char head[96];
    snprintf(head, sizeof head, "weight, volumes 1 to %zu, each to its own scale", result->volumes);
    const listing list = {.factors = result->factors,
                          .theta = result->theta,
                          .last = result->explained,
                          .stride = 1,
                          .scale = 100,
                          .last_head = "R\xC2\xB2, %",
                          .head = head,
                          .draw = draw_one,
                          .user = result};
    listing_draw(cr, x, y, width, &list);
}
