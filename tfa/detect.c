/* SPDX-License-Identifier: Apache-2.0
 *
 * detect.c: where would one more factor explain most? A matched filter over places and widths. For widths of more than
 * a voxel, voxels are gathered in cubes as wide as nine tenths of the width, and the cubes are smoothed along each
 * axis; for narrower ones, single voxels are looked at. Columns are filtered a few at a time, to need little memory.
 */
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 16, MOST_SCALES = 12, MOST_TAPS = 8 };

/* The cubes of one width. */
typedef struct grid {
    double width, edge;
    double origin[3];
    size_t size[3], cells;
    int taps; /* each side of the middle */
    double tap[MOST_TAPS + 1];
    double *norm;   /* [cells]: sum of squares of the template over the voxels there */
    double *energy; /* [blocks, cells] */
} grid;

typedef struct detection {
    tfa_engine *engine;
    const tfa_data *data;
    grid grids[MOST_SCALES];
    size_t scales, blocks, most_cells;
    float *room;     /* [threads, most_cells, COLUMNS] */
    double *energy;  /* [v]: of single voxels */
    double *storage; /* what norm and energy of all grids point into */
    tfa_peak *found;
    size_t count, capacity;
} detection;

static void box_of(const tfa_data *data, double *low, double *high)
{
    for (size_t p = 0; p < 3; p++) {
        low[p] = high[p] = data->xyz[p];
        for (size_t i = 1; i < data->v; i++) {
            low[p] = fmin(low[p], data->xyz[3 * i + p]);
            high[p] = fmax(high[p], data->xyz[3 * i + p]);
        }
    }
}

/* Makes the cubes as wide as `edge`, or as much wider as it takes for there to be no more of them than a few for every
 * voxel: where voxels are far apart, or a header places them so, most cubes would be empty, and their number without
 * bound. */
static void set_size(grid *g, double edge, const double *low, const double *high, size_t voxels)
{
    const double most = 2.0 * (double)voxels + 1000.0;
    for (g->edge = edge;; g->edge *= 1.25) {
        double cells = 1.0;
        for (size_t p = 0; p < 3; p++)
            cells *= floor((high[p] - low[p]) / g->edge) + 2.0;
        if (cells <= most)
            break;
    }
    g->cells = 1;
    for (size_t p = 0; p < 3; p++) {
        g->size[p] = (size_t)((high[p] - low[p]) / g->edge) + 2;
        g->origin[p] = (low[p] + high[p] - g->edge * (double)g->size[p]) / 2.0;
        g->cells *= g->size[p];
    }
}

/* Widths from 1.3 voxels up to two fifths of the longest side, each 1.6 times the one before. */
static void choose_grids(detection *d)
{
    double low[3], high[3], longest = 0.0;
    box_of(d->data, low, high);
    for (size_t p = 0; p < 3; p++)
        longest = fmax(longest, high[p] - low[p]);
    double width = 1.3 * d->engine->voxel;
    for (; d->scales < MOST_SCALES && width <= 0.4 * longest; width *= 1.6) {
        grid *g = &d->grids[d->scales++];
        *g = (grid){.width = width};
        set_size(g, 0.9 * width, low, high, d->data->v);
        double sigma = width / g->edge;
        g->taps = (int)fmin(MOST_TAPS, ceil(2.7 * sigma));
        for (int i = 0; i <= g->taps; i++)
            g->tap[i] = exp(-(double)(i * i) / (2.0 * sigma * sigma));
    }
}

static size_t cell_of(const grid *g, const double *r)
{
    size_t at[3];
    for (size_t p = 0; p < 3; p++) {
        double place = (r[p] - g->origin[p]) / g->edge;
        at[p] = place > 0.0 ? (size_t)place : 0;
        at[p] = at[p] < g->size[p] ? at[p] : g->size[p] - 1;
    }
    return (at[2] * g->size[1] + at[1]) * g->size[0] + at[0];
}

/* One line of `count` cells that stand `stride` apart, each of `width` numbers. */
static void smooth_line(const grid *g, const double *tap, float *line, size_t count, size_t stride, size_t width,
                        float *copy)
{
    for (size_t i = 0; i < count; i++)
        memcpy(copy + i * width, line + i * stride, width * sizeof(float));
    for (size_t i = 0; i < count; i++) {
        float sum[COLUMNS] = {0};
        for (int o = -g->taps; o <= g->taps; o++) {
            ptrdiff_t at = (ptrdiff_t)i + o;
            if (at < 0 || at >= (ptrdiff_t)count)
                continue;
            float by = (float)tap[abs(o)];
            for (size_t c = 0; c < width; c++)
                sum[c] += by * copy[(size_t)at * width + c];
        }
        memcpy(line + i * stride, sum, width * sizeof(float));
    }
}

