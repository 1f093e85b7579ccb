/* SPDX-License-Identifier: Apache-2.0
 *
 * listing.c: one row for each factor, in up to three columns: its numbers, and what is drawn beside them.
 */
#include "listing.h"

#include <math.h>
#include <stdio.h>

#include "ink.h"

static const double row_height = 27, head_height = 34, gap = 28, size = 12.5;

static size_t listed(size_t factors)
{
    return factors < LISTING_MOST ? factors : LISTING_MOST;
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

double listing_height(size_t factors)
{
    return head_height + row_height * (double)rows(factors);
}

static void draw_row(cairo_t *cr, double x, double y, double width, const listing *l, size_t k)
{
    const double *theta = l->theta + 4 * k;
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
    snprintf(text, sizeof text, "%.2f", l->scale * l->last[k * l->stride]);
    ink_write(cr, x + 274, base, size, INK_RIGHT, ink_dim, isfinite(l->last[k * l->stride]) ? text : "");
    l->draw(cr, x + 290, y + 3, width - 290, row_height - 6, k, l->user);
}

static void draw_head(cairo_t *cr, double x, double y, double width, const listing *l)
{
    static const char *const names[] = {"x", "y", "z"};
    for (int c = 0; c < 3; c++)
        ink_write(cr, x + 72 + 48 * c, y, size, INK_RIGHT, ink_dim, names[c]);
    ink_write(cr, x + 222, y, size, INK_RIGHT, ink_dim, "s, mm");
    ink_write(cr, x + 274, y, size, INK_RIGHT, ink_dim, l->last_head);
    if (ink_width(cr, size, l->head) < width - 300)
        ink_write(cr, x + 290, y, size, INK_LEFT, ink_dim, l->head);
}

void listing_draw(cairo_t *cr, double x, double y, double width, const listing *l)
{
    size_t shown = listed(l->factors), c = columns(l->factors), per = rows(l->factors);
    double each = (width - gap * (double)(c - 1)) / (double)c;
    for (size_t i = 0; i < c && i * per < shown; i++)
        draw_head(cr, x + (double)i * (each + gap), y + 14, each, l);
    for (size_t k = 0; k < shown; k++) {
        size_t column = k / per, row = k % per;
        draw_row(cr, x + (double)column * (each + gap), y + 20 + row_height * (double)row, each, l, k);
    }
}
