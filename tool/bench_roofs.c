/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_roofs.c: lines and their texts.
 */
#include "bench_roofs.h"

#include <math.h>
#include <stdio.h>

#include "ink.h"

static const double text_size = 13, flat_width = 160;

bool plot_boxes_overlap(const plot_box *a, const plot_box *b)
{
    return 2 * fabs(a->x - b->x) < a->width + b->width && 2 * fabs(a->y - b->y) < a->height + b->height;
}

/* GFLOP/s at 1 FLOP/B is GB/s: the slope goes from the edge of the panel to the higher roof. */
static void slope_ends(const bench_file *f, const log_axes *axes, double *begin, double *end)
{
    *begin = fmax(axes->x.low, axes->y.low / (f->copy * 1e-9));
    *end = fmax(f->f32, f->f64) / f->copy;
}

void bench_roofs_point(const bench_file *f, const log_axes *axes, double at, double *x, double *y)
{
    double begin, end;
    slope_ends(f, axes, &begin, &end);
    const double intensity = begin * pow(end / begin, at);
    *x = log_axis_at(&axes->x, intensity);
    *y = log_axis_at(&axes->y, f->copy * 1e-9 * intensity);
}

static double height_of(const log_axes *axes, double flops)
{
    return log_axis_at(&axes->y, flops * 1e-9);
}

static plot_box flat_text(const log_axes *axes, double flops)
{
    return (plot_box){axes->x.to - 8 - flat_width / 2, height_of(axes, flops) - 11, flat_width, text_size + 3};
}

static void stroke(cairo_t *cr, double x0, double y0, double x1, double y1)
{
    ink_set(cr, ink_text, 1);
    cairo_set_line_width(cr, 1.8);
    cairo_move_to(cr, x0, y0);
    cairo_line_to(cr, x1, y1);
    cairo_stroke(cr);
}

static void draw_flat(cairo_t *cr, const bench_file *f, const log_axes *axes, double flops, const char *type)
{
    char text[64];
    const double y = height_of(axes, flops);
    stroke(cr, log_axis_at(&axes->x, flops / f->copy), y, axes->x.to, y);
    snprintf(text, sizeof text, "%s: %.1f GFLOP/s", type, flops * 1e-9);
    ink_write(cr, axes->x.to - 8, y - 7, text_size, INK_RIGHT, ink_text, text);
}

void bench_roofs_draw(cairo_t *cr, const bench_file *f, const log_axes *axes, double at)
{
    char text[64];
    double x0, y0, x1, y1, x, y;
    if (!f->has_roof)
        return;
    bench_roofs_point(f, axes, 0, &x0, &y0);
    bench_roofs_point(f, axes, 1, &x1, &y1);
    bench_roofs_point(f, axes, at, &x, &y);
    stroke(cr, x0, y0, x1, y1);
    snprintf(text, sizeof text, "copy: %.1f GB/s", f->copy * 1e-9);
    cairo_save(cr);
    cairo_translate(cr, x, y);
    cairo_rotate(cr, atan2(y1 - y0, x1 - x0));
    ink_write(cr, 0, -7, text_size, INK_MIDDLE, ink_text, text);
    cairo_restore(cr);
    draw_flat(cr, f, axes, f->f64, "double");
    draw_flat(cr, f, axes, f->f32, "float");
}

static bool flat_crosses(const bench_file *f, const log_axes *axes, double flops, const plot_box *box)
{
    const plot_box text = flat_text(axes, flops);
    return plot_boxes_overlap(&text, box) || (2 * fabs(height_of(axes, flops) - box->y) < box->height &&
                                              box->x + box->width / 2 > log_axis_at(&axes->x, flops / f->copy));
}

bool bench_roofs_cross(const bench_file *f, const log_axes *axes, const plot_box *box)
{
    double x0, y0, x1, y1;
    if (!f->has_roof)
        return false;
    bench_roofs_point(f, axes, 0, &x0, &y0);
    bench_roofs_point(f, axes, 1, &x1, &y1);
    /* the heights of the slope at the sides of the box: it falls in the picture's own coordinates */
    const double rise = (y1 - y0) / (x1 - x0);
    const double at_left = y0 + rise * (box->x - box->width / 2 - x0);
    const double at_right = y0 + rise * (box->x + box->width / 2 - x0);
    const bool slope =
        box->x - box->width / 2 < x1 && at_left > box->y - box->height / 2 && at_right < box->y + box->height / 2;
    return slope || flat_crosses(f, axes, f->f64, box) || flat_crosses(f, axes, f->f32, box);
}
