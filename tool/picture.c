/* SPDX-License-Identifier: Apache-2.0
 *
 * picture.c: the layout of factors.png and template.png, and writing them.
 */
#include "picture.h"

#include <cairo.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "courses.h"
#include "ink.h"
#include "listing.h"
#include "panel.h"
#include "say.h"
#include "shares.h"
#include "text.h"
#include "view.h"

static const double page_width = 1500, margin = 40, gap = 30, head = 92, caption = 26, foot = 64;
static const double tallest = 520;   /* of the views */
static const double least_slot = 64; /* width for a view: that of its title */

/* What is told; courses or shares is NULL. */
typedef struct content {
    const char *title, *figures, *about, *legend;
    view_box box;
    view views[3];
    panel_factors factors;
    const rung_tfa_result *courses;
    const rung_htfa_result *shares;
} content;

typedef struct layout {
    double scale; /* picture units per mm */
    double row;   /* height of the row of views */
    double height;
    panel panels[3];
} layout;

static const int across[3] = {1, 0, 0}, upward[3] = {2, 2, 1};
static const char *const titles[3] = {"sagittal", "coronal", "axial"};

static layout lay_out(const view_box *box, size_t factors)
{
    layout out;
    double extent[3];
    for (int r = 0; r < 3; r++)
        extent[r] = box->high[r] - box->low[r];
    double room = page_width - 2 * margin - 2 * gap;
    double wide = extent[1] + 2 * extent[0], high = fmax(extent[2], extent[1]);
    out.scale = fmin(room / wide, tallest / high);
    double narrow = 0, others = 0; /* views narrower than their title leave less for the others */
    for (int i = 0; i < 3; i++) {
        if (extent[across[i]] * out.scale < least_slot)
            narrow += least_slot;
        else
            others += extent[across[i]];
    }
    if (narrow > 0 && others > 0)
        out.scale = fmin(out.scale, (room - narrow) / others);
    out.row = fmax(high * out.scale, 40);
    double used = 0;
    for (int i = 0; i < 3; i++)
        used += fmax(extent[across[i]] * out.scale, least_slot);
    double x = margin + (room - used) / 2;
    for (int i = 0; i < 3; i++) {
        panel *p = &out.panels[i];
        p->scale = out.scale;
        p->width = extent[across[i]] * out.scale;
        p->height = extent[upward[i]] * out.scale;
        p->x = x;
        p->y = head + caption;
        x += fmax(p->width, least_slot) + gap;
    }
    out.height = ceil(head + caption + out.row + foot + listing_height(factors) + margin);
    return out;
}