static void smooth(const grid *g, const double *tap, float *cells, size_t width, float *copy)
{
    const size_t *n = g->size;
    for (size_t z = 0; z < n[2]; z++)
        for (size_t y = 0; y < n[1]; y++)
            smooth_line(g, tap, cells + (z * n[1] + y) * n[0] * width, n[0], width, width, copy);
    for (size_t z = 0; z < n[2]; z++)
        for (size_t x = 0; x < n[0]; x++)
            smooth_line(g, tap, cells + (z * n[1] * n[0] + x) * width, n[1], n[0] * width, width, copy);
    for (size_t y = 0; y < n[1]; y++)
        for (size_t x = 0; x < n[0]; x++)
            smooth_line(g, tap, cells + (y * n[0] + x) * width, n[2], n[1] * n[0] * width, width, copy);
}

static size_t longest_line(const grid *g)
{
    size_t most = g->size[0] > g->size[1] ? g->size[0] : g->size[1];
    return most > g->size[2] ? most : g->size[2];
}

static size_t room_of(const grid *g)
{
    return (g->cells + longest_line(g)) * COLUMNS;
}

/* One block of columns on one grid; the task after the grids' last is the single voxels' energy. */
static int filter(void *user, size_t task, unsigned worker)
{
    detection *d = user;
    const tfa_data *data = d->data;
    if (task == d->scales * d->blocks) {
        for (size_t i = 0; i < data->v; i++) {
            double sum = 0.0;
            for (size_t p = 0; p < data->t; p++)
                sum += (double)data->x[i * data->t + p] * data->x[i * data->t + p];
            d->energy[i] = sum;
        }
        return RUNG_OK;
    }
    grid *g = &d->grids[task / d->blocks];
    size_t block = task % d->blocks, from = block * COLUMNS;
    size_t width = data->t - from < COLUMNS ? data->t - from : COLUMNS;
    float *cells = d->room + worker * d->most_cells, *copy = cells + g->cells * COLUMNS;
    memset(cells, 0, g->cells * width * sizeof(float));
    for (size_t i = 0; i < data->v; i++) {
        float *cell = cells + cell_of(g, data->xyz + 3 * i) * width;
        const float *row = data->x + i * data->t + from;
        for (size_t c = 0; c < width; c++)
            cell[c] += row[c];
    }
    smooth(g, g->tap, cells, width, copy);
    for (size_t i = 0; i < g->cells; i++) {
        double sum = 0.0;
        for (size_t c = 0; c < width; c++)
            sum += (double)cells[i * width + c] * cells[i * width + c];
        g->energy[block * g->cells + i] = sum;
    }
    return RUNG_OK;
}

static void find_norm(detection *d, grid *g)
{
    double square[MOST_TAPS + 1];
    float *cells = d->room, *copy = cells + g->cells * COLUMNS;
    for (int i = 0; i <= g->taps; i++)
        square[i] = g->tap[i] * g->tap[i];
    memset(cells, 0, g->cells * sizeof(float));
    for (size_t i = 0; i < d->data->v; i++)
        cells[cell_of(g, d->data->xyz + 3 * i)] += 1.0F;
    smooth(g, square, cells, 1, copy);
    for (size_t i = 0; i < g->cells; i++)
        g->norm[i] = cells[i];
}

/* Gains are compared in single precision: what differs only in its last bits on another CPU level is a tie, and the
 * first one wins. */
static void add_found(detection *d, const double *centre, double width, double gain)
{
    if (d->count == d->capacity)
        return;
    tfa_peak *peak = &d->found[d->count++];
    memcpy(peak->theta, centre, 3 * sizeof(double));
    peak->theta[3] = width;
    peak->gain = (float)gain;
}

static double gain_at(const grid *g, size_t x, size_t y, size_t z)
{
    return (float)g->energy[(z * g->size[1] + y) * g->size[0] + x];
}

static bool is_peak(const grid *g, size_t x, size_t y, size_t z)
{
    double here = gain_at(g, x, y, z);
    for (size_t w = z > 0 ? z - 1 : 0; w <= z + 1 && w < g->size[2]; w++)
        for (size_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < g->size[1]; v++)
            for (size_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < g->size[0]; u++)
                if (gain_at(g, u, v, w) > here)
                    return false;
    return here > 0.0;
}

/* energy[0 .. cells) becomes the gain. */
static void find_gain(detection *d, grid *g)
{
    double most = 0.0;
    for (size_t i = 0; i < g->cells; i++)
        most = fmax(most, g->norm[i]);
    for (size_t i = 0; i < g->cells; i++) {
        double sum = 0.0;
        for (size_t b = 0; b < d->blocks; b++)
            sum += g->energy[b * g->cells + i];
        /* where the template has hardly a voxel, at the far outside, the ratio means nothing */
        g->energy[i] = g->norm[i] > 0.1 * most ? sum / g->norm[i] : 0.0;
    }
}

