/* SPDX-License-Identifier: Apache-2.0
 *
 * clock.h: the time, in seconds from some moment on, and the smallest step that the clock was seen to make.
 */
#ifndef RUNG_BENCH_CLOCK_H
#define RUNG_BENCH_CLOCK_H

#include <time.h>

static inline double rung_bench_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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
