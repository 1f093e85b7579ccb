/* SPDX-License-Identifier: Apache-2.0
 *
 * rate_generic.c: multiplications and additions, in vectors of 16 bytes where the processor family has them: where no
 * better level is known, on x86-64 by SSE2.
 */

typedef float vector_f32 __attribute__((vector_size(16)));
typedef double vector_f64 __attribute__((vector_size(16)));

enum { CHAINS = 12 };
#define EACH(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12)

#define NAME                          rounds_f32
#define REAL                          float
#define VECTOR                        vector_f32
#define SPREAD(x)                     ((vector_f32){(x), (x), (x), (x)})
#define ADD(x, y)                     ((x) + (y))
#define MULTIPLY_ADD(x, factor, term) ((x) * (factor) + (term))
#include "rate_loop.h" /* NOLINT(bugprone-suspicious-include) */

#define NAME                          rounds_f64
#define REAL                          double
#define VECTOR                        vector_f64
#define SPREAD(x)                     ((vector_f64){(x), (x)})
#define ADD(x, y)                     ((x) + (y))
#define MULTIPLY_ADD(x, factor, term) ((x) * (factor) + (term))
#include "rate_loop.h" /* NOLINT(bugprone-suspicious-include) */

/* Each element of each chain is multiplied once and added to once. */
const rung_bench_rate rung_bench_rate_generic = {.f32 = rounds_f32,
                                                 .f64 = rounds_f64,
                                                 .f32_flops = 2.0 * CHAINS * sizeof(vector_f32) / sizeof(float),
                                                 .f64_flops = 2.0 * CHAINS * sizeof(vector_f64) / sizeof(double)};
