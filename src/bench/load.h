/* SPDX-License-Identifier: Apache-2.0
 *
 * load.h: the arguments of a timed call, in memory of the host.
 */
#ifndef RUNG_BENCH_LOAD_H
#define RUNG_BENCH_LOAD_H

#include "rung/proof.h"

/* Arrays that are read and written have a second copy, as they were: calls one after another must not drive them to
 * infinity, nor to denormal numbers, which some processors are slow with. */
typedef struct rung_bench_load {
    const rung_proof_op *op;
    rung_value values[RUNG_PROOF_ARGS_MAX]; /* as for plain calls */
    size_t bytes[RUNG_PROOF_ARGS_MAX];      /* of arrays */
    void *kept[RUNG_PROOF_ARGS_MAX];        /* NULL where nothing needs to be kept */
    void *block;
} rung_bench_load;

/* Arguments of op at these sizes, arrays drawn as for its proof; every byte of every array has been written. All
 * optional arrays are given. Scalars are between -1 and 1, and of integers between 1 and 8, as far as their range
 * allows: where results are read again, by the next call, they do not grow without end. MEMORY, or ARGUMENT for sizes
 * that no memory has. */
rung_status rung_bench_load_open(rung_bench_load *load, const rung_proof_op *op, const size_t *sizes, uint64_t seed);
void rung_bench_load_close(rung_bench_load *load);
/* Array `arg` as it was drawn, to `to`. */
void rung_bench_load_restore(const rung_bench_load *load, unsigned arg, void *to);

#endif