/* 1, 2 or 5 times a power of ten, at most `most`. */
static double round_length(double most)
{
    double power = pow(10, floor(log10(most)));
    double digit = most / power;
    return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

static void draw_scale_bar(cairo_t *cr, const layout *l, double y)
{
    double mm = round_length(180 / l->scale), length = mm * l->scale, x = page_width - margin - length;
    char text[48];
    snprintf(text, sizeof text, "%g mm", mm);
    ink_set(cr, ink_text, 1);
    cairo_set_line_width(cr, 2);
    cairo_move_to(cr, x, y - 5);
    cairo_line_to(cr, x, y);
    cairo_line_to(cr, x + length, y);
    cairo_line_to(cr, x + length, y - 5);
    cairo_stroke(cr);
    ink_write(cr, x - 10, y + 2, 13, INK_RIGHT, ink_text, text);
}

/* The title, cut at its end until it fits. */
static void draw_title(cairo_t *cr, const content *c)
{
    char name[512], text[640];
    text_copy_line(name, sizeof name, c->title);
    snprintf(text, sizeof text, "%s", name);
    for (size_t keep = text_width(name); keep > 12 && ink_width(cr, 26, text) > page_width - 2 * margin - 330; keep--) {
        const char *end = name;
        for (size_t i = 0; i < keep; i++)
            end += text_step(end);
        snprintf(text, sizeof text, "%.*s\xE2\x80\xA6", (int)(end - name), name);
    }
    ink_write(cr, margin, 50, 26, INK_LEFT, ink_text, text);
    ink_write(cr, page_width - margin, 50, 22, INK_RIGHT, ink_text, c->figures);
    ink_write(cr, margin, 76, 14, INK_LEFT, ink_dim, c->about);
}

static size_t count_outside(const view_box *box, const panel_factors *of)
{
    size_t outside = 0;
    for (size_t k = 0; k < of->factors; k++)
        for (int c = 0; c < 3; c++)
            if (!(of->theta[4 * k + (size_t)c] >= box->low[c] && of->theta[4 * k + (size_t)c] <= box->high[c])) {
                outside++;
                break;
            }
    return outside;
}

static void draw_legend(cairo_t *cr, const layout *l, const content *c)
{
    double y = head + caption + l->row + 34;
    char text[400], more[160] = "";
    size_t outside = count_outside(&c->box, &c->factors);
    if (outside != 0)
        snprintf(more, sizeof more, "  %zu centre%s outside the box.", outside, outside == 1 ? " lies" : "s lie");
    if (c->factors.factors > LISTING_MOST)
        snprintf(more + strlen(more), sizeof more - strlen(more), "  Factors above %d: see %s.", LISTING_MOST,
                 c->courses != NULL ? "factors.tsv" : "template.tsv");
    snprintf(text, sizeof text, "%s%s", c->legend, more);
    ink_write(cr, margin, y, 13, INK_LEFT, ink_dim, text);
    draw_scale_bar(cr, l, y);
}

static cairo_status_t to_file(void *file, const unsigned char *bytes, unsigned length)
{
    return fwrite(bytes, 1, length, file) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* Draws with one font; the status of the context tells whether that font works here. */
static cairo_status_t draw(cairo_surface_t *page, const char *family, const content *c, const layout *l)
{
    cairo_t *cr = cairo_create(page);
    cairo_select_font_face(cr, family, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    ink_set(cr, ink_ground, 1);
    cairo_paint(cr);
    draw_title(cr, c);
    double white = 0;
    for (int i = 0; i < 3; i++)
        white = fmax(white, view_white(&c->views[i]));
    bool good = true;
    for (int i = 0; i < 3; i++) {
        const panel *p = &l->panels[i];
        ink_write(cr, p->x, p->y - 9, 14, INK_LEFT, ink_dim, titles[i]);
        good = panel_draw(cr, p, &c->views[i], &c->box, white, &c->factors) && good;
    }
    draw_legend(cr, l, c);
    double below = head + caption + l->row + foot, width = page_width - 2 * margin;
    if (c->courses != NULL)
        courses_draw(cr, margin, below, width, c->courses);
    else
        shares_draw(cr, margin, below, width, c->shares);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    return good ? status : CAIRO_STATUS_NO_MEMORY;
}

static bool save(cairo_surface_t *page, const char *path, const char *name)
{
    errno = 0;
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        say_error("cannot write %s: %s", name, strerror(errno));
        return false;
    }
    cairo_status_t status = cairo_surface_write_to_png_stream(page, to_file, file);
    int error = errno;
    if (fclose(file) != 0 && status == CAIRO_STATUS_SUCCESS) {
        status = CAIRO_STATUS_WRITE_ERROR;
        error = errno;
    }
    if (status == CAIRO_STATUS_SUCCESS)
        return true;
    say_error("cannot write %s: %s", name,
              status == CAIRO_STATUS_WRITE_ERROR && error != 0 ? strerror(error) : cairo_status_to_string(status));
    return false;
}

/* Views of all scans, each counting as much as any other one. */
static bool make_views(content *c, const scan *const *scans, size_t count)
{
    double edge = INFINITY;
    c->box = view_box_of(scans[0]);
    for (size_t i = 0; i < count; i++) {
        const scan *s = scans[i];
        view_box box = view_box_of(s);
        for (int r = 0; r < 3; r++) {
            c->box.low[r] = fmin(c->box.low[r], box.low[r]);
            c->box.high[r] = fmax(c->box.high[r], box.high[r]);
            edge = fmin(edge, s->voxel_mm[r]);
        }
    }
    for (int i = 0; i < 3; i++)
        if (!view_open(&c->views[i], &c->box, edge, across[i], upward[i]))
            return false;
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        for (size_t v = 0; count > 1 && v < scans[i]->voxels; v++)
            sum += (double)scans[i]->sd[scans[i]->where[v]] / (double)scans[i]->voxels;
        for (int p = 0; p < 3; p++)
            view_add(&c->views[p], scans[i], &c->box, sum > 0 ? 1 / sum : 1);
    }
    return true;
}

static bool write_page(const char *path, const char *name, content *c, const scan *const *scans, size_t count)
{
    bool good = make_views(c, scans, count);
    layout l = lay_out(&c->box, c->factors.factors);
    cairo_surface_t *page = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)page_width, (int)l.height);
    cairo_status_t status = good ? cairo_surface_status(page) : CAIRO_STATUS_NO_MEMORY;
    if (status == CAIRO_STATUS_SUCCESS) {
        status = draw(page, "sans-serif", c, &l);
        /* No font on this machine: the one that is built into cairo. */
        if (status != CAIRO_STATUS_SUCCESS)
            status = draw(page, "@cairo:", c, &l);
    }
    good = status == CAIRO_STATUS_SUCCESS;
    if (!good)
        say_error("cannot draw %s: %s", name, cairo_status_to_string(status));
    good = good && save(page, path, name);
    cairo_surface_destroy(page);
    for (int i = 0; i < 3; i++)
        view_free(&c->views[i]);
    return good;
}

bool picture_write(const char *path, const char *name, const scan *s, const rung_tfa_result *result)
{
    char figures[160], about[160];
    snprintf(figures, sizeof figures, "K = %zu   R\xC2\xB2 = %.4f", result->factors, result->r2);
    snprintf(about, sizeof about, "topographic factor analysis: %zu voxels, %zu volumes", result->voxels,
             result->volumes);
    content c = {.title = text_base(s->path),
                 .figures = figures,
                 .about = about,
                 .legend = "Circles: centres, radius = width s.  Grey: standard deviation over time, highest along the "
                           "line of sight.",
                 .factors = {.theta = result->theta, .factors = result->factors},
                 .courses = result};
    return write_page(path, name, &c, &s, 1);
}

bool picture_write_template(const char *path, const char *name, const scan *const *scans,
                            const rung_htfa_result *result)
{
    char figures[160], about[160];
    snprintf(figures, sizeof figures, "K = %zu", result->factors);
    snprintf(about, sizeof about, "hierarchical topographic factor analysis: the template of %zu scan%s",
             result->subjects, result->subjects == 1 ? "" : "s");
    const double **others = say_alloc(result->subjects * sizeof *others);
    for (size_t i = 0; i < result->subjects; i++)
        others[i] = result->subject[i]->theta;
    content c = {.title = "template",
                 .figures = figures,
                 .about = about,
                 .legend = "Circles: the template, radius = width s.  Dots: the subjects' centres.  Grey: mean of the "
                           "scans' standard deviations over time.",
                 .factors = {result->theta, result->factors, others, result->subjects},
                 .shares = result};
    bool good = write_page(path, name, &c, scans, result->subjects);
    free(others);
    return good;
}
