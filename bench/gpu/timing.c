/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "timing.h"

#include <stdio.h>

#include "../clock.h"

enum { BATCH = 8, WARM_UP = 2, MOST_TURNS = 200 };
static const double enough_s = 0.25; /* of timed turns together */

typedef struct watch {
    bed *b;
    work_fn *work;
    void *user;
    size_t turn;
    rung_event *events[BATCH + 1];
} watch;

static bool ok(rung_status status, rung_error *err, const char *what)
{
    if (status == RUNG_OK)
        return true;
    err->status = status;
    (void)snprintf(err->text, sizeof err->text, "%s: %s", what, rung_status_text(status));
    return false;
}

static bool work_once(watch *w, rung_error *err)
{
    return ok(w->work(w->b, w->user, w->turn++), err, "the call failed");
}

/* Seconds of `count` turns, one after the other. */
static bool batch(watch *w, size_t count, double *seconds, rung_error *err)
{
    if (!bed_flush(w->b))
        return ok(RUNG_ERR_DEVICE, err, "a copy on the device failed");
    for (size_t i = 0; i <= count; i++)
        if (rung_event_record(w->events[i], w->b->queue, err) != RUNG_OK || (i < count && !work_once(w, err)))
            return false;
    if (rung_queue_wait(w->b->queue, err) != RUNG_OK)
        return false;
    for (size_t i = 0; i < count; i++)
        if (rung_event_seconds(w->events[i], w->events[i + 1], &seconds[i], err) != RUNG_OK)
            return false;
    return true;
}

static timing_end run(watch *w, double limit_s, timing *out, rung_error *err)
{
    double seconds[MOST_TURNS + BATCH];
    for (int i = 0; i < WARM_UP; i++) {
        if (!work_once(w, err) || rung_queue_wait(w->b->queue, err) != RUNG_OK)
            return TIMING_FAILED;
        if (i == 0 && (!batch(w, 1, seconds, err)))
            return TIMING_FAILED;
        if (seconds[0] * w->b->settings->turns > limit_s)
            return TIMING_SLOW;
    }
    size_t turns = seconds[0] * MOST_TURNS < enough_s ? MOST_TURNS : (size_t)(enough_s / seconds[0]);
    if (turns < w->b->settings->turns || w->b->settings->tiny)
        turns = w->b->settings->turns;
    turns = turns < MOST_TURNS ? turns : MOST_TURNS;
    for (size_t done = 0; done < turns; done += BATCH) {
        const size_t count = turns - done < BATCH ? turns - done : BATCH;
        if (!batch(w, count, seconds + done, err))
            return TIMING_FAILED;
    }
    out->turns = turns;
    out->median_s = bench_median(seconds, turns, &out->spread_s);
    out->best_s = seconds[0];
    return TIMING_OK;
}

timing_end time_work(bed *b, work_fn *work, void *user, double limit_s, timing *out, rung_error *err)
{
    watch w = {.b = b, .work = work, .user = user};
    timing_end end = TIMING_OK;
    for (int i = 0; i <= BATCH && end == TIMING_OK; i++)
        if (rung_event_create(b->platform, &w.events[i], err) != RUNG_OK)
            end = TIMING_FAILED;
    if (end == TIMING_OK)
        end = run(&w, limit_s, out, err);
    if (end != TIMING_OK)
        (void)rung_queue_wait(b->queue, NULL);
    for (int i = 0; i <= BATCH; i++)
        rung_event_destroy(w.events[i]);
    return end;
}
