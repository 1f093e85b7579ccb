/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_plot.h: results as a picture: the roofline of Williams, Waterman and Patterson 2009,
 * doi:10.1145/1498765.1498785.
 */
#ifndef RUNG_TOOL_BENCH_PLOT_H
#define RUNG_TOOL_BENCH_PLOT_H

#include "bench_file.h"

/* Writes an SVG at `path`; `name` is what error lines call it. False after an error line. */
bool bench_plot_write(const char *path, const char *name, const bench_file *file);

#endif
