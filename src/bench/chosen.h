/* SPDX-License-Identifier: Apache-2.0
 *
 * chosen.h: the cells that a pattern chooses.
 */
#ifndef RUNG_BENCH_CHOSEN_H
#define RUNG_BENCH_CHOSEN_H

#include <stdbool.h>

#include "rung/rung.h"

/* Whether it fits, as of fnmatch(3), "op device/arch/variant", "device/arch" or "op" of the cell. */
bool rung_bench_fits(const char *pattern, const rung_cell *cell);

#endif
