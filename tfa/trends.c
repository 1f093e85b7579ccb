/* SPDX-License-Identifier: Apache-2.0
 *
 * trends.c: polynomials in time are taken out of every voxel before the fit, and what they hold of factors comes back
 * into it at the end, see README.md.
 */
#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rung_tfa_time_polynomials(double *q, unsigned order, size_t t)
{
    for (unsigned degree = 0; degree <= order; degree++) {
        for (size_t i = 0; i < t; i++) {
            double at = t > 1 ? 2.0 * (double)i / (double)(t - 1) - 1.0 : 0.0, power = 1.0;
            for (unsigned d = 0; d < degree; d++)
                power *= at;
            q[degree * t + i] = power;
        }
    }
    rung_tfa_orthonormal_rows(q, order + 1, t);
}

/* Takes the polynomials out of x; user->trend gets the coefficients of all but the mean. Stops with RUNG_ERR_ARGUMENT
 * at a value that is not finite. */
static int detrend_tile(tfa_engine *engine, const tfa_data *data, const void *user, const tfa_tile *tile)
{
    const tfa_fit *f = user;
    size_t t = data->t, order = f->options->detrend;
    (void)engine;
    for (size_t i = tile->from; i < tile->from + tile->count; i++) {
        float *row = f->left + i * t;
        for (size_t p = 0; p < t; p++)
            row[p] = (float)(row[p] * f->unit);
        for (size_t d = 0; d <= order; d++) {
            const double *q = f->polynomials + d * t;
            double along = 0.0;
            for (size_t p = 0; p < t; p++)
                along += q[p] * row[p];
            if (!isfinite(along))
                return RUNG_ERR_ARGUMENT;
            for (size_t p = 0; p < t; p++)
                row[p] = (float)(row[p] - along * q[p]);
            if (d > 0)
                f->trend[i * order + d - 1] = along;
        }
    }
    return RUNG_OK;
}

int rung_tfa_take_out_trends(tfa_fit *f, float *x)
{
    size_t v = f->data.v, t = f->data.t, order = f->options->detrend;
    double nothing;
    f->polynomials = malloc((order + 1) * t * sizeof(double));
    f->trend = malloc((v * order + 1) * sizeof(double));
    if (f->polynomials == NULL || f->trend == NULL)
        return RUNG_ERR_MEMORY;
    rung_tfa_time_polynomials(f->polynomials, (unsigned)order, t);
    f->left = x;
    int status = rung_tfa_sum(&f->engine, &f->data, detrend_tile, f, &nothing, 0);
    f->left = NULL;
    return status;
}

/* Scales the trends' columns to their trust, and adds them to the data. */
int rung_tfa_take_in_trends(tfa_fit *f)
{
    size_t v = f->data.v, m = f->options->detrend;
    f->smooth = malloc(v * TFA_SMOOTH * sizeof(double));
    if (f->smooth == NULL)
        return RUNG_ERR_MEMORY;
    rung_tfa_smooth_basis(f->smooth, f->data.xyz, v);
    f->data.trend = f->trend;
    f->data.m = m;
    f->data.smooth = f->smooth;
    f->data.smooth_trend = f->smooth_trend;
    for (int pass = 0; pass < 2; pass++) { /* plain, to weigh them; then weighted */
        double total = f->energy_x;
        memset(f->smooth_trend, 0, sizeof f->smooth_trend);
        for (size_t i = 0; i < v; i++) {
            for (size_t j = 0; j < m; j++) {
                double value = f->trend[i * m + j] *= pass == 1 ? sqrt(f->weight[j]) : 1.0;
                total += value * value;
                for (size_t c = 0; c < TFA_SMOOTH; c++)
                    f->smooth_trend[c * m + j] += f->smooth[i * TFA_SMOOTH + c] * value;
            }
        }
        for (size_t c = 0; c < TFA_SMOOTH * m; c++)
            total -= f->smooth_trend[c] * f->smooth_trend[c];
        if (pass == 0) {
            double columns = (double)f->data.t - 1.0 - (double)m;
            int status = rung_tfa_final_weigh_trends(&f->engine, &f->data, &f->model, columns, f->weight);
            if (status != RUNG_OK)
                return status;
        } else {
            f->data.total = total;
        }
    }
    return RUNG_OK;
}
