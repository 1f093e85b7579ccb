/* SPDX-License-Identifier: Apache-2.0
 *
 * observe.c: what one subject's data say of its factors, whatever the prior: an estimate and the covariance of its
 * error.
 *
 * With half the gradient g and half the curvature h (Kaufman's) of the sum of squares at the fitted place, and the
 * noise's variance v: the information is P = (share_k share_l)^(1/2) h / v + B. Part of the weights, and with them of
 * h, is noise: share_k is that part of |w_k|^2 which is not. B says that a factor lies within the box of the voxels.
 * Then
 *     estimate = theta + P^-1 g / v         (one step of Fisher scoring)
 *     covariance = P^-1 (h / v) P^-1        (of that step, as g has the covariance v h)
 * (Godambe 1960, doi:10.1214/aoms/1177705693).
 */
#include "group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rk/rk.h"

/* Columns of x that are independent, those of trends included as far as they are used. */
static double columns_of(const tfa_fit *f)
{
    double columns = (double)f->data.t - 1.0 - (double)f->options->detrend;
    for (size_t j = 0; f->data.trend != NULL && j < f->data.m; j++)
        columns += f->weight[j];
    return columns;
}

double rung_tfa_noise(const tfa_fit *f)
{
    double v = (double)f->data.v, k = (double)f->model.k, columns = columns_of(f);
    double freedom = fmax((v - k) * columns - 4.0 * k, 1.0),
           left = f->model.objective - rung_tfa_prior_cost(&f->data, &f->model);
    /* what single precision loses of the data is noise, too */
    return fmax(left, 1e-14 * f->data.total) / freedom;
}

/* Solves A y = b for b [n, columns], where a[i, j] = scale[i] A[i, j] scale[j] has a diagonal of 1; if need be with a
 * ridge on a, the least power of ten that makes it positive definite. Overwrites b. */
static int solve(tfa_engine *engine, const double *a, double *b, double *y, double *chol, const double *scale, size_t n,
                 size_t columns)
{
    double lambda = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < columns; j++)
            b[i * columns + j] *= scale[i];
    for (;;) {
        rung_status status = rk_ridge_solve(&engine->cx[RK_OP_RIDGE_SOLVE], y, chol, a, b, lambda, n, columns);
        if (status != RUNG_ERR_NUMERIC || lambda > 1.0) {
            for (size_t i = 0; status == RUNG_OK && i < n; i++)
                for (size_t j = 0; j < columns; j++)
                    y[i * columns + j] *= scale[i];
            return rung_tfa_op(engine, "ridge_solve", status);
        }
        lambda = lambda < 1e-13 ? 1e-12 : lambda * 10.0;
    }
}

static void transpose(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double keep = a[i * n + j];
            a[i * n + j] = a[j * n + i];
            a[j * n + i] = keep;
        }
}

/* How much of each factor's weights is not noise, and whether the factor is there at all. */
static int find_shares(tfa_fit *f, double noise, double *share, tfa_member *member)
{
    size_t k = f->model.k;
    double columns = columns_of(f), best = rung_tfa_best_of_noise(noise, columns);
    tfa_data plain = f->data;
    plain.trend = NULL;
    int status = rung_tfa_model_losses(&f->engine, &plain, &f->model, share);
    for (size_t i = 0; status == RUNG_OK && i < k; i++) {
        double loss = share[i];
        member[i].present = fmin(fmax(loss / best - 1.0, 0.0), 1.0);
        share[i] = loss > 0.0 ? fmax(1.0 - columns * noise / loss, 0.0) : 0.0;
    }
    return status;
}

typedef struct room {
    double *share, *scale, *step, *information, *h, *y, *chol, *all;
} room;

