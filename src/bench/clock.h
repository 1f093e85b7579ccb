/* SPDX-License-Identifier: Apache-2.0
 *
 * clock.h: the time, in seconds from some moment on; that which the thread spent; and the smallest step that the clock
 * was seen to make.
 */
#ifndef RUNG_BENCH_CLOCK_H
#define RUNG_BENCH_CLOCK_H

#include <stdbool.h>
#include <sys/resource.h>
#include <time.h>

static inline double rung_bench_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A turn that is timed. Its time is the wall clock's, less what other programs had of the processor meanwhile: the time
 * that the thread was running, where it never waited of its own accord. Where the system does not tell whether it did,
 * it is the wall clock's. */
typedef struct rung_bench_watch {
    double wall, running;
    long waits;
} rung_bench_watch;

static inline rung_bench_watch rung_bench_watch_now(void)
{
    rung_bench_watch now = {.waits = -1};
#if defined(RUSAGE_THREAD)
    struct rusage usage;
    struct timespec t;
    if (getrusage(RUSAGE_THREAD, &usage) == 0 && clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0) {
        now.waits = usage.ru_nvcsw;
        now.running = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    }
#endif
    now.wall = rung_bench_now();
    return now;
}

static inline double rung_bench_watch_seconds(const rung_bench_watch *from, const rung_bench_watch *to)
{
    const bool ran = from->waits >= 0 && from->waits == to->waits;
    return ran ? to->running - from->running : to->wall - from->wall;
}

/* The smallest of 64 steps: of a clock that is slower to read than to move on, the time that reading takes. */
static inline double rung_bench_clock_step(void)
{
    double least = 1.0;
    for (int i = 0; i < 64; i++) {
        const double from = rung_bench_now();
        double to = from;
        while (to <= from)
            to = rung_bench_now();
        least = to - from < least ? to - from : least;
    }
    return least;
}

#endif