static void collect(detection *d, const grid *g)
{
    for (size_t z = 0; z < g->size[2]; z++) {
        for (size_t y = 0; y < g->size[1]; y++) {
            for (size_t x = 0; x < g->size[0]; x++) {
                if (!is_peak(g, x, y, z))
                    continue;
                double centre[3] = {g->origin[0] + ((double)x + 0.5) * g->edge,
                                    g->origin[1] + ((double)y + 0.5) * g->edge,
                                    g->origin[2] + ((double)z + 0.5) * g->edge};
                add_found(d, centre, g->width, gain_at(g, x, y, z));
            }
        }
    }
}

static double distance2(const double *a, const double *b)
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

/* The strongest single voxels, none within two and a half voxels of a stronger one. */
static void collect_voxels(detection *d, size_t most)
{
    const tfa_data *data = d->data;
    double apart = 2.5 * d->engine->voxel;
    for (size_t n = 0; n < most; n++) {
        size_t best = data->v;
        for (size_t i = 0; i < data->v; i++)
            if (d->energy[i] > 0.0 && (best == data->v || (float)d->energy[i] > (float)d->energy[best]))
                best = i;
        if (best == data->v)
            return;
        add_found(d, data->xyz + 3 * best, 0.5 * d->engine->voxel, d->energy[best]);
        for (size_t i = 0; i < data->v; i++)
            if (distance2(data->xyz + 3 * i, data->xyz + 3 * best) < apart * apart)
                d->energy[i] = 0.0;
    }
}

static int by_gain(const void *a, const void *b)
{
    const tfa_peak *x = a, *y = b;
    if (x->gain != y->gain)
        return x->gain > y->gain ? -1 : 1;
    for (size_t p = 4; p-- > 0;)
        if (x->theta[p] != y->theta[p])
            return x->theta[p] < y->theta[p] ? -1 : 1;
    return 0;
}

/* Peaks that explain the same signal, at another width or beside it, are left out. */
static size_t choose(detection *d, tfa_peak *peaks, size_t most)
{
    size_t count = 0;
    qsort(d->found, d->count, sizeof *d->found, by_gain);
    for (size_t i = 0; i < d->count && count < most; i++) {
        bool apart = true;
        for (size_t j = 0; apart && j < count; j++) {
            double reach = 2.0 * (d->found[i].theta[3] + peaks[j].theta[3]);
            apart = distance2(d->found[i].theta, peaks[j].theta) > reach * reach;
        }
        if (apart)
            peaks[count++] = d->found[i];
    }
    return count;
}

static int allocate(detection *d)
{
    size_t numbers = 0;
    for (size_t s = 0; s < d->scales; s++) {
        size_t room = room_of(&d->grids[s]);
        d->most_cells = room > d->most_cells ? room : d->most_cells;
        numbers += d->grids[s].cells * (d->blocks + 1);
        d->capacity += d->grids[s].cells / 2 + 1;
    }
    d->room = malloc((d->engine->threads * d->most_cells + 1) * sizeof(float));
    d->energy = malloc((d->data->v + 1) * sizeof(double));
    d->storage = malloc((numbers + 1) * sizeof(double));
    d->found = malloc(d->capacity * sizeof *d->found);
    if (d->room == NULL || d->energy == NULL || d->storage == NULL || d->found == NULL)
        return RUNG_ERR_MEMORY;
    double *next = d->storage;
    for (size_t s = 0; s < d->scales; s++) {
        d->grids[s].norm = next;
        d->grids[s].energy = next + d->grids[s].cells;
        next += d->grids[s].cells * (d->blocks + 1);
    }
    return RUNG_OK;
}

int rung_tfa_detect(tfa_engine *engine, const tfa_data *data, tfa_peak *peaks, size_t most, size_t *count)
{
    detection d = {.engine = engine, .data = data, .blocks = (data->t + COLUMNS - 1) / COLUMNS, .capacity = most};
    choose_grids(&d);
    *count = 0;
    int status = allocate(&d);
    if (status == RUNG_OK)
        status =
            rung_tfa_parallel(data->v * data->t < 20000 ? 1 : engine->threads, d.scales * d.blocks + 1, filter, &d);
    if (status == RUNG_OK) {
        collect_voxels(&d, most);
        for (size_t s = 0; s < d.scales; s++) {
            find_norm(&d, &d.grids[s]);
            find_gain(&d, &d.grids[s]);
            collect(&d, &d.grids[s]);
        }
        *count = choose(&d, peaks, most);
    }
    free(d.room);
    free(d.energy);
    free(d.storage);
    free(d.found);
    return status;
}
