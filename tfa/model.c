/* SPDX-License-Identifier: Apache-2.0
 *
 * model.c: weights by least squares for given centres and widths, and what they leave over.
 */
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rk/rk.h"

double rung_tfa_lattice_energy(const tfa_engine *engine, double width)
{
    double voxels = width / engine->voxel;
    return 5.568327996831708 * voxels * voxels * voxels;
}

int rung_tfa_model_open(tfa_model *model, const tfa_engine *engine)
{
    size_t k = engine->k, t = engine->t;
    model->room = calloc(4 * k + k * t + TFA_TRENDS * k + k + 2 * k * k + TFA_SMOOTH * k, sizeof(double));
    if (model->room == NULL)
        return RUNG_ERR_MEMORY;
    model->k = 0;
    model->theta = model->room;
    model->w = model->theta + 4 * k;
    model->trend_w = model->w + k * t;
    model->scale = model->trend_w + TFA_TRENDS * k;
    model->gram = model->scale + k;
    model->trend_gram = model->gram + k * k;
    model->smooth_f = model->trend_gram + k * k;
    return RUNG_OK;
}

void rung_tfa_model_close(tfa_model *model)
{
    free(model->room);
    model->room = NULL;
}

void rung_tfa_model_copy(tfa_model *to, const tfa_model *from, const tfa_engine *engine)
{
    size_t k = engine->k, t = engine->t;
    memcpy(to->room, from->room, (4 * k + k * t + TFA_TRENDS * k + k + 2 * k * k + TFA_SMOOTH * k) * sizeof(double));
    to->k = from->k;
    to->lambda = from->lambda;
    to->objective = from->objective;
}

/* Partial sums: f'f, f'x, f'trend, smooth'f. */
static int sum_tile(tfa_engine *engine, const tfa_data *data, const void *user, const tfa_tile *tile)
{
    const tfa_model *model = user;
    size_t k = model->k, t = data->t, n = tile->count;
    double *f = tile->scratch, *x = f + TFA_TILE * k;
    double *gram = tile->part, *fx = gram + k * k, *trend = fx + k * t, *smooth = trend + k * data->m;
    int status = rung_tfa_op(
        engine, "rbf_factors",
        rk_rbf_factors(&engine->cx[RK_OP_RBF_FACTORS], f, NULL, data->xyz + 3 * tile->from, model->theta, n, k));
    if (status != RUNG_OK)
        return status;
    rung_tfa_widen(x, data->x + tile->from * t, n * t);
    status = rung_tfa_op(engine, "gemm_tn", rk_gemm_tn(&engine->cx[RK_OP_GEMM_TN], gram, f, f, k, k, n, 1.0, 1.0));
    if (status == RUNG_OK)
        status = rung_tfa_op(engine, "gemm_tn", rk_gemm_tn(&engine->cx[RK_OP_GEMM_TN], fx, f, x, k, t, n, 1.0, 1.0));
    if (status != RUNG_OK || data->trend == NULL)
        return status;
    status = rung_tfa_op(
        engine, "gemm_tn",
        rk_gemm_tn(&engine->cx[RK_OP_GEMM_TN], trend, f, data->trend + tile->from * data->m, k, data->m, n, 1.0, 1.0));
    if (status != RUNG_OK)
        return status;
    return rung_tfa_op(engine, "gemm_tn",
                       rk_gemm_tn(&engine->cx[RK_OP_GEMM_TN], smooth, data->smooth + tile->from * TFA_SMOOTH, f,
                                  TFA_SMOOTH, k, n, 1.0, 1.0));
}

/* Solves (gram + lambda) w = rhs for scaled factors, rhs [k, t] being unscaled on entry; chol is scratch. Raises lambda
 * until the factorisation succeeds: factors that coincide are no error. */
static int solve(tfa_engine *engine, const tfa_model *model, const double *gram, double *lambda, double *rhs, double *w,
                 double *chol, size_t t)
{
    size_t k = model->k;
    for (size_t i = 0; i < k; i++)
        for (size_t p = 0; p < t; p++)
            rhs[i * t + p] *= model->scale[i];
    for (;;) {
        rung_status status = rk_ridge_solve(&engine->cx[RK_OP_RIDGE_SOLVE], w, chol, gram, rhs, *lambda, k, t);
        if (status != RUNG_ERR_NUMERIC || *lambda > 1.0)
            return rung_tfa_op(engine, "ridge_solve", status);
        *lambda = *lambda < 1e-13 ? 1e-12 : *lambda * 10.0;
    }
}

/* w back to unscaled factors; returns how much of the sum of squares it explains, the penalty taken off: tr(w' rhs). */
static double unscale(const tfa_model *model, double *w, const double *rhs, size_t t)
{
    double explained = 0.0;
    for (size_t i = 0; i < model->k; i++) {
        for (size_t p = 0; p < t; p++) {
            explained += w[i * t + p] * rhs[i * t + p];
            w[i * t + p] *= model->scale[i];
        }
    }
    return explained;
}

/* A factor's own sum of squares; plus a little of what it would be on a full lattice of voxels, for factors that lie
 * between or outside the voxels. */
static void scale_gram(const tfa_engine *engine, tfa_model *model, double *gram)
{
    size_t k = model->k;
    for (size_t i = 0; i < k; i++)
        model->scale[i] =
            1.0 / sqrt(gram[i * k + i] + TFA_BESIDE * rung_tfa_lattice_energy(engine, model->theta[4 * i + 3]));
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            gram[i * k + j] *= model->scale[i] * model->scale[j];
    memcpy(model->gram, gram, k * k * sizeof(double));
}

