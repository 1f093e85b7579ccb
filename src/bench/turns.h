/* SPDX-License-Identifier: Apache-2.0
 *
 * turns.h: the cells of an op, timed in turn at one row of sizes.
 */
#ifndef RUNG_BENCH_TURNS_H
#define RUNG_BENCH_TURNS_H

#include "seat.h"

/* Called for a seat that fails: it is not timed at this row any more, and the others go on. */
typedef void rung_bench_failed(const rung_bench_seat *seat, const char *why, void *user);

typedef struct rung_bench_turns {
    rung_bench_seat *seats; /* of one op */
    size_t count;
    unsigned row;      /* of op->bench */
    unsigned from, to; /* turns: from 0 on; those at 0 find out how many calls a turn takes */
    double seconds;    /* of a turn, at least */
    uint64_t seed;
    rung_bench_failed *failed;
    void *user;
} rung_bench_turns;

/* Every turn begins with a call that is not timed, so that the caches have what the last call leaves in them. MEMORY or
 * ARGUMENT when there are no arrays of these sizes. */
rung_status rung_bench_turns_run(const rung_bench_turns *turns);

#endif
