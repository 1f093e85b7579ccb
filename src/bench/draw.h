/* SPDX-License-Identifier: Apache-2.0
 *
 * draw.h: random arguments, of the ranges that a registry gives.
 */
#ifndef RUNG_BENCH_DRAW_H
#define RUNG_BENCH_DRAW_H

#include "rung/proof.h"

typedef struct rung_bench_random {
    uint64_t state;
} rung_bench_random;

rung_bench_random rung_bench_random_of(uint64_t seed);
void rung_bench_draw_scalar(rung_bench_random *random, const rung_proof_arg *arg, rung_value *to);
/* Fills an array of a call with these values. */
void rung_bench_draw_array(rung_bench_random *random, const rung_proof_arg *arg, const rung_value *values, void *to);

#endif
