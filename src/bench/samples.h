/* SPDX-License-Identifier: Apache-2.0
 *
 * samples.h: the median of measurements, and the quartiles on its sides.
 */
#ifndef RUNG_BENCH_SAMPLES_H
#define RUNG_BENCH_SAMPLES_H

#include <stddef.h>

typedef struct rung_bench_spread {
    double low, median, high;
} rung_bench_spread;

/* Of count > 0 finite samples, which it sorts. A quantile between two samples is interpolated linearly: definition 7 of
 * Hyndman and Fan 1996, doi:10.1080/00031305.1996.10473566, which NumPy and R take as well. */
rung_bench_spread rung_bench_spread_of(double *samples, size_t count);

#endif
