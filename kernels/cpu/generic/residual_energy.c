/* SPDX-License-Identifier: Apache-2.0
 *
 * residual_energy on cpu/generic, the reference: a stretch of a row of X - F W at a time, squared and summed in double.
 */
#include "rk/kernels/residual_energy.h"

enum { STRETCH = 64 };

static double row_energy(const float *x, const double *f, const double *w, size_t k, size_t t)
{
    double energy = 0.0, left[STRETCH];
    for (size_t from = 0; from < t; from += STRETCH) {
        size_t count = t - from < STRETCH ? t - from : STRETCH;
        for (size_t p = 0; p < count; p++)
            left[p] = x[from + p];
        for (size_t j = 0; j < k; j++)
            for (size_t p = 0; p < count; p++)
                left[p] -= f[j] * w[j * t + from + p];
        for (size_t p = 0; p < count; p++)
            energy += left[p] * left[p];
    }
    return energy;
}

rung_status rk_residual_energy__cpu_generic(const rung_ctx *cx, double *e, const float *x, const double *f,
                                            const double *w, size_t n, size_t k, size_t t)
{
    (void)cx;
    for (size_t i = 0; i < n; i++)
        e[i] = row_energy(x + i * t, f + i * k, w, k, t);
    return RUNG_OK;
}
