/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_marks.c: marks, and numbers that stand where nothing else does.
 */
#include "bench_marks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_roofs.h"
#include "ink.h"
#include "say.h"

enum { MOST_GROUPS = 64 }; /* with numbers: more have no place, and are more than anybody reads */

static const double radius = 5, row_height = 19, column_width = 390;

typedef struct mark {
    const bench_row *row;
    size_t series, group; /* what its colour and its number stand for */
} mark;

struct bench_marks {
    const bench_file *file;
    size_t count, series_count, group_count;
    mark *mark;
    char **series; /* "cpu/x86-64-v4" */
    size_t *group; /* the index of a row of each; no more than one above MOST_GROUPS are looked for */
};

bool bench_mark_is_drawn(const bench_row *row)
{
    return isfinite(row->gflops) && row->gflops > 0 && row->flops > 0 && row->bytes > 0;
}

static size_t series_of(bench_marks *m, const bench_row *row)
{
    char *name = bench_row_cell(row);
    for (size_t i = 0; i < m->series_count; i++) {
        if (strcmp(m->series[i], name) == 0) {
            free(name);
            return i;
        }
    }
    m->series[m->series_count] = name;
    return m->series_count++;
}

static bool same_work(const bench_row *a, const bench_row *b)
{
    bench_row like = *a;
    like.device = b->device;
    like.arch = b->arch;
    like.variant = b->variant;
    return bench_row_same(&like, b);
}

static const bench_row *work_of(const bench_marks *m, size_t group)
{
    return &m->file->row[m->group[group]];
}

static bool has_numbers(const bench_marks *m)
{
    return m->group_count <= MOST_GROUPS;
}

static size_t group_of(bench_marks *m, size_t row)
{
    if (!has_numbers(m))
        return MOST_GROUPS;
    for (size_t i = 0; i < m->group_count; i++)
        if (same_work(work_of(m, i), &m->file->row[row]))
            return i;
    m->group[m->group_count] = row;
    return m->group_count++;
}

bench_marks *bench_marks_new(const bench_file *file)
{
    bench_marks *m = say_alloc(sizeof *m);
    *m = (bench_marks){.file = file};
    m->mark = say_alloc((file->count + 1) * sizeof *m->mark);
    m->series = say_alloc((file->count + 1) * sizeof *m->series);
    m->group = say_alloc((file->count + 1) * sizeof *m->group);
    for (size_t i = 0; i < file->count; i++) {
        const bench_row *row = &file->row[i];
        if (bench_mark_is_drawn(row))
            m->mark[m->count++] = (mark){row, series_of(m, row), group_of(m, i)};
    }
    return m;
}

