/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_tn on cpu/generic, the reference. As in BLAS, c is not read when beta is 0. Four rows of a and b at a time, so
 * that c is read and written a quarter as often.
 */
#include "rk/kernels/gemm_tn.h"

static void scale(double *c, size_t count, double beta)
{
    for (size_t i = 0; i < count; i++)
        c[i] = beta == 0.0 ? 0.0 : beta * c[i];
}

rung_status rk_gemm_tn__cpu_generic(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m, size_t n,
                                    size_t k, double alpha, double beta)
{
    (void)cx;
    if (beta != 1.0)
        scale(c, m * n, beta);
    size_t p = 0;
    for (; p + 4 <= k; p += 4) {
        const double *b0 = b + p * n, *b1 = b0 + n, *b2 = b1 + n, *b3 = b2 + n;
        for (size_t i = 0; i < m; i++) {
            double a0 = alpha * a[p * m + i], a1 = alpha * a[(p + 1) * m + i];
            double a2 = alpha * a[(p + 2) * m + i], a3 = alpha * a[(p + 3) * m + i];
            double *restrict out = c + i * n;
            for (size_t j = 0; j < n; j++)
                out[j] += (a0 * b0[j] + a1 * b1[j]) + (a2 * b2[j] + a3 * b3[j]);
        }
    }
    for (; p < k; p++) {
        for (size_t i = 0; i < m; i++) {
            double a0 = alpha * a[p * m + i];
            double *restrict out = c + i * n;
            for (size_t j = 0; j < n; j++)
                out[j] += a0 * b[p * n + j];
        }
    }
    return RUNG_OK;
}
