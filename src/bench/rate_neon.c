/* SPDX-License-Identifier: Apache-2.0
 *
 * rate_neon.c: fused multiply-adds of Advanced SIMD, which every AArch64 processor has.
 */
#include <arm_neon.h>

enum { CHAINS = 24 };
#define EACH(X)                                                                                                        \
    X(1)                                                                                                               \
    X(2)                                                                                                               \
    X(3)                                                                                                               \
    X(4)                                                                                                               \
    X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24)

#define NAME                          rounds_f32
#define REAL                          float
#define VECTOR                        float32x4_t
#define SPREAD(x)                     vdupq_n_f32(x)
#define ADD(x, y)                     vaddq_f32(x, y)
#define MULTIPLY_ADD(x, factor, term) vfmaq_f32(term, x, factor)
#include "rate_loop.h" /* NOLINT(bugprone-suspicious-include) */

#define NAME                          rounds_f64
#define REAL                          double
#define VECTOR                        float64x2_t
#define SPREAD(x)                     vdupq_n_f64(x)
#define ADD(x, y)                     vaddq_f64(x, y)
#define MULTIPLY_ADD(x, factor, term) vfmaq_f64(term, x, factor)
#include "rate_loop.h" /* NOLINT(bugprone-suspicious-include) */

/* Each element of each chain is multiplied once and added to once. */
const rung_bench_rate rung_bench_rate_neon = {.f32 = rounds_f32,
                                              .f64 = rounds_f64,
                                              .f32_flops = 2.0 * CHAINS * sizeof(float32x4_t) / sizeof(float),
                                              .f64_flops = 2.0 * CHAINS * sizeof(float64x2_t) / sizeof(double)};
