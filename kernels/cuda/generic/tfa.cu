/* SPDX-License-Identifier: Apache-2.0
 *
 * rbf_factors, residual_energy and factor_gradient on cuda/generic: a thread per number that is asked for.
 */
#include "rung/kernel.h"

enum { THREADS = 256 };

static __device__ size_t first_of_thread()
{
    return (size_t)blockIdx.x * THREADS + threadIdx.x;
}

static __device__ size_t step_of_grid()
{
    return (size_t)gridDim.x * THREADS;
}

/* d may be NULL. The squared distance is rounded as the reference rounds it: exp magnifies what a fused product would
 * change in a large exponent. */
RUNG_ENTRY void RUNG_KERNEL(rk_rbf_factors)(double *f, double *d, const double *xyz, const double *theta, size_t n,
                                            size_t k)
{
    for (size_t at = first_of_thread(); at < n * k; at += step_of_grid()) {
        const double *r = xyz + at / k * 3, *c = theta + at % k * 4;
        const double x = r[0] - c[0], y = r[1] - c[1], z = r[2] - c[2], s2 = c[3] * c[3];
        const double q = __dadd_rn(__dadd_rn(__dmul_rn(x, x), __dmul_rn(y, y)), __dmul_rn(z, z));
        const double value = exp(-q / (2.0 * s2));
        f[at] = value;
        if (d != nullptr) {
            const double by = value / s2;
            d[4 * at] = by * x;
            d[4 * at + 1] = by * y;
            d[4 * at + 2] = by * z;
            d[4 * at + 3] = by * q / c[3];
        }
    }
}

/* A thread per row. */
RUNG_ENTRY void RUNG_KERNEL(rk_residual_energy)(double *e, const float *x, const double *f, const double *w, size_t n,
                                                size_t k, size_t t)
{
    for (size_t i = first_of_thread(); i < n; i += step_of_grid()) {
        double energy = 0.0;
        for (size_t p = 0; p < t; p++) {
            double left = x[i * t + p];
            for (size_t j = 0; j < k; j++)
                left -= f[i * k + j] * w[j * t + p];
            energy += left * left;
        }
        e[i] = energy;
    }
}

/* A thread per element of g. */
RUNG_ENTRY void RUNG_KERNEL(rk_factor_gradient)(double *g, const double *d, const double *e, size_t n, size_t k)
{
    for (size_t at = first_of_thread(); at < 4 * k; at += step_of_grid()) {
        double sum = 0.0;
        for (size_t i = 0; i < n; i++)
            sum += d[4 * i * k + at] * e[i * k + at / 4];
        g[at] += sum;
    }
}
