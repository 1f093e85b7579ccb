/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_nt on cpu/generic, the reference: scalar products of rows, summed in four lanes. As in BLAS, c is not read when
 * beta is 0.
 */
#include "rk/kernels/gemm_nt.h"

static double dot(const double *a, const double *b, size_t k)
{
    double lane[4] = {0.0, 0.0, 0.0, 0.0}, rest = 0.0;
    size_t p = 0;
    for (; p + 4 <= k; p += 4)
        for (size_t l = 0; l < 4; l++)
            lane[l] += a[p + l] * b[p + l];
    for (; p < k; p++)
        rest += a[p] * b[p];
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + rest;
}

rung_status rk_gemm_nt__cpu_generic(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m, size_t n,
                                    size_t k, double alpha, double beta)
{
    (void)cx;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            double *out = c + i * n + j;
            double sum = alpha * dot(a + i * k, b + j * k, k);
            *out = beta == 0.0 ? sum : beta * *out + sum;
        }
    }
    return RUNG_OK;
}
