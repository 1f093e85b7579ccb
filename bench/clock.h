/* SPDX-License-Identifier: Apache-2.0
 *
 * clock.h: what every benchmark needs: the time, and the median of turns with the distance of the quartiles.
 */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdlib.h>
#include <time.h>

static inline double bench_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline int bench_by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the samples; *spread gets the distance between the quartiles. */
static inline double bench_median(double *samples, size_t turns, double *spread)
{
    qsort(samples, turns, sizeof(samples[0]), bench_by_value);
    *spread = samples[3 * turns / 4] - samples[turns / 4];
    return samples[turns / 2];
}

#endif
