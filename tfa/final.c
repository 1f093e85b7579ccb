/* SPDX-License-Identifier: Apache-2.0
 *
 * final.c: the joint fit to all of the scan. At a minimum only the part of X in the span of the weights matters: the
 * gradient and the normal equations hold X in no other way than as X W'. So X is projected onto the span of the current
 * weights, k columns, the factors are refined there until they stand still, and the weights are found anew from all of
 * X, until nothing moves any more. The cost of a step does not depend on the number of volumes.
 */
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A trend whose noise is more than this many times that of the other columns is left out. */
static const double noisiest = 10.0;

static double farthest(const tfa_engine *engine, const tfa_model *model, const double *before)
{
    double most = 0.0;
    for (size_t i = 0; i < 4 * model->k; i++)
        most = fmax(most, fabs(model->theta[i] - before[i]));
    return most / engine->voxel;
}

/* One refinement in the span of the weights; model is fitted to all of data on entry. */
static int refine_in_span(tfa_engine *engine, const tfa_data *data, tfa_model *model, tfa_final *final,
                          tfa_marquardt *options)
{
    size_t k = model->k, t = data->t;
    tfa_data span = *data;
    double *q = malloc(k * t * sizeof(double)), total = 0.0;
    if (q == NULL)
        return RUNG_ERR_MEMORY;
    memcpy(q, model->w, k * t * sizeof(double));
    rung_tfa_orthonormal_rows(q, k, t);
    int status = rung_tfa_project(engine, data, q, k, final->room);
    free(q);
    span.x = final->room;
    span.t = k;
    if (status == RUNG_OK)
        status = rung_tfa_total(engine, &span, &total);
    span.total = total + (data->total - final->energy_x);
    return status == RUNG_OK ? rung_tfa_marquardt_run(engine, &span, model, options) : status;
}

int rung_tfa_final_run(tfa_engine *engine, const tfa_data *data, tfa_model *model, tfa_final *final, double tol)
{
    double *before = malloc(4 * model->k * sizeof(double));
    if (before == NULL)
        return RUNG_ERR_MEMORY;
    int status = rung_tfa_model_fit(engine, data, model);
    bool still = false;
    if (status == RUNG_OK)
        final->trace[0] = model->objective / data->total;
    final->trace_length = 1;
    while (status == RUNG_OK && !still && final->iterations < final->max_iter) {
        tfa_marquardt options = {.max_iter = final->max_iter - final->iterations,
                                 .tol = tol,
                                 .exact = true,
                                 .energy = data->total,
                                 .trace = final->trace + final->trace_length,
                                 .done = final->iterations};
        memcpy(before, model->theta, 4 * model->k * sizeof(double));
        if (final->room != NULL && model->k < data->t)
            status = refine_in_span(engine, data, model, final, &options);
        else
            status = rung_tfa_marquardt_run(engine, data, model, &options);
        final->iterations += options.iterations;
        final->trace_length += options.iterations;
        final->converged = options.converged;
        if (status == RUNG_OK && final->room != NULL)
            status = rung_tfa_model_fit(engine, data, model);
        still = final->room == NULL || model->k >= data->t || farthest(engine, model, before) <= tol;
    }
    final->converged = final->converged && still;
    free(before);
    return status;
}

/* How much noisier than the columns of x, per voxel, trend j is once factors and the smooth drift are fitted to it. */
static int trend_noise(tfa_engine *engine, const tfa_data *data, const tfa_model *model, size_t j, double *ratio)
{
    size_t v = data->v, k = model->k;
    double *column = malloc(v * sizeof(double)), smooth[TFA_SMOOTH];
    tfa_model one = {0};
    int status = rung_tfa_model_open(&one, engine);
    if (status == RUNG_OK && column == NULL)
        status = RUNG_ERR_MEMORY;
    if (status == RUNG_OK) {
        tfa_data only = {
            .x = data->x, .xyz = data->xyz, .v = v, .t = 0, .trend = column, .smooth = data->smooth, .m = 1};
        for (size_t i = 0; i < v; i++) {
            column[i] = data->trend[i * data->m + j];
            only.total += column[i] * column[i];
        }
        for (size_t c = 0; c < TFA_SMOOTH; c++) {
            smooth[c] = data->smooth_trend[c * data->m + j];
            only.total -= smooth[c] * smooth[c];
        }
        only.smooth_trend = smooth;
        one.k = k;
        memcpy(one.theta, model->theta, 4 * k * sizeof(double));
        status = rung_tfa_model_fit(engine, &only, &one);
    }
    for (size_t i = 0; status == RUNG_OK && i < k; i++) /* what is left over, without the penalty */
        one.objective -= one.lambda * one.trend_w[i] * one.trend_w[i] / (one.scale[i] * one.scale[i]);
    double freedom = (double)v - (double)k - TFA_SMOOTH, others = model->objective / (double)data->t;
    if (status == RUNG_OK)
        *ratio =
            freedom >= 1.0 && others > 0.0 ? one.objective * ((double)v - (double)k) / (freedom * others) : HUGE_VAL;
    rung_tfa_model_close(&one);
    free(column);
    return status;
}

int rung_tfa_final_weigh_trends(tfa_engine *engine, const tfa_data *data, const tfa_model *model, double columns,
                                double *weight)
{
    int status = RUNG_OK;
    for (size_t j = 0; status == RUNG_OK && j < data->m; j++) {
        double ratio = HUGE_VAL;
        status = trend_noise(engine, data, model, j, &ratio);
        ratio *= columns / (double)data->t; /* x has t columns, but fewer dimensions */
        weight[j] = ratio > noisiest ? 0.0 : ratio > 1.0 ? 1.0 / ratio : 1.0;
    }
    return status;
}
