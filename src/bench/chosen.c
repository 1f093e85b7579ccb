/* SPDX-License-Identifier: Apache-2.0 */
#include "chosen.h"

#include <fnmatch.h>
#include <stdio.h>

bool rung_bench_fits(const char *pattern, const rung_cell *cell)
{
    char whole[512], place[256];
    (void)snprintf(whole, sizeof whole, "%s %s/%s/%s", cell->op, cell->device, cell->arch, cell->variant);
    (void)snprintf(place, sizeof place, "%s/%s", cell->device, cell->arch);
    return fnmatch(pattern, whole, 0) == 0 || fnmatch(pattern, place, 0) == 0 || fnmatch(pattern, cell->op, 0) == 0;
}
