/* SPDX-License-Identifier: Apache-2.0
 *
 * panel.c: the grey background, the circles, and numbers that do not cover each other.
 */
#include "panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ink.h"

/* Height or width below which there is no room for two letters along it: those along the other say enough. */
static const double flat = 60;

typedef struct spot {
    double x, y, half_width, half_height;
} spot;

static bool draw_ground(cairo_t *cr, const panel *p, const view *v, double white)
{
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)v->width, (int)v->height);
    if (cairo_surface_status(image) != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(image);
        return false;
    }
    cairo_surface_flush(image);
    unsigned char *pixels = cairo_image_surface_get_data(image);
    int stride = cairo_image_surface_get_stride(image);
    for (unsigned y = 0; y < v->height; y++) {
        uint32_t *row = (uint32_t *)(void *)(pixels + (size_t)y * (size_t)stride);
        for (unsigned x = 0; x < v->width; x++) {
            double part = fmin((double)v->value[(size_t)y * v->width + x] / white, 1);
            /* Not up to white: circles and numbers have to stand out. */
            uint32_t grey = (uint32_t)(190 * pow(part, 0.8) + 0.5);
            row[x] = grey << 16 | grey << 8 | grey;
        }
    }
    cairo_surface_mark_dirty(image);
    cairo_save(cr);
    cairo_translate(cr, p->x, p->y);
    cairo_scale(cr, v->step * p->scale, v->step * p->scale);
    cairo_set_source_surface(cr, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_GOOD);
    cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD);
    cairo_paint(cr);
    cairo_restore(cr);
    cairo_surface_destroy(image);
    return true;
}

static bool is_free(const spot *s, const spot *taken, size_t n, const panel *p)
{
    if (s->x - s->half_width < p->x || s->x + s->half_width > p->x + p->width || s->y - s->half_height < p->y ||
        s->y + s->half_height > p->y + p->height)
        return false;
    for (size_t i = 0; i < n; i++)
        if (fabs(s->x - taken[i].x) < s->half_width + taken[i].half_width &&
            fabs(s->y - taken[i].y) < s->half_height + taken[i].half_height)
            return false;
    return true;
}

/* The free place nearest to the centre, on rings around it; the centre itself when there is none. */
static spot place(const spot *wish, const spot *taken, size_t n, const panel *p)
{
    const double pi = 3.14159265358979323846;
    for (int ring = 0; ring < 9; ring++) {
        int places = ring == 0 ? 1 : 8 + 4 * ring;
        for (int i = 0; i < places; i++) {
            spot s = *wish;
            double angle = 2 * pi * i / places - pi / 4;
            s.x += ring * 9.0 * cos(angle);
            s.y += ring * 9.0 * sin(angle);
            if (is_free(&s, taken, n, p))
                return s;
        }
    }
    return *wish;
}

static void draw_number(cairo_t *cr, const panel *p, double x, double y, size_t k, double size, spot *taken, size_t *n)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", k + 1);
    spot wish = {x, y, ink_width(cr, size, text) / 2 + 2, size / 2 + 1};
    spot at = place(&wish, taken, *n, p);
    taken[(*n)++] = at;
    if (hypot(at.x - x, at.y - y) > 1.2 * size) {
        ink_set(cr, ink_factor(k), 0.8);
        cairo_set_line_width(cr, 1);
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, at.x, at.y);
        cairo_stroke(cr);
    }
    ink_label(cr, at.x, at.y, size, ink_factor(k), text);
}

/* Where a factor's centre stands on the picture; false when that is nowhere near it. */
static bool stand(const panel *p, const view *v, const view_box *box, const double *theta, double *x, double *y)
{
    *x = p->x + (theta[v->across] - box->low[v->across]) * p->scale;
    *y = p->y + (box->high[v->up] - theta[v->up]) * p->scale;
    return fabs(*x) < 1e6 && fabs(*y) < 1e6;
}

