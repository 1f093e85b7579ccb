/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_nt_f32 on every processor, the reference: scalar products of rows, summed in double in eight lanes, and rounded
 * once. As in BLAS, c is not read when beta is 0.
 */
#include "rk/kernels/gemm_nt_f32.h"

enum { LANES = 8 };

static double dot(const float *a, const float *b, size_t k)
{
    double lane[LANES] = {0.0}, sum = 0.0;
    size_t p = 0;
    for (; p + LANES <= k; p += LANES)
        for (size_t l = 0; l < LANES; l++)
            lane[l] += (double)a[p + l] * (double)b[p + l];
    for (; p < k; p++)
        sum += (double)a[p] * (double)b[p];
    for (size_t l = 0; l < LANES; l++)
        sum += lane[l];
    return sum;
}

rung_status RUNG_KERNEL(rk_gemm_nt_f32)(const rung_ctx *cx, float *c, const float *a, const float *b, size_t m,
                                        size_t n, size_t k, float alpha, float beta)
{
    (void)cx;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            float *out = c + i * n + j;
            double sum = (double)alpha * dot(a + i * k, b + j * k, k);
            *out = (float)(beta == 0.0F ? sum : (double)beta * (double)*out + sum);
        }
    }
    return RUNG_OK;
}
