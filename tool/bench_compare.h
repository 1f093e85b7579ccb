/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_compare.h: results beside older ones.
 */
#ifndef RUNG_TOOL_BENCH_COMPARE_H
#define RUNG_TOOL_BENCH_COMPARE_H

#include <stdio.h>

#include "bench_file.h"

/* A change is larger than the noise when the medians differ by more than a twentieth, and the intervals between the
 * quartiles do not overlap. docs/bench.md has the measurements behind that. */
typedef enum bench_verdict { BENCH_SAME, BENCH_SLOWER, BENCH_FASTER } bench_verdict;

/* Whether both are of one registry; error line otherwise. */
bool bench_compare_fits(const bench_file *old_file, const bench_file *new_file);
/* Whether any cell and size is in both. */
bool bench_compare_any(const bench_file *old_file, const bench_file *new_file);
/* How many cells and sizes have this verdict. */
size_t bench_compare_count(const bench_file *old_file, const bench_file *new_file, bench_verdict verdict);
/* A warning on stderr when the machines differ. */
void bench_compare_warn(const bench_file *old_file, const bench_file *new_file);
void bench_compare_print(const bench_file *old_file, const bench_file *new_file, FILE *to);
json_t *bench_compare_json(const bench_file *old_file, const bench_file *new_file);

#endif