void bench_marks_free(bench_marks *m)
{
    for (size_t i = 0; i < m->series_count; i++)
        free(m->series[i]);
    free(m->series);
    free(m->group);
    free(m->mark);
    free(m);
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

static void draw_mark(cairo_t *cr, size_t series, double x, double y)
{
    cairo_new_path(cr);
    cairo_arc(cr, x, y, radius, 0, 2 * acos(-1.0));
    ink_set(cr, ink_factor(series), 1);
    cairo_fill_preserve(cr);
    ink_set(cr, ink_panel, 1);
    cairo_set_line_width(cr, 1);
    cairo_stroke(cr);
}

static double x_of(const log_axes *axes, const bench_row *row)
{
    return log_axis_at(&axes->x, row->flops / row->bytes);
}

static double y_of(const log_axes *axes, const bench_row *row)
{
    return log_axis_at(&axes->y, row->gflops);
}

double bench_marks_distance(const bench_marks *m, const log_axes *axes, double x, double y)
{
    double least = INFINITY;
    for (size_t i = 0; i < m->count; i++)
        least = fmin(least, hypot(x_of(axes, m->mark[i].row) - x, y_of(axes, m->mark[i].row) - y));
    return least;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static bool is_free(const bench_marks *m, const log_axes *axes, const plot_box *wanted, const plot_box *taken,
                    size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (plot_boxes_overlap(wanted, &taken[i]))
            return false;
    for (size_t i = 0; i < m->count; i++) {
        const plot_box other = {x_of(axes, m->mark[i].row), y_of(axes, m->mark[i].row), 2 * radius + 2, 2 * radius + 2};
        if (plot_boxes_overlap(wanted, &other))
            return false;
    }
    if (bench_roofs_cross(m->file, axes, wanted))
        return false;
    return wanted->y - wanted->height / 2 > axes->y.to && wanted->y + wanted->height / 2 < axes->y.from &&
           wanted->x - wanted->width / 2 > axes->x.from && wanted->x + wanted->width / 2 < axes->x.to;
}

/* The nearest free place around the highest mark of the group: above it, and to its sides. */
static plot_box place(const bench_marks *m, const log_axes *axes, plot_box wanted, const plot_box *taken, size_t count)
{
    const double x = wanted.x, y = wanted.y;
    for (int ring = 1; ring <= 24; ring++) {
        const double away = 8 + 7 * ring;
        for (int turn = 0; turn < 12; turn++) {
            /* up first, then alternately to the right and to the left */
            const int steps = (turn + 1) / 2;
            const double angle = (turn % 2 == 0 ? steps : -steps) * acos(-1.0) / 6;
            wanted.x = x + away * sin(angle);
            wanted.y = y - away * cos(angle);
            if (is_free(m, axes, &wanted, taken, count))
                return wanted;
        }
    }
    wanted.x = x;
    wanted.y = y - 15;
    return wanted;
}

static void draw_number(cairo_t *cr, size_t number, const plot_box *at, double x, double y)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", number);
    const double dx = at->x - x, dy = at->y - y, length = hypot(dx, dy);
    if (length > 20) {
        ink_set(cr, ink_dim, 0.8);
        cairo_set_line_width(cr, 0.8);
        cairo_move_to(cr, x + dx / length * radius, y + dy / length * radius);
        cairo_line_to(cr, at->x - dx / length * 9, at->y - dy / length * 9);
        cairo_stroke(cr);
    }
    ink_label(cr, at->x, at->y, 13, ink_text, text);
}

static const bench_row *highest(const bench_marks *m, size_t group)
{
    const bench_row *best = NULL;
    for (size_t i = 0; i < m->count; i++)
        if (m->mark[i].group == group && (best == NULL || m->mark[i].row->gflops > best->gflops))
            best = m->mark[i].row;
    return best;
}

void bench_marks_draw(cairo_t *cr, const bench_marks *m, const log_axes *axes)
{
    for (size_t i = 0; i < m->count; i++)
        draw_mark(cr, m->mark[i].series, x_of(axes, m->mark[i].row), y_of(axes, m->mark[i].row));
    if (!has_numbers(m))
        return;
    plot_box *taken = say_alloc((m->group_count + 1) * sizeof *taken);
    for (size_t g = 0; g < m->group_count; g++) {
        const bench_row *row = highest(m, g);
        const double x = x_of(axes, row), y = y_of(axes, row);
        const plot_box wanted = {x, y, g >= 9 ? 20 : 12, 15};
        taken[g] = place(m, axes, wanted, taken, g);
        draw_number(cr, g + 1, &taken[g], x, y);
    }
    free(taken);
}

/* ---- what they mean ---------------------------------------------------------------------------------------------- */

void bench_marks_legend(cairo_t *cr, const bench_marks *m, double x, double y)
{
    for (size_t i = 0; i < m->series_count; i++) {
        const double at = y + (double)i * 22;
        draw_mark(cr, i, x, at);
        ink_write(cr, x + 14, at + 4.5, 13, INK_LEFT, ink_text, m->series[i]);
    }
    if (m->count == 0)
        ink_write(cr, x, y, 13, INK_LEFT, ink_dim, "no cells");
}

static size_t columns(double width)
{
    return (size_t)fmax(1, floor(width / column_width));
}

static size_t rows(const bench_marks *m, double width)
{
    return has_numbers(m) ? (m->group_count + columns(width) - 1) / columns(width) : 1;
}

double bench_marks_key_height(const bench_marks *m, double width)
{
    return (double)rows(m, width) * row_height;
}

void bench_marks_key(cairo_t *cr, const bench_marks *m, double x, double y, double width)
{
    const size_t tall = rows(m, width);
    if (!has_numbers(m)) {
        char *text = say_format("There are more than %d ops and sizes: the marks have no numbers.", MOST_GROUPS);
        ink_write(cr, x, y + 14, 13, INK_LEFT, ink_dim, text);
        free(text);
        return;
    }
    for (size_t g = 0; g < m->group_count; g++) {
        const size_t column = g / tall;
        const double left = x + (double)column * column_width, base = y + (double)(g % tall) * row_height + 14;
        char number[24], *sizes = bench_row_sizes(work_of(m, g));
        snprintf(number, sizeof number, "%zu", g + 1);
        char *text = say_format("%s  %s", work_of(m, g)->op, sizes);
        ink_write(cr, left + 22, base, 13, INK_RIGHT, ink_text, number);
        ink_write(cr, left + 32, base, 13, INK_LEFT, ink_dim, text);
        free(text);
        free(sizes);
    }
}
