/* SPDX-License-Identifier: Apache-2.0
 *
 * timing.h: how long work on a queue takes the device.
 */
#ifndef BENCH_GPU_TIMING_H
#define BENCH_GPU_TIMING_H

#include "bed.h"

/* Puts the work once on the bed's queue; turn counts up, so that inputs may rotate. */
typedef rung_status work_fn(bed *b, void *user, size_t turn);

typedef struct timing {
    size_t turns;                      /* that were timed */
    double median_s, best_s, spread_s; /* spread: distance of the quartiles */
} timing;

typedef enum timing_end {
    TIMING_OK,
    TIMING_SLOW,  /* one turn takes so long that all would take more than limit_s: nothing was timed */
    TIMING_FAILED /* err tells */
} timing_end;

/* Warms up, then times single turns between events, in batches behind a flush. */
timing_end time_work(bed *b, work_fn *work, void *user, double limit_s, timing *out, rung_error *err);

#endif
