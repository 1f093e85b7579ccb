/* SPDX-License-Identifier: Apache-2.0
 *
 * listing.h: the list of factors below the views.
 */
#ifndef RUNG_TOOL_LISTING_H
#define RUNG_TOOL_LISTING_H

#include <cairo.h>
#include <stddef.h>

enum { LISTING_MOST = 60 }; /* factors that are listed; a line says how many are not */

/* Draws what belongs to factor k into a part of its row. */
typedef void listing_draw_fn(cairo_t *cr, double x, double y, double width, double height, size_t k, const void *user);

typedef struct listing {
    size_t factors;
    const double *theta; /* [factors, 4] */
    const double *last;  /* [factors, stride]: one more number for each, shown times `scale`; not when it is none */
    size_t stride;
    double scale;
    const char *last_head, *head; /* over that number, and over what is drawn */
    listing_draw_fn *draw;
    const void *user;
} listing;

double listing_height(size_t factors);
void listing_draw(cairo_t *cr, double x, double y, double width, const listing *l);

#endif
