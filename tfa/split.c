/* SPDX-License-Identifier: Apache-2.0
 *
 * split.c: does a factor stand for two sources? If a second one with another time course is near, the residual holds
 * the factor's derivatives with time courses of their own. Along the direction in (centre, width) that explains most:
 * the largest eigenvalue of L^-1 (d_k' r)(d_k' r)' L^-T, where L L' = d_k' (I - f (f'f)^-1 f') d_k.
 */
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rk/rk.h"

/* Partial sums: d_k'd_k of each factor, f'd, d'r. data->x is the residual. */
static int sum_tile(tfa_engine *engine, const tfa_data *data, const void *user, const tfa_tile *tile)
{
    const tfa_model *model = user;
    size_t k = model->k, t = data->t, n = tile->count;
    double *f = tile->scratch, *d = f + TFA_TILE * k, *r = d + TFA_TILE * (4 * k);
    double *dd = tile->part, *fd = dd + 16 * k, *dr = fd + 4 * k * k;
    int status = rung_tfa_op(
        engine, "rbf_factors",
        rk_rbf_factors(&engine->cx[RK_OP_RBF_FACTORS], f, d, data->xyz + 3 * tile->from, model->theta, n, k));
    if (status != RUNG_OK)
        return status;
    rung_tfa_widen(r, data->x + tile->from * t, n * t);
    for (size_t i = 0; i < n * k; i++)
        for (size_t p = 0; p < 16; p++)
            dd[16 * (i % k) + p] += d[4 * i + p / 4] * d[4 * i + p % 4];
    status = rung_tfa_op(engine, "gemm_tn", rk_gemm_tn(&engine->cx[RK_OP_GEMM_TN], fd, f, d, k, 4 * k, n, 1.0, 1.0));
    if (status != RUNG_OK)
        return status;
    return rung_tfa_op(engine, "gemm_tn", rk_gemm_tn(&engine->cx[RK_OP_GEMM_TN], dr, d, r, 4 * k, t, n, 1.0, 1.0));
}

/* The largest eigenvalue of the symmetric b [4, 4], and its vector, by squaring: power 2^7. */
static double largest(const double *b, double *vector)
{
    double power[16], square[16], value = 0.0;
    memcpy(power, b, sizeof power);
    for (int round = 0; round < 7; round++) {
        double trace = power[0] + power[5] + power[10] + power[15];
        if (!(trace > 0.0))
            return 0.0;
        for (size_t i = 0; i < 16; i++)
            power[i] /= trace;
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 4; j++) {
                square[4 * i + j] = 0.0;
                for (size_t p = 0; p < 4; p++)
                    square[4 * i + j] += power[4 * i + p] * power[4 * p + j];
            }
        memcpy(power, square, sizeof power);
    }
    size_t column = 0;
    for (size_t i = 1; i < 4; i++)
        column = power[5 * i] > power[5 * column] ? i : column;
    double length = 0.0;
    for (size_t i = 0; i < 4; i++) {
        vector[i] = power[4 * i + column];
        length += vector[i] * vector[i];
    }
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            value += vector[i] * b[4 * i + j] * vector[j] / length;
    return value;
}

/* Score and direction of one factor, from l: d'd less what the factors explain of it, and dr [4, t]. */
static double judge(double *l, const double *dr, size_t t, double *direction)
{
    double b[16], white[16], vector[4] = {0.0, 0.0, 0.0, 0.0};
    memset(direction, 0, 4 * sizeof(double));
    if (!rung_tfa_cholesky4(l, 1e-9))
        return 0.0;
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            b[4 * i + j] = 0.0;
            for (size_t p = 0; p < t; p++)
                b[4 * i + j] += dr[i * t + p] * dr[j * t + p];
        }
    /* white = L^-1 b L^-T: forward substitution on columns, then on rows */
    for (size_t c = 0; c < 4; c++)
        for (size_t i = 0; i < 4; i++) {
            double sum = b[4 * i + c];
            for (size_t p = 0; p < i; p++)
                sum -= l[4 * i + p] * white[4 * p + c];
            white[4 * i + c] = sum / l[5 * i];
        }
    for (size_t r = 0; r < 4; r++)
        for (size_t i = 0; i < 4; i++) {
            double sum = white[4 * r + i];
            for (size_t p = 0; p < i; p++)
                sum -= l[4 * i + p] * b[4 * r + p];
            b[4 * r + i] = sum / l[5 * i];
        }
    double value = largest(b, vector);
    for (size_t i = 4; i-- > 0;) { /* back to (centre, width): L' direction = vector */
        double sum = vector[i];
        for (size_t p = i + 1; p < 4; p++)
            sum -= l[4 * p + i] * direction[p];
        direction[i] = sum / l[5 * i];
    }
    return value;
}

int rung_tfa_splits(tfa_engine *engine, const tfa_data *residual, const tfa_model *model, double *score,
                    double *direction)
{
    size_t k = model->k, n = 4 * k, t = residual->t, size = 16 * k + k * n + n * t;
    double *sum = malloc((size + k * n + k * k) * sizeof(double));
    if (sum == NULL)
        return RUNG_ERR_MEMORY;
    double *dd = sum, *fd = dd + 16 * k, *dr = fd + k * n, *solved = sum + size, *chol = solved + k * n;
    int status = rung_tfa_sum(engine, residual, sum_tile, model, sum, size);
    for (size_t i = 0; status == RUNG_OK && i < k * n; i++)
        fd[i] *= model->scale[i / n];
    if (status == RUNG_OK)
        status = rung_tfa_op(
            engine, "ridge_solve",
            rk_ridge_solve(&engine->cx[RK_OP_RIDGE_SOLVE], solved, chol, model->gram, fd, model->lambda, k, n));
    for (size_t i = 0; status == RUNG_OK && i < k; i++) {
        for (size_t p = 0; p < 4; p++)
            for (size_t q = 0; q < 4; q++)
                for (size_t l = 0; l < k; l++)
                    dd[16 * i + 4 * p + q] -= fd[l * n + 4 * i + p] * solved[l * n + 4 * i + q];
        score[i] = judge(dd + 16 * i, dr + 4 * i * t, t, direction + 4 * i);
    }
    free(sum);
    return status;
}
