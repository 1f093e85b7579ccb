/* SPDX-License-Identifier: Apache-2.0
 *
 * results.h: what `rung selftest` and `rung bench` have written, read for the page of `rung matrix`.
 */
#ifndef RUNG_TOOL_RESULTS_H
#define RUNG_TOOL_RESULTS_H

#include <jansson.h>

/* Of `rung selftest`, one run or merged ones: {runs: [{machine, how, seed}], cells: {key: {state, how, cases, checks,
 * failures, worst, worst_wide, examples, registers, why, run}}, unknown}; key is "op/device/arch/variant", run an index
 * or null, unknown the number of cells that the registry does not have. NULL after an error line that names the file.
 * Only what is listed here is taken from the file, and its types are checked. */
json_t *results_selftest(const char *path);

/* Of `rung bench`: {machine, roof, results: {key: [{sizes, seconds, turns, calls, flops, bytes, gflops, gb_per_second,
 * bound, roof_fraction}]}, unknown}; without roof where none was measured; as above. */
json_t *results_bench(const char *path);

#endif
