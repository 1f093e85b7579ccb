/* SPDX-License-Identifier: Apache-2.0
 *
 * results.h: what `rung selftest` and `rung bench` have written, for the page of `rung matrix`.
 */
#ifndef RUNG_TOOL_RESULTS_H
#define RUNG_TOOL_RESULTS_H

#include <jansson.h>

/* Of `rung selftest`, one run or merged ones: {runs: [{machine, how, seed}], cells: {key: {op ... run}}, unknown}. key
 * is "op/device/arch/variant", the rest as docs/proof.md has it, run an index or null, unknown the number of cells that
 * the registry does not have. NULL after an error line that names the file. */
json_t *results_selftest(const char *path);

/* Of `rung bench`: {machine, date, roof, results: {key: [{sizes, seconds, gflops, gb_per_second, bound,
 * roof_fraction}]}, unknown}, as docs/bench.md has them; roof null: none was measured. */
json_t *results_bench(const char *path);

#endif
