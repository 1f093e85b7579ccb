/* SPDX-License-Identifier: Apache-2.0
 *
 * seat.h: one cell that is timed: the platform on which calls reach it, and its arguments there.
 */
#ifndef RUNG_BENCH_SEAT_H
#define RUNG_BENCH_SEAT_H

#include <stdbool.h>

#include "load.h"
#include "rung/bench.h"

/* What is measured at one row of sizes. */
typedef struct rung_bench_row {
    unsigned calls;  /* of a turn; 0: not to be timed */
    double *seconds; /* a call, of every turn */
} rung_bench_row;

typedef struct rung_bench_seat {
    const rung_proof_op *op;
    rung_cell cell;
    rung_platform *platform;
    rung_ctx cx;
    bool buffers;                           /* its device does not reach the memory of the host */
    rung_value values[RUNG_PROOF_ARGS_MAX]; /* while it is loaded */
    rung_bench_row *rows;                   /* one for each of op->bench */
} rung_bench_seat;

/* Opens the platform, and makes room for so many turns. On failure err->text is the reason why the cell cannot be
 * called here; MEMORY is no such reason. */
rung_status rung_bench_seat_open(rung_bench_seat *seat, const rung_proof *proof, const rung_proof_op *op,
                                 const rung_cell *cell, rung_proof_open *open, unsigned turns, rung_error *err);
void rung_bench_seat_close(rung_bench_seat *seat);

/* Gives it the arguments: those themselves, or buffers with copies of them; to be unloaded also on failure. */
rung_status rung_bench_seat_load(rung_bench_seat *seat, const rung_bench_load *load, rung_error *err);
void rung_bench_seat_unload(rung_bench_seat *seat);
/* Arrays that are read and written are as they were drawn again. */
rung_status rung_bench_seat_restore(rung_bench_seat *seat, const rung_bench_load *load, rung_error *err);
/* So many calls, one after another; on a device with a wait for the last. */
rung_status rung_bench_seat_call(rung_bench_seat *seat, unsigned calls, rung_error *err);
/* Whether calls still reach the cell: a first use may have demoted it. */
rung_status rung_bench_seat_check(const rung_bench_seat *seat, rung_error *err);

#endif