static int room_open(room *r, size_t k)
{
    size_t n = 4 * k;
    r->all = malloc((k + 2 * n + 4 * n * n + 1) * sizeof(double));
    if (r->all == NULL)
        return RUNG_ERR_MEMORY;
    r->share = r->all;
    r->scale = r->share + k;
    r->step = r->scale + n;
    r->information = r->step + n;
    r->h = r->information + n * n;
    r->y = r->h + n * n;
    r->chol = r->y + n * n;
    return RUNG_OK;
}

/* About what the factor's curvature would be if no other factor, and no weight, could stand in for a move of it. */
static double curvature_alone(const tfa_fit *f, size_t a)
{
    double squares = 0.0, length = f->model.scale[a] * f->model.theta[4 * a + 3];
    for (size_t p = 0; p < f->data.t; p++)
        squares += f->model.w[a * f->data.t + p] * f->model.w[a * f->data.t + p];
    return squares / (length * length);
}

/* r->information, scaled to a diagonal of 1 by r->scale; r->h becomes h / noise. */
static void find_information(const tfa_fit *f, double noise, const tfa_normal *normal, room *r)
{
    size_t n = 4 * f->model.k;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            r->h[i * n + j] = normal->h[i * n + j] / noise;
            r->information[i * n + j] = sqrt(r->share[i / 4] * r->share[j / 4]) * r->h[i * n + j];
        }
    for (size_t i = 0; i < n; i++) {
        double side = fmax(f->engine.high[i % 4] - f->engine.low[i % 4], f->engine.voxel);
        double least = 1e-10 * curvature_alone(f, i / 4) / noise; /* below that it is rounding */
        r->information[i * n + i] = fmax(r->information[i * n + i], least) + 1.0 / (side * side);
        r->scale[i] = 1.0 / sqrt(r->information[i * n + i]);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            r->information[i * n + j] *= r->scale[i] * r->scale[j];
}

static void take(const tfa_fit *f, const room *r, tfa_member *member)
{
    size_t k = f->model.k, n = 4 * k;
    for (size_t i = 0; i < k; i++) {
        tfa_member *m = member + i;
        memcpy(m->theta, f->model.theta + 4 * i, sizeof m->theta);
        for (size_t p = 0; p < 4; p++) {
            double at = m->theta[p] + r->step[4 * i + p];
            m->estimate[p] = fmin(fmax(at, f->engine.low[p]), f->engine.high[p]);
            for (size_t q = 0; q < 4; q++)
                m->cov[4 * p + q] = 0.5 * (r->y[(4 * i + p) * n + 4 * i + q] + r->y[(4 * i + q) * n + 4 * i + p]);
        }
    }
}

int rung_tfa_observe(tfa_fit *f, double noise, tfa_member *member)
{
    size_t n = 4 * f->model.k;
    tfa_data data = f->data;
    tfa_normal normal = {0};
    room r = {0};
    data.prior = NULL;
    int status = rung_tfa_normal_open(&normal, &f->engine);
    if (status == RUNG_OK)
        status = room_open(&r, f->model.k);
    if (status == RUNG_OK)
        status = rung_tfa_normal_build(&f->engine, &data, &f->model, &normal, TFA_INFORMATION);
    if (status == RUNG_OK)
        status = find_shares(f, noise, r.share, member);
    if (status == RUNG_OK) {
        find_information(f, noise, &normal, &r);
        for (size_t i = 0; i < n; i++)
            normal.g[i] /= noise;
        status = solve(&f->engine, r.information, normal.g, r.step, r.chol, r.scale, n, 1);
    }
    if (status == RUNG_OK)
        status = solve(&f->engine, r.information, r.h, r.y, r.chol, r.scale, n, n);
    if (status == RUNG_OK) {
        transpose(r.y, n);
        memcpy(r.h, r.y, n * n * sizeof(double));
        status = solve(&f->engine, r.information, r.h, r.y, r.chol, r.scale, n, n);
    }
    if (status == RUNG_OK)
        take(f, &r, member);
    rung_tfa_normal_close(&normal);
    free(r.all);
    return status;
}
