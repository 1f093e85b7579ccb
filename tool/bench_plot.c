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
#include "bench_roofs.h"
#include "ink.h"
#include "log_axes.h"
#include "say.h"

static const double page_width = 1280, margin = 36, head = 104, left = 84, right = 250, tall = 560, foot = 62;

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
    if (f->has_roof)
        ink_write(cr, margin, 84, 13, INK_LEFT, ink_dim,
                  "The slope is that of a copy in memory: cells above it have arrays that fit into the caches, or read "
                  "more than they write.");
    free(title);
    free(more);
    free(about);
}

/* Where on the slope the text is farthest from all marks. */
static double slope_text(const bench_file *f, const log_axes *axes, const bench_marks *marks)
{
    double best = 0.5, most = -1;
    for (int i = 2; f->has_roof && i <= 8; i++) {
        double x, y;
        bench_roofs_point(f, axes, 0.1 * i, &x, &y);
        const double clear = bench_marks_distance(marks, axes, x, y);
        if (clear > most) {
            most = clear;
            best = 0.1 * i;
        }
    }
    return best;
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
    bench_roofs_draw(cr, f, &axes, slope_text(f, &axes, marks));
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
