/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_table.h: results for a person.
 */
#ifndef RUNG_TOOL_BENCH_TABLE_H
#define RUNG_TOOL_BENCH_TABLE_H

#include <stdio.h>

#include "bench_file.h"

/* The machine, its roofs, a row for each cell and size, what was left out and why, and what the figures are. */
void bench_table_print(const bench_file *file, FILE *to);
/* Devices after the level: "AMD EPYC, x86-64-v4, Linux 6.1.0 x86_64; 2026-11-30T15:00:00Z". Free it. */
char *bench_machine(const bench_file *file);

#endif
