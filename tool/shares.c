/* SPDX-License-Identifier: Apache-2.0
 *
 * shares.c: who has how much of a share in a factor of the template: a bar of parts, one for each subject.
 */
#include "shares.h"

#include <stdio.h>

#include "ink.h"
#include "listing.h"

static void draw_bar(cairo_t *cr, double x, double y, double width, double height, size_t k, const void *user)
{
    const rung_htfa_result *r = user;
    for (size_t i = 0; i < r->subjects; i++) {
        double part = width * r->share[i * r->factors + k];
        cairo_rectangle(cr, x, y + 3, part, height - 6);
        ink_set(cr, ink_factor(k), i % 2 != 0 ? 0.45 : 0.8);
        cairo_fill(cr);
        x += part;
    }
}

void shares_draw(cairo_t *cr, double x, double y, double width, const rung_htfa_result *result)
{
    char head[96];
    snprintf(head, sizeof head, "shares of the scans, 1 to %zu from the left", result->subjects);
    const listing list = {.factors = result->factors,
                          .theta = result->theta,
                          .last = result->spread,
                          .stride = 2,
                          .scale = 1,
                          .last_head = "spread",
                          .head = head,
                          .draw = draw_bar,
                          .user = result};
    listing_draw(cr, x, y, width, &list);
}
