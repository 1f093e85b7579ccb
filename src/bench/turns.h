/* SPDX-License-Identifier: Apache-2.0
 *
 * turns.h: the cells of an op, timed in turn at one row of sizes.
 */
#ifndef RUNG_BENCH_TURNS_H
#define RUNG_BENCH_TURNS_H

#include "seat.h"

/* Times `count` seats of one op: seat->calls and seat->seconds[turns] are set. Every turn begins with a call that is
 * not timed, so that the caches have what the last call leaves in them. One that fails is told to `failed`, its calls
 * are 0, and the others go on. A turn is at least `seconds` long, and a thousand steps of the clock. */
typedef void rung_bench_failed(const rung_bench_seat *seat, const char *why, void *user);
rung_status rung_bench_turns(rung_bench_seat *seats, size_t count, const size_t *sizes, uint64_t seed, unsigned turns,
                             double seconds, rung_bench_failed *failed, void *user, rung_error *err);

#endif
