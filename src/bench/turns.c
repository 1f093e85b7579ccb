/* SPDX-License-Identifier: Apache-2.0 */
#include "turns.h"

#include <math.h>

#include "clock.h"

/* The time of so many calls, after one that is not timed, on arrays as they were drawn; negative on failure. */
static double turn(rung_bench_seat *seat, const rung_bench_load *load, unsigned calls, rung_error *err)
{
    if (rung_bench_seat_restore(seat, load, err) != RUNG_OK || rung_bench_seat_call(seat, 1, err) != RUNG_OK)
        return -1.0;
    const rung_bench_watch from = rung_bench_watch_now();
    if (rung_bench_seat_call(seat, calls, err) != RUNG_OK)
        return -1.0;
    const rung_bench_watch to = rung_bench_watch_now();
    return seat->buffers ? to.wall - from.wall : rung_bench_watch_seconds(&from, &to);
}

/* The shortest of three turns that are all at least so long, or one that is shorter: one in which something got in the
 * way is not taken for the cell's own time. */
static double long_enough(rung_bench_seat *seat, const rung_bench_load *load, unsigned calls, double seconds,
                          rung_error *err)
{
    double shortest = turn(seat, load, calls, err);
    for (int i = 0; i < 2 && shortest >= seconds; i++)
        shortest = fmin(shortest, turn(seat, load, calls, err));
    return shortest;
}

/* How many calls a turn takes, 0 on failure: first uses and page faults are over with when it returns. */
static unsigned settle(rung_bench_seat *seat, const rung_bench_load *load, double seconds, rung_error *err)
{
    enum { MOST_CALLS = 1 << 24 };
    if (rung_bench_seat_call(seat, 1, err) != RUNG_OK || rung_bench_seat_check(seat, err) != RUNG_OK)
        return 0;
    for (unsigned calls = 1;;) {
        const double took = long_enough(seat, load, calls, seconds, err);
        if (took < 0.0)
            return 0;
        if (took >= seconds || calls >= MOST_CALLS)
            return calls;
        const double more = took > 0.0 ? 1.1 * seconds / took : 8.0;
        calls = (unsigned)(calls * fmin(more, 8.0)) + 1;
    }
}

static void give_up(const rung_bench_turns *t, rung_bench_seat *seat, const rung_error *why)
{
    seat->rows[t->row].calls = 0;
    t->failed(seat, why->text, t->user);
}

static void begin(const rung_bench_turns *t, rung_bench_seat *seat, const rung_bench_load *load)
{
    rung_error why;
    rung_bench_row *row = &seat->rows[t->row];
    if (t->from != 0 && row->calls == 0)
        return;
    const bool loaded = rung_bench_seat_load(seat, load, &why) == RUNG_OK;
    if (loaded && t->from == 0)
        row->calls = settle(seat, load, t->seconds, &why);
    if (!loaded || row->calls == 0)
        give_up(t, seat, &why);
}

rung_status rung_bench_turns_run(const rung_bench_turns *t)
{
    rung_bench_load load;
    rung_error why;
    const rung_proof_op *op = t->seats[0].op;
    const rung_status status = rung_bench_load_open(&load, op, op->bench + (size_t)t->row * op->dim_count, t->seed);
    if (status != RUNG_OK)
        return status;
    for (size_t i = 0; i < t->count; i++)
        begin(t, &t->seats[i], &load);
    /* nobody is always the one after another */
    for (unsigned now = t->from; now < t->to; now++) {
        for (size_t i = 0; i < t->count; i++) {
            rung_bench_seat *seat = &t->seats[(i + now) % t->count];
            const rung_bench_row *row = &seat->rows[t->row];
            if (row->calls == 0)
                continue;
            row->seconds[now] = turn(seat, &load, row->calls, &why) / row->calls;
            if (row->seconds[now] < 0.0)
                give_up(t, seat, &why);
        }
    }
    for (size_t i = 0; i < t->count; i++)
        rung_bench_seat_unload(&t->seats[i]);
    rung_bench_load_close(&load);
    return RUNG_OK;
}
