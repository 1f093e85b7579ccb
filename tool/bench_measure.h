/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_measure.h: the results of this machine.
 */
#ifndef RUNG_TOOL_BENCH_MEASURE_H
#define RUNG_TOOL_BENCH_MEASURE_H

#include "bench_file.h"
#include "bench_options.h"

/* CLI_GO, or the exit code after an error line. */
int bench_measure(const bench_options *options, bench_file *out);

#endif
