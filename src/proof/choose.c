/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/choose.h"

#include <fnmatch.h>
#include <stdio.h>

bool rung_proof_pattern_fits(const char *pattern, const rung_cell *cell)
{
    char whole[256], place[128];
    (void)snprintf(place, sizeof place, "%s/%s", cell->device, cell->arch);
    (void)snprintf(whole, sizeof whole, "%s %s/%s", cell->op, place, cell->variant);
    return fnmatch(pattern, whole, 0) == 0 || fnmatch(pattern, place, 0) == 0 || fnmatch(pattern, cell->op, 0) == 0;
}
