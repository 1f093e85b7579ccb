/* SPDX-License-Identifier: Apache-2.0
 *
 * ceiling.h: what a call has to move and to compute, and the least time in which the roofs allow that.
 */
#ifndef RUNG_BENCH_CEILING_H
#define RUNG_BENCH_CEILING_H

#include "rung/bench.h"

/* Of all arrays, those that are read once, those that are written once, those that are both twice. */
double rung_bench_bytes(const rung_proof_op *op, const rung_value *values);
/* Whether the roof of arithmetic is that of double: one of the op's arrays is of doubles. */
bool rung_bench_is_f64(const rung_proof_op *op);
/* Sets result->ceiling and ->arithmetic by its op, flops and bytes. */
void rung_bench_ceiling(rung_bench_result *result, const rung_bench_roof *roof);

#endif
