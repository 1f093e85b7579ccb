/* SPDX-License-Identifier: Apache-2.0
 *
 * rate_x86_64_v4.c: fused multiply-adds of AVX-512.
 */
#include <immintrin.h>

enum { CHAINS = 12 };
#define EACH(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12)

#define NAME                          rounds_f32
#define REAL                          float
#define VECTOR                        __m512
#define SPREAD(x)                     _mm512_set1_ps(x)
#define ADD(x, y)                     _mm512_add_ps(x, y)
#define MULTIPLY_ADD(x, factor, term) _mm512_fmadd_ps(x, factor, term)
#include "rate_loop.h" /* NOLINT(bugprone-suspicious-include) */

#define NAME                          rounds_f64
#define REAL                          double
#define VECTOR                        __m512d
#define SPREAD(x)                     _mm512_set1_pd(x)
#define ADD(x, y)                     _mm512_add_pd(x, y)
#define MULTIPLY_ADD(x, factor, term) _mm512_fmadd_pd(x, factor, term)
#include "rate_loop.h" /* NOLINT(bugprone-suspicious-include) */

/* Each element of each chain is multiplied once and added to once. */
const rung_bench_rate rung_bench_rate_x86_64_v4 = {.f32 = rounds_f32,
                                                   .f64 = rounds_f64,
                                                   .f32_flops = 2.0 * CHAINS * sizeof(__m512) / sizeof(float),
                                                   .f64_flops = 2.0 * CHAINS * sizeof(__m512d) / sizeof(double)};
