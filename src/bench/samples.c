/* SPDX-License-Identifier: Apache-2.0 */
#include "samples.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, size_t count, double part)
{
    const double at = part * (double)(count - 1);
    const size_t below = (size_t)at;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

rung_bench_spread rung_bench_spread_of(double *samples, size_t count)
{
    qsort(samples, count, sizeof *samples, by_value);
    return (rung_bench_spread){quantile(samples, count, 0.25), quantile(samples, count, 0.5),
                               quantile(samples, count, 0.75)};
}
