/* SPDX-License-Identifier: Apache-2.0
 *
 * bench.h: times the cells of a registry side by side, at the sizes that it names, beside what the machine can do at
 * most.
 */
#ifndef RUNG_BENCH_H
#define RUNG_BENCH_H

#include "rung/proof.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What one thread of this machine does at most: the roofs of a roofline (Williams, Waterman and Patterson 2009,
 * doi:10.1145/1498765.1498785). Measured: the best of many turns, as other work on the machine only takes away. */
typedef struct rung_bench_roof {
    double copy;     /* bytes read and written per second, of a copy of arrays far larger than the caches */
    double f32, f64; /* floating-point operations per second, of independent fused multiply-adds in registers (or of
                        multiplications and additions, on a processor without) */
} rung_bench_roof;

RUNG_API rung_status rung_bench_roof_measure(rung_bench_roof *roof);

typedef struct rung_bench_result {
    const rung_proof_op *op;
    rung_cell cell;
    size_t sizes[RUNG_PROOF_DIMS_MAX]; /* those of op->dims */
    unsigned turns, calls;             /* medians are over turns; a turn is so many calls, one after another */
    double median, low, high; /* seconds a call: the median of the turns, and the quartiles on its sides; without
                                 what other programs had of the processor, where the system tells it */
    double flops;             /* floating-point operations a call; 0: the registry does not say */
    double bytes;             /* of all arrays, read ones and written ones once each */
    double ceiling;  /* seconds that the roofs allow at best; 0: no roof was measured, or the cell is on a device */
    bool arithmetic; /* the roof that bounds it: of arithmetic, or else of memory */
} rung_bench_result;

/* Called now and then: the part that is done, 0 to 1, and the op at work. A number other than 0 ends the run. */
typedef int rung_bench_progress(double part, const char *op, void *user);

typedef struct rung_bench_options {
    const char *const *only; /* as in rung_proof_options */
    size_t only_count;
    unsigned turns;                /* 0: 31 */
    double seconds;                /* of a turn, at least, per cell; 0: 0.002 */
    const rung_bench_roof *roof;   /* NULL: no ceilings */
    rung_proof_open *open;         /* NULL: rung_platform_open */
    uint64_t seed;                 /* 0: a fixed one */
    rung_bench_progress *progress; /* NULL: none */
} rung_bench_options;

/* Called for every cell and size, when all cells of an op and a size are done: these take turns, in several passes over
 * all ops, so that all results come in the last one. A number other than 0 ends the run. */
typedef int rung_bench_report(const rung_bench_result *result, size_t done, size_t count, void *user);

/* Called for each cell that is left out, with the reason: planned, not built, not on this machine. */
typedef void rung_bench_left_out(const rung_cell *cell, const char *why, void *user);

/* Times every cell that the options choose and this machine runs. Not to be called by two threads at once. */
RUNG_API rung_status rung_bench_run(const rung_proof *proof, const rung_bench_options *options,
                                    rung_bench_report *report, rung_bench_left_out *left_out, void *user,
                                    rung_error *err);

#ifdef __cplusplus
}
#endif

#endif
