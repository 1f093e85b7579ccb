/* SPDX-License-Identifier: Apache-2.0
 *
 * rate.h: multiplications and additions in registers, as many as the processor has places for: what the arithmetic
 * roofs are measured with.
 *
 * One source for each level of a processor family, compiled with that level's flags, which reach nothing else. A
 * function is called on a processor of its level only.
 */
#ifndef RUNG_BENCH_RATE_H
#define RUNG_BENCH_RATE_H

#include <stdint.h>

/* So many rounds. The value has to be used, for the work to be done. */
typedef double rung_bench_rounds(uint64_t rounds);

typedef struct rung_bench_rate {
    rung_bench_rounds *f32, *f64;
    double f32_flops, f64_flops; /* of a round */
} rung_bench_rate;

extern const rung_bench_rate rung_bench_rate_generic, rung_bench_rate_neon, rung_bench_rate_x86_64_v3,
    rung_bench_rate_x86_64_v4;

#endif
