/* SPDX-License-Identifier: Apache-2.0
 *
 * data.c: passes over the voxels.
 */
#include "internal.h"

#include <math.h>
#include <string.h>

#include "rk/rk.h"

typedef struct pass {
    tfa_engine *engine;
    const tfa_data *data;
    tfa_tile_fn *fn;
    const void *user;
    size_t strips, size;
} pass;

static size_t strips_of(const tfa_engine *engine, size_t v)
{
    size_t strips = v / 2 / TFA_TILE;
    return strips < 1 ? 1 : strips > engine->strips ? engine->strips : strips;
}

static int run_strip(void *user, size_t strip, unsigned worker)
{
    const pass *p = user;
    size_t v = p->data->v, from = strip * v / p->strips, to = (strip + 1) * v / p->strips;
    tfa_tile tile = {.scratch = p->engine->scratch + worker * p->engine->scratch_size,
                     .part = p->engine->parts + strip * p->engine->part_size};
    memset(tile.part, 0, p->size * sizeof(double));
    for (; from < to; from += TFA_TILE) {
        tile.from = from;
        tile.count = to - from < TFA_TILE ? to - from : TFA_TILE;
        int status = p->fn(p->engine, p->data, p->user, &tile);
        if (status != RUNG_OK)
            return status;
    }
    return RUNG_OK;
}

int rung_tfa_sum(tfa_engine *engine, const tfa_data *data, tfa_tile_fn *fn, const void *user, double *sum, size_t size)
{
    pass p = {
        .engine = engine, .data = data, .fn = fn, .user = user, .strips = strips_of(engine, data->v), .size = size};
    int status = rung_tfa_parallel(data->v * data->t < 20000 ? 1 : engine->threads, p.strips, run_strip, &p);
    if (status != RUNG_OK)
        return status;
    for (size_t i = 0; i < size; i++)
        sum[i] = 0.0;
    for (size_t strip = 0; strip < p.strips; strip++)
        for (size_t i = 0; i < size; i++)
            sum[i] += engine->parts[strip * engine->part_size + i];
    return RUNG_OK;
}

void rung_tfa_widen(double *out, const float *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = x[i];
}

static int add_squares(tfa_engine *engine, const tfa_data *data, const void *user, const tfa_tile *tile)
{
    (void)engine;
    (void)user;
    for (size_t i = tile->from; i < tile->from + tile->count; i++) {
        double sum = 0.0;
        for (size_t p = 0; p < data->t; p++)
            sum += (double)data->x[i * data->t + p] * data->x[i * data->t + p];
        tile->part[0] += sum;
    }
    return RUNG_OK;
}

int rung_tfa_total(tfa_engine *engine, const tfa_data *data, double *total)
{
    return rung_tfa_sum(engine, data, add_squares, NULL, total, 1);
}

typedef struct projection {
    const double *q;
    size_t rows;
    float *y;
} projection;

static int project_tile(tfa_engine *engine, const tfa_data *data, const void *user, const tfa_tile *tile)
{
    const projection *to = user;
    double *x = tile->scratch, *y = x + TFA_TILE * data->t;
    size_t most = 5 * engine->k; /* what scratch has room for */
    rung_tfa_widen(x, data->x + tile->from * data->t, tile->count * data->t);
    for (size_t done = 0; done < to->rows;) {
        size_t rows = to->rows - done < most ? to->rows - done : most;
        int status = rung_tfa_op(
            engine, "gemm_nt",
            rk_gemm_nt(&engine->cx[RK_OP_GEMM_NT], y, x, to->q + done * data->t, tile->count, rows, data->t, 1.0, 0.0));
        if (status != RUNG_OK)
            return status;
        for (size_t i = 0; i < tile->count; i++)
            for (size_t j = 0; j < rows; j++)
                to->y[(tile->from + i) * to->rows + done + j] = (float)y[i * rows + j];
        done += rows;
    }
    return RUNG_OK;
}

int rung_tfa_project(tfa_engine *engine, const tfa_data *data, const double *q, size_t rows, float *y)
{
    projection to = {.q = q, .rows = rows, .y = y};
    double nothing;
    return rung_tfa_sum(engine, data, project_tile, &to, &nothing, 0);
}

void rung_tfa_smooth_basis(double *smooth, const double *xyz, size_t v)
{
    double mean[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < v; i++)
        for (size_t p = 0; p < 3; p++)
            mean[p] += xyz[3 * i + p] / (double)v;
    for (size_t i = 0; i < v; i++) {
        smooth[TFA_SMOOTH * i] = 1.0;
        for (size_t p = 0; p < 3; p++)
            smooth[TFA_SMOOTH * i + 1 + p] = xyz[3 * i + p] - mean[p];
    }
    /* Gram-Schmidt on columns; a column that depends on earlier ones, as z of a single slice, becomes 0 */
    for (size_t c = 0; c < TFA_SMOOTH; c++) {
        double before = 0.0, after = 0.0;
        for (size_t i = 0; i < v; i++)
            before += smooth[TFA_SMOOTH * i + c] * smooth[TFA_SMOOTH * i + c];
        for (size_t e = 0; e < 2 * c; e++) {
            double along = 0.0;
            for (size_t i = 0; i < v; i++)
                along += smooth[TFA_SMOOTH * i + c] * smooth[TFA_SMOOTH * i + e % c];
            for (size_t i = 0; i < v; i++)
                smooth[TFA_SMOOTH * i + c] -= along * smooth[TFA_SMOOTH * i + e % c];
        }
        for (size_t i = 0; i < v; i++)
            after += smooth[TFA_SMOOTH * i + c] * smooth[TFA_SMOOTH * i + c];
        double by = after > 1e-18 * before ? 1.0 / sqrt(after) : 0.0;
        for (size_t i = 0; i < v; i++)
            smooth[TFA_SMOOTH * i + c] *= by;
    }
}
