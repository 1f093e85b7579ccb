/* SPDX-License-Identifier: Apache-2.0
 *
 * result.c: what a fit has found, for the caller.
 */
#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rk/rk.h"

/* Energies of the residual and of x, voxel by voxel. */
static int residual_tile(tfa_engine *engine, const tfa_data *data, const void *user, const tfa_tile *tile)
{
    const rung_tfa_result *result = user;
    size_t k = result->factors, t = data->t, n = tile->count;
    double *f = tile->scratch, *out = result->residual + tile->from;
    const float *x = data->x + tile->from * t;
    int status = rung_tfa_op(
        engine, "rbf_factors",
        rk_rbf_factors(&engine->cx[RK_OP_RBF_FACTORS], f, NULL, data->xyz + 3 * tile->from, result->theta, n, k));
    if (status == RUNG_OK)
        status =
            rung_tfa_op(engine, "residual_energy",
                        rk_residual_energy(&engine->cx[RK_OP_RESIDUAL_ENERGY], out, x, f, result->weights, n, k, t));
    for (size_t i = 0; status == RUNG_OK && i < n; i++) {
        double energy = 0.0;
        for (size_t p = 0; p < t; p++)
            energy += (double)x[i * t + p] * x[i * t + p];
        tile->part[0] += out[i];
        out[i] = energy > 0.0 ? out[i] / energy : 0.0;
    }
    return status;
}

typedef struct rank {
    double loss;
    size_t factor;
} rank;

static int by_loss(const void *a, const void *b)
{
    const rank *x = a, *y = b;
    if (x->loss != y->loss)
        return x->loss > y->loss ? -1 : 1;
    return x->factor < y->factor ? -1 : 1;
}

int rung_tfa_rank(const double *explained, size_t k, size_t *order)
{
    rank *ranks = malloc(k * sizeof *ranks);
    if (ranks == NULL)
        return RUNG_ERR_MEMORY;
    for (size_t i = 0; i < k; i++)
        ranks[i] = (rank){.loss = (float)explained[i], .factor = i};
    qsort(ranks, k, sizeof *ranks, by_loss);
    for (size_t i = 0; i < k; i++)
        order[i] = ranks[i].factor;
    free(ranks);
    return RUNG_OK;
}

/* Brings rows of a [k, n] into the order; room [k, n]. */
static void reorder_rows(double *a, const size_t *order, size_t k, size_t n, double *room)
{
    for (size_t i = 0; i < k; i++)
        memcpy(room + i * n, a + order[i] * n, n * sizeof(double));
    memcpy(a, room, k * n * sizeof(double));
}

int rung_tfa_reorder(rung_tfa_result *result, const size_t *order)
{
    size_t k = result->factors, t = result->volumes;
    double *room = malloc(k * (t > 4 ? t : 4) * sizeof(double));
    if (room == NULL)
        return RUNG_ERR_MEMORY;
    reorder_rows(result->theta, order, k, 4, room);
    reorder_rows(result->weights, order, k, t, room);
    reorder_rows(result->explained, order, k, 1, room);
    free(room);
    return RUNG_OK;
}

/* Adds the trends' share to the weights. */
static void add_trend_weights(const tfa_fit *f, rung_tfa_result *result)
{
    size_t m = f->data.trend != NULL ? f->data.m : 0, t = result->volumes;
    for (size_t i = 0; i < result->factors; i++) {
        for (size_t j = 0; j < m; j++) {
            if (f->weight[j] == 0.0)
                continue;
            double by = f->model.trend_w[i * m + j] / sqrt(f->weight[j]);
            for (size_t p = 0; p < t; p++)
                result->weights[i * t + p] += by * f->polynomials[(j + 1) * t + p];
        }
    }
}

static bool is_at_bound(const tfa_engine *engine, const double *theta)
{
    for (size_t p = 0; p < 4; p++)
        if (theta[p] <= engine->low[p] || theta[p] >= engine->high[p])
            return true;
    return false;
}

static rung_tfa_result *result_new(size_t k, size_t v, size_t t)
{
    rung_tfa_result *result = calloc(1, sizeof *result);
    if (result == NULL)
        return NULL;
    *result = (rung_tfa_result){.factors = k, .voxels = v, .volumes = t};
    result->theta = malloc(4 * k * sizeof(double));
    result->weights = malloc(k * t * sizeof(double));
    result->explained = malloc(k * sizeof(double));
    result->residual = malloc(v * sizeof(double));
    if (result->theta == NULL || result->weights == NULL || result->explained == NULL || result->residual == NULL) {
        rung_tfa_result_free(result);
        return NULL;
    }
    return result;
}

void rung_tfa_result_free(rung_tfa_result *result)
{
    if (result == NULL)
        return;
    free(result->theta);
    free(result->weights);
    free(result->explained);
    free(result->residual);
    free(result->trace);
    free(result);
}

/* In the model's order. */
static int fill(tfa_fit *f, rung_tfa_result *result)
{
    size_t k = result->factors, t = result->volumes;
    double left = 0.0;
    tfa_data plain = f->data;
    plain.trend = NULL;
    plain.total = f->energy_x;
    tfa_model *model = &f->model;
    int status = rung_tfa_model_fit(&f->engine, &f->data, model);
    if (status == RUNG_OK)
        status = rung_tfa_model_losses(&f->engine, &plain, model, result->explained);
    if (status == RUNG_OK) {
        memcpy(result->theta, model->theta, 4 * k * sizeof(double));
        memcpy(result->weights, model->w, k * t * sizeof(double));
        status = rung_tfa_sum(&f->engine, &plain, residual_tile, result, &left, 1);
    }
    if (status != RUNG_OK)
        return status;
    add_trend_weights(f, result);
    for (size_t i = 0; i < k * t; i++)
        result->weights[i] /= f->unit;
    for (size_t i = 0; i < k; i++) {
        result->explained[i] /= f->energy_x;
        result->at_bound += is_at_bound(&f->engine, f->model.theta + 4 * i) ? 1 : 0;
    }
    result->r2 = 1.0 - left / f->energy_x;
    if (f->data.trend != NULL)
        result->trend_used = f->weight[0];
    result->iterations = f->final.iterations;
    result->converged = f->final.converged;
    result->trace = f->final.trace;
    result->trace_length = f->final.trace_length;
    f->final.trace = NULL;
    return status;
}

static int rank_and_reorder(rung_tfa_result *result)
{
    size_t *order = malloc(result->factors * sizeof *order);
    int status = order == NULL ? RUNG_ERR_MEMORY : rung_tfa_rank(result->explained, result->factors, order);
    if (status == RUNG_OK)
        status = rung_tfa_reorder(result, order);
    free(order);
    return status;
}

int rung_tfa_write_result(tfa_fit *f, bool ranked, rung_tfa_result **result)
{
    *result = result_new(f->options->factors, f->data.v, f->data.t);
    int status = *result == NULL ? RUNG_ERR_MEMORY : fill(f, *result);
    return status == RUNG_OK && ranked ? rank_and_reorder(*result) : status;
}
