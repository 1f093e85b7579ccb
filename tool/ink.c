/* SPDX-License-Identifier: Apache-2.0
 *
 * ink.c: colours and text.
 */
#include "ink.h"

#include <math.h>

const ink ink_ground = {0.055, 0.063, 0.078};
const ink ink_panel = {0.0, 0.0, 0.0};
const ink ink_text = {0.93, 0.94, 0.95};
const ink ink_dim = {0.60, 0.63, 0.67};
const ink ink_line = {0.20, 0.22, 0.25};

static double gamma_of(double linear)
{
    linear = fmin(fmax(linear, 0), 1);
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

/* Hues a golden angle apart, of one lightness, in Oklab (Ottosson 2020). */
ink ink_factor(size_t k)
{
    const double pi = 3.14159265358979323846;
    double hue = fmod(0.11 + 0.61803398874989485 * (double)k, 1.0) * 2 * pi;
    double light = k % 2 != 0 ? 0.83 : 0.74, chroma = 0.14;
    double a = chroma * cos(hue), b = chroma * sin(hue);
    double l = pow(light + 0.3963377774 * a + 0.2158037573 * b, 3);
    double m = pow(light - 0.1055613458 * a - 0.0638541728 * b, 3);
    double s = pow(light - 0.0894841775 * a - 1.2914855480 * b, 3);
    ink out = {gamma_of(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
               gamma_of(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
               gamma_of(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
    return out;
}

void ink_set(cairo_t *cr, ink colour, double alpha)
{
    cairo_set_source_rgba(cr, colour.r, colour.g, colour.b, alpha);
}

double ink_width(cairo_t *cr, double size, const char *text)
{
    cairo_text_extents_t box;
    cairo_set_font_size(cr, size);
    cairo_text_extents(cr, text, &box);
    return box.x_advance;
}

void ink_write(cairo_t *cr, double x, double y, double size, ink_anchor anchor, ink colour, const char *text)
{
    double width = ink_width(cr, size, text);
    double shift = anchor == INK_LEFT ? 0 : anchor == INK_MIDDLE ? width / 2 : width;
    cairo_set_font_size(cr, size);
    ink_set(cr, colour, 1);
    cairo_move_to(cr, x - shift, y);
    cairo_show_text(cr, text);
    cairo_new_path(cr);
}

void ink_label(cairo_t *cr, double x, double y, double size, ink colour, const char *text)
{
    cairo_text_extents_t box;
    cairo_set_font_size(cr, size);
    cairo_text_extents(cr, text, &box);
    cairo_move_to(cr, x - box.width / 2 - box.x_bearing, y - box.height / 2 - box.y_bearing);
    cairo_text_path(cr, text);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_width(cr, 3.5);
    ink_set(cr, ink_panel, 0.85);
    cairo_stroke_preserve(cr);
    ink_set(cr, colour, 1);
    cairo_fill(cr);
}
