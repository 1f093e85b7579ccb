/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_plot.c: the layout of the roofline, and writing it.
 */
#include "bench_plot.h"

#include <cairo-svg.h>
#include <cairo.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_marks.h"
#include "ink.h"
#include "log_axes.h"
#include "say.h"

static const double page_width = 1280, margin = 36, head = 84, left = 84, right = 250, tall = 560, foot = 62;

/* ---- roofs ------------------------------------------------------------------------------------------------------- */

static void line(cairo_t *cr, const log_axes *axes, double x0, double y0, double x1, double y1)
{
    cairo_move_to(cr, log_axis_at(&axes->x, x0), log_axis_at(&axes->y, y0));
    cairo_line_to(cr, log_axis_at(&axes->x, x1), log_axis_at(&axes->y, y1));
}

/* From where memory no longer bounds it to the right end. */
static void draw_flat(cairo_t *cr, const log_axes *axes, double copy, double flops, const char *type)
{
    char text[64];
    const double y = flops * 1e-9;
    ink_set(cr, ink_text, 1);
    cairo_set_line_width(cr, 1.8);
    line(cr, axes, flops / copy, y, axes->x.high, y);
    cairo_stroke(cr);
    snprintf(text, sizeof text, "%s: %.1f GFLOP/s", type, y);
    ink_write(cr, axes->x.to - 8, log_axis_at(&axes->y, y) - 7, 13, INK_RIGHT, ink_text, text);
}