/* gram and f'trend of the trends' columns: the smooth drift, which they may have beside factors, projected out. */
static void project_trends(const tfa_data *data, tfa_model *model, const double *smooth_f, double *trend)
{
    size_t k = model->k, m = data->m;
    memcpy(model->smooth_f, smooth_f, TFA_SMOOTH * k * sizeof(double));
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < k; j++) {
            double sum = model->gram[i * k + j];
            for (size_t c = 0; c < TFA_SMOOTH; c++)
                sum -= smooth_f[c * k + i] * smooth_f[c * k + j] * model->scale[i] * model->scale[j];
            model->trend_gram[i * k + j] = sum;
        }
        for (size_t j = 0; j < m; j++)
            for (size_t c = 0; c < TFA_SMOOTH; c++)
                trend[i * m + j] -= smooth_f[c * k + i] * data->smooth_trend[c * m + j];
    }
}

double rung_tfa_prior_cost(const tfa_data *data, const tfa_model *model)
{
    double sum = 0.0;
    for (size_t i = 0; data->prior != NULL && i < 4 * model->k; i++) {
        double away = model->theta[i] - data->prior->mean[i];
        sum += data->prior->weight[i] * away * away;
    }
    return sum;
}

int rung_tfa_model_fit(tfa_engine *engine, const tfa_data *data, tfa_model *model)
{
    size_t k = model->k, t = data->t, m = data->trend != NULL ? data->m : 0;
    size_t size = k * k + k * t + k * m + (m > 0 ? TFA_SMOOTH * k : 0);
    double *sum = malloc((size + k * k) * sizeof(double));
    if (sum == NULL)
        return RUNG_ERR_MEMORY;
    double *fx = sum + k * k, *trend = fx + k * t, *smooth_f = trend + k * m, *chol = sum + size;
    int status = rung_tfa_sum(engine, data, sum_tile, model, sum, size);
    if (status == RUNG_OK) {
        scale_gram(engine, model, sum);
        model->lambda = engine->ridge;
        status = solve(engine, model, model->gram, &model->lambda, fx, model->w, chol, t);
    }
    if (status == RUNG_OK)
        model->objective = data->total - unscale(model, model->w, fx, t) + rung_tfa_prior_cost(data, model);
    if (status == RUNG_OK && m > 0) {
        project_trends(data, model, smooth_f, trend);
        status = solve(engine, model, model->trend_gram, &model->lambda, trend, model->trend_w, chol, m);
        if (status == RUNG_OK)
            model->objective -= unscale(model, model->trend_w, trend, m);
    }
    free(sum);
    return status;
}

/* Removing factor k raises the sum of squares by |w_k|^2 / (G^-1)_kk. */
int rung_tfa_model_losses(tfa_engine *engine, const tfa_data *data, const tfa_model *model, double *loss)
{
    size_t k = model->k;
    double *room = calloc(3 * k * k, sizeof(double));
    if (room == NULL)
        return RUNG_ERR_MEMORY;
    double *identity = room, *inverse = room + k * k, *chol = inverse + k * k;
    for (size_t i = 0; i < k; i++)
        identity[i * k + i] = 1.0;
    int status = rung_tfa_op(
        engine, "ridge_solve",
        rk_ridge_solve(&engine->cx[RK_OP_RIDGE_SOLVE], inverse, chol, model->gram, identity, model->lambda, k, k));
    for (size_t i = 0; status == RUNG_OK && i < k; i++) {
        double squares = 0.0, scale = model->scale[i];
        for (size_t p = 0; p < data->t; p++)
            squares += model->w[i * data->t + p] * model->w[i * data->t + p];
        loss[i] = squares / (scale * scale * inverse[i * k + i]);
    }
    free(room);
    return status;
}

typedef struct residual {
    const tfa_model *model;
    const double *columns; /* w by columns: [t, k] */
    float *r;
} residual;

static int residual_tile(tfa_engine *engine, const tfa_data *data, const void *user, const tfa_tile *tile)
{
    const residual *to = user;
    size_t k = to->model->k, t = data->t, n = tile->count;
    double *f = tile->scratch, *x = f + TFA_TILE * k;
    int status = rung_tfa_op(
        engine, "rbf_factors",
        rk_rbf_factors(&engine->cx[RK_OP_RBF_FACTORS], f, NULL, data->xyz + 3 * tile->from, to->model->theta, n, k));
    if (status != RUNG_OK)
        return status;
    rung_tfa_widen(x, data->x + tile->from * t, n * t);
    status =
        rung_tfa_op(engine, "gemm_nt", rk_gemm_nt(&engine->cx[RK_OP_GEMM_NT], x, f, to->columns, n, t, k, -1.0, 1.0));
    for (size_t i = 0; status == RUNG_OK && i < n * t; i++)
        to->r[tile->from * t + i] = (float)x[i];
    return status;
}

int rung_tfa_model_residual(tfa_engine *engine, const tfa_data *data, const tfa_model *model, float *r)
{
    size_t k = model->k, t = data->t;
    double *columns = malloc((k * t + 1) * sizeof(double)), nothing;
    if (columns == NULL)
        return RUNG_ERR_MEMORY;
    for (size_t i = 0; i < k; i++)
        for (size_t p = 0; p < t; p++)
            columns[p * k + i] = model->w[i * t + p];
    residual to = {.model = model, .columns = columns, .r = r};
    int status = rung_tfa_sum(engine, data, residual_tile, &to, &nothing, 0);
    free(columns);
    return status;
}
