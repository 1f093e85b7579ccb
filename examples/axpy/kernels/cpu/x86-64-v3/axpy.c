/* SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "ex/kernels/axpy.h"

rung_status ex_axpy__cpu_x86_64_v3(const rung_ctx *cx, float *y, const float *x, size_t n, float a)
{
    (void)cx;
    const __m256 factor = _mm256_set1_ps(a);
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(y + i, _mm256_fmadd_ps(factor, _mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i)));
    for (; i < n; i++)
        y[i] += a * x[i];
    return RUNG_OK;
}