static void draw_slope(cairo_t *cr, const log_axes *axes, const bench_file *f)
{
    /* GFLOP/s at 1 FLOP/B is GB/s */
    const double gb = f->copy * 1e-9, ridge = fmax(f->f32, f->f64) / f->copy;
    const double begin = fmax(axes->x.low, axes->y.low / gb);
    char text[64];
    snprintf(text, sizeof text, "copy: %.1f GB/s", gb);
    ink_set(cr, ink_text, 1);
    cairo_set_line_width(cr, 1.8);
    line(cr, axes, begin, gb * begin, ridge, gb * ridge);
    cairo_stroke(cr);
    const double x0 = log_axis_at(&axes->x, begin), y0 = log_axis_at(&axes->y, gb * begin);
    const double x1 = log_axis_at(&axes->x, ridge), y1 = log_axis_at(&axes->y, gb * ridge);
    cairo_save(cr);
    cairo_translate(cr, x0, y0);
    cairo_rotate(cr, atan2(y1 - y0, x1 - x0));
    ink_write(cr, 14, -7, 13, INK_LEFT, ink_text, text);
    cairo_restore(cr);
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static log_axes scales(const bench_file *f)
{
    log_axes axes = {.x = {INFINITY, 0, left, page_width - right}, .y = {INFINITY, 0, head + tall, head}};
    for (size_t i = 0; i < f->count; i++) {
        if (!bench_mark_is_drawn(&f->row[i]))
            continue;
        log_axis_hold(&axes.x, f->row[i].flops / f->row[i].bytes);
        log_axis_hold(&axes.y, f->row[i].gflops);
    }
    if (f->has_roof) {
        log_axis_hold(&axes.x, f->f64 / f->copy);
        log_axis_hold(&axes.x, 2 * f->f32 / f->copy);
        log_axis_hold(&axes.y, f->f64 * 1e-9);
        log_axis_hold(&axes.y, f->f32 * 1e-9);
    }
    log_axis_widen(&axes.x);
    log_axis_widen(&axes.y);
    return axes;
}

/* "2026-11-30T15:00:00Z" as "2026-11-30 15:00 UTC"; another text as it is. */
static void tell_date(char *out, size_t size, const char *date)
{
    if (strlen(date) == 20 && date[10] == 'T' && date[19] == 'Z')
        snprintf(out, size, "measured %.10s %.5s UTC", date, date + 11);
    else if (date[0] != '\0')
        snprintf(out, size, "measured %s", date);
    else
        snprintf(out, size, "it is not known when this was measured");
}

static void draw_head(cairo_t *cr, const bench_file *f)
{
    char *title = say_format("Roofline of %s (%s), one thread", f->processor, f->level);
    char date[96];
    tell_date(date, sizeof date, f->date);
    size_t missing = 0;
    for (size_t i = 0; i < f->count; i++)
        missing += bench_mark_is_drawn(&f->row[i]) ? 0 : 1;
    char *more = missing == 0 ? say_format("%s", "")
                              : say_format("; not drawn: %zu result%s without a count of operations", missing,
                                           missing == 1 ? "" : "s");
    char *about = say_format("%s; %s%s", date, f->system, more);
    ink_write(cr, margin, 40, 22, INK_LEFT, ink_text, title);
    ink_write(cr, margin, 64, 13, INK_LEFT, ink_dim, about);
    free(title);
    free(more);
    free(about);
}

static cairo_status_t draw(cairo_surface_t *page, const char *family, const bench_file *f, const bench_marks *marks)
{
    const log_axes axes = scales(f);
    cairo_t *cr = cairo_create(page);
    cairo_select_font_face(cr, family, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    ink_set(cr, ink_ground, 1);
    cairo_paint(cr);
    draw_head(cr, f);
    log_axes_draw(cr, &axes, "FLOP per byte of the arguments", "GFLOP/s");
    if (f->has_roof) {
        draw_slope(cr, &axes, f);
        draw_flat(cr, &axes, f->copy, f->f64, "double");
        draw_flat(cr, &axes, f->copy, f->f32, "float");
    }
    bench_marks_draw(cr, marks, &axes);
    bench_marks_legend(cr, marks, page_width - right + 24, head + 12);
    bench_marks_key(cr, marks, margin, head + tall + foot, page_width - 2 * margin);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    return status;
}

typedef struct sink {
    FILE *file;
    int error;
} sink;

static cairo_status_t to_file(void *user, const unsigned char *bytes, unsigned length)
{
    sink *s = user;
    if (fwrite(bytes, 1, length, s->file) == length)
        return CAIRO_STATUS_SUCCESS;
    s->error = errno;
    return CAIRO_STATUS_WRITE_ERROR;
}

static cairo_status_t write_page(sink *s, const char *family, const bench_file *f, const bench_marks *marks)
{
    const double height = head + tall + foot + bench_marks_key_height(marks, page_width - 2 * margin) + margin;
    cairo_surface_t *page = cairo_svg_surface_create_for_stream(to_file, s, page_width, ceil(height));
#if CAIRO_VERSION >= CAIRO_VERSION_ENCODE(1, 16, 0)
    cairo_svg_surface_set_document_unit(page, CAIRO_SVG_UNIT_PX);
#endif
    cairo_status_t status = draw(page, family, f, marks);
    cairo_surface_finish(page);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(page);
    cairo_surface_destroy(page);
    return status;
}

bool bench_plot_write(const char *path, const char *name, const bench_file *file)
{
    bench_marks *marks = bench_marks_new(file);
    sink s = {fopen(path, "wb"), errno};
    cairo_status_t status = s.file != NULL ? write_page(&s, "sans-serif", file, marks) : CAIRO_STATUS_WRITE_ERROR;
    /* No font on this machine: the one that is built into cairo. */
    if (s.file != NULL && status != CAIRO_STATUS_SUCCESS && status != CAIRO_STATUS_WRITE_ERROR) {
        rewind(s.file);
        status = write_page(&s, "@cairo:", file, marks);
    }
    if (s.file != NULL && fclose(s.file) != 0 && status == CAIRO_STATUS_SUCCESS) {
        status = CAIRO_STATUS_WRITE_ERROR;
        s.error = errno;
    }
    if (status != CAIRO_STATUS_SUCCESS)
        say_error("cannot write %s: %s", name,
                  status == CAIRO_STATUS_WRITE_ERROR ? strerror(s.error) : cairo_status_to_string(status));
    bench_marks_free(marks);
    return status == CAIRO_STATUS_SUCCESS;
}
