/* SPDX-License-Identifier: Apache-2.0 */
#include "turns.h"

#include <math.h>

#include "clock.h"

/* The time of so many calls, after one that is not timed, on arrays as they were drawn; negative on failure. */
static double turn(rung_bench_seat *seat, const rung_bench_load *load, unsigned calls, rung_error *err)
{
    if (rung_bench_seat_restore(seat, load, err) != RUNG_OK || rung_bench_seat_call(seat, 1, err) != RUNG_OK)
        return -1.0;
    const double from = rung_bench_now();
    if (rung_bench_seat_call(seat, calls, err) != RUNG_OK)
        return -1.0;
    return rung_bench_now() - from;
}

/* The shortest of three turns that are all at least so long, or one that is shorter: one in which others had the
 * processor is not taken for the cell's own time. */
static double long_enough(rung_bench_seat *seat, const rung_bench_load *load, double seconds, rung_error *err)
{
    double shortest = turn(seat, load, seat->calls, err);
    for (int i = 0; i < 2 && shortest >= seconds; i++)
        shortest = fmin(shortest, turn(seat, load, seat->calls, err));
    return shortest;
}

/* How many calls a turn takes: first uses and page faults are over with when it returns. */
static bool settle(rung_bench_seat *seat, const rung_bench_load *load, double seconds, rung_error *err)
{
    enum { MOST_CALLS = 1 << 24 };
    if (rung_bench_seat_load(seat, load, err) != RUNG_OK || rung_bench_seat_call(seat, 1, err) != RUNG_OK ||
        rung_bench_seat_check(seat, err) != RUNG_OK)
        return false;
    for (seat->calls = 1;;) {
        const double took = long_enough(seat, load, seconds, err);
        if (took < 0.0)
            return false;
        if (took >= seconds || seat->calls >= MOST_CALLS)
            return true;
        const double more = took > 0.0 ? 1.1 * seconds / took : 8.0;
        seat->calls = (unsigned)(seat->calls * fmin(more, 8.0)) + 1;
    }
}

rung_status rung_bench_turns(rung_bench_seat *seats, size_t count, const size_t *sizes, uint64_t seed, unsigned turns,
                             double seconds, rung_bench_failed *failed, void *user, rung_error *err)
{
    rung_bench_load load;
    rung_status status = rung_bench_load_open(&load, seats[0].op, sizes, seed);
    if (status != RUNG_OK) {
        err->status = status;
        return status;
    }
    const double clock = 1000.0 * rung_bench_clock_step();
    seconds = seconds > clock ? seconds : clock;
    rung_error why;
    for (size_t i = 0; i < count; i++) {
        if (!settle(&seats[i], &load, seconds, &why)) {
            seats[i].calls = 0;
            failed(&seats[i], why.text, user);
        }
    }
    /* nobody is always the one after another */
    for (unsigned t = 0; t < turns; t++) {
        for (size_t i = 0; i < count; i++) {
            rung_bench_seat *seat = &seats[(i + t) % count];
            if (seat->calls == 0)
                continue;
            seat->seconds[t] = turn(seat, &load, seat->calls, &why) / seat->calls;
            if (seat->seconds[t] < 0.0) {
                seat->calls = 0;
                failed(seat, why.text, user);
            }
        }
    }
    for (size_t i = 0; i < count; i++)
        rung_bench_seat_unload(&seats[i]);
    rung_bench_load_close(&load);
    return RUNG_OK;
}
