/* SPDX-License-Identifier: Apache-2.0
 *
 * panel.h: one view of the scan with the factors drawn into it.
 */
#ifndef RUNG_TOOL_PANEL_H
#define RUNG_TOOL_PANEL_H

#include <cairo.h>
#include <stdbool.h>
#include <stddef.h>

#include "view.h"

typedef struct panel {
    double x, y, width, height; /* on the picture */
    double scale;               /* picture units per mm */
} panel;

/* What is drawn: circles at theta [factors, 4], centre and width in mm, and for each of the others, subjects' factors
 * alike, a dot at every centre. */
typedef struct panel_factors {
    const double *theta;
    size_t factors;
    const double *const *others; /* [subjects], each [factors, 4] */
    size_t subjects;
} panel_factors;

/* False when memory is out. */
bool panel_draw(cairo_t *cr, const panel *p, const view *v, const view_box *box, double white, const panel_factors *of);

#endif
