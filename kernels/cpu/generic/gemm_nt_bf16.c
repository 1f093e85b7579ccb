/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_nt_bf16 on every processor, the reference: as gemm_nt_f32, of numbers that are the upper halves of floats.
 */
#include "rk/kernels/gemm_nt_bf16.h"

#include "rung/bfloat16.h"

enum { LANES = 8 };

static double dot(const uint16_t *a, const uint16_t *b, size_t k)
{
    double lane[LANES] = {0.0}, sum = 0.0;
    size_t p = 0;
    for (; p + LANES <= k; p += LANES)
        for (size_t l = 0; l < LANES; l++)
            lane[l] += (double)rung_bfloat16(a[p + l]) * (double)rung_bfloat16(b[p + l]);
    for (; p < k; p++)
        sum += (double)rung_bfloat16(a[p]) * (double)rung_bfloat16(b[p]);
    for (size_t l = 0; l < LANES; l++)
        sum += lane[l];
    return sum;
}

rung_status RUNG_KERNEL(rk_gemm_nt_bf16)(const rung_ctx *cx, float *c, const uint16_t *a, const uint16_t *b, size_t m,
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