static void draw_dots(cairo_t *cr, const panel *p, const view *v, const view_box *box, const panel_factors *of)
{
    const double pi = 3.14159265358979323846, radius = of->subjects > 20 ? 1.6 : 2.4;
    for (size_t i = 0; i < of->subjects; i++) {
        for (size_t k = 0; k < of->factors; k++) {
            double x, y;
            if (!stand(p, v, box, of->others[i] + 4 * k, &x, &y))
                continue;
            cairo_new_path(cr);
            cairo_arc(cr, x, y, radius, 0, 2 * pi);
            ink_set(cr, ink_panel, 0.8);
            cairo_set_line_width(cr, 1.5);
            cairo_stroke_preserve(cr);
            ink_set(cr, ink_factor(k), 1);
            cairo_fill(cr);
        }
    }
}

static bool draw_factors(cairo_t *cr, const panel *p, const view *v, const view_box *box, const panel_factors *of)
{
    const double pi = 3.14159265358979323846, *theta = of->theta;
    size_t factors = of->factors;
    /* Four letters at the rim, and every factor's number. */
    spot *taken = malloc((factors + 4) * sizeof *taken);
    if (taken == NULL)
        return false;
    size_t n = 0;
    const double middle_x = p->x + p->width / 2, middle_y = p->y + p->height / 2;
    if (p->width >= flat) {
        taken[n++] = (spot){p->x + 12, middle_y, 10, 10};
        taken[n++] = (spot){p->x + p->width - 12, middle_y, 10, 10};
    }
    if (p->height >= flat) {
        taken[n++] = (spot){middle_x, p->y + 12, 10, 10};
        taken[n++] = (spot){middle_x, p->y + p->height - 12, 10, 10};
    }
    double size = factors <= 12 ? 16 : factors <= 30 ? 13 : 11;
    /* The strongest factors come first: their circles lie on top, and their numbers get the best places. */
    for (size_t k = factors; k-- > 0;) {
        double x, y, radius = fmin(fabs(theta[4 * k + 3]) * p->scale, 1e4);
        if (!stand(p, v, box, theta + 4 * k, &x, &y) || !(radius >= 0))
            continue;
        cairo_new_path(cr);
        cairo_arc(cr, x, y, fmax(radius, 1.5), 0, 2 * pi);
        ink_set(cr, ink_factor(k), 0.10);
        cairo_fill_preserve(cr);
        cairo_set_line_width(cr, 3.6);
        ink_set(cr, ink_panel, 0.55);
        cairo_stroke_preserve(cr);
        cairo_set_line_width(cr, 1.9);
        ink_set(cr, ink_factor(k), 0.95);
        cairo_stroke(cr);
    }
    draw_dots(cr, p, v, box, of);
    for (size_t k = 0; k < factors && fmax(p->width, p->height) > 2 * size; k++) {
        double x, y;
        if (stand(p, v, box, theta + 4 * k, &x, &y) && x >= p->x && x <= p->x + p->width && y >= p->y &&
            y <= p->y + p->height)
            draw_number(cr, p, x, y, k, size, taken, &n);
    }
    free(taken);
    return true;
}

static void draw_sides(cairo_t *cr, const panel *p, const view *v)
{
    static const char *const low[] = {"L", "P", "I"}, *const high[] = {"R", "A", "S"};
    double x = p->x + p->width / 2, y = p->y + p->height / 2;
    if (p->width >= flat) {
        ink_label(cr, p->x + 12, y, 14, ink_text, low[v->across]);
        ink_label(cr, p->x + p->width - 12, y, 14, ink_text, high[v->across]);
    }
    if (p->height < flat)
        return;
    ink_label(cr, x, p->y + 12, 14, ink_text, high[v->up]);
    ink_label(cr, x, p->y + p->height - 12, 14, ink_text, low[v->up]);
}

bool panel_draw(cairo_t *cr, const panel *p, const view *v, const view_box *box, double white, const panel_factors *of)
{
    cairo_save(cr);
    cairo_rectangle(cr, p->x, p->y, p->width, p->height);
    cairo_clip(cr);
    ink_set(cr, ink_panel, 1);
    cairo_paint(cr);
    bool good = draw_ground(cr, p, v, white) && draw_factors(cr, p, v, box, of);
    draw_sides(cr, p, v);
    cairo_restore(cr);
    cairo_rectangle(cr, p->x - 0.5, p->y - 0.5, p->width + 1, p->height + 1);
    cairo_set_line_width(cr, 1);
    ink_set(cr, ink_line, 1);
    cairo_stroke(cr);
    return good;
}
