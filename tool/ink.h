/* SPDX-License-Identifier: Apache-2.0
 *
 * ink.h: colours and text of the picture, on top of cairo.
 */
#ifndef RUNG_TOOL_INK_H
#define RUNG_TOOL_INK_H

#include <cairo.h>
#include <stddef.h>

typedef struct ink {
    double r, g, b;
} ink;

extern const ink ink_ground, ink_panel, ink_text, ink_dim, ink_line;

/* A colour for factor k that its neighbours in number do not have. */
ink ink_factor(size_t k);
void ink_set(cairo_t *cr, ink colour, double alpha);

typedef enum ink_anchor { INK_LEFT, INK_MIDDLE, INK_RIGHT } ink_anchor;

/* Text with its baseline at y. */
void ink_write(cairo_t *cr, double x, double y, double size, ink_anchor anchor, ink colour, const char *text);
/* The same centred on (x, y), with a dark rim so that it can be read on anything. */
void ink_label(cairo_t *cr, double x, double y, double size, ink colour, const char *text);
double ink_width(cairo_t *cr, double size, const char *text);

#endif
