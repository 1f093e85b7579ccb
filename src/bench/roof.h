/* SPDX-License-Identifier: Apache-2.0
 *
 * roof.h: what the timing needs of the measured roofs.
 */
#ifndef RUNG_BENCH_ROOF_H
#define RUNG_BENCH_ROOF_H

#include "rate.h"

/* The level that this processor has, of those that the build has. */
const rung_bench_rate *rung_bench_rate_here(void);

/* Works for a tenth of a second: a processor that was idle comes to the clock frequency of one that works. */
void rung_bench_warm(void);

#endif
