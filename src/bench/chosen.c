/* SPDX-License-Identifier: Apache-2.0 */
#include "chosen.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

bool rung_bench_fits(const char *pattern, const rung_cell *cell)
{
    char text[512];
    if (strchr(pattern, ' ') != NULL)
        (void)snprintf(text, sizeof text, "%s %s/%s/%s", cell->op, cell->device, cell->arch, cell->variant);
    else if (strchr(pattern, '/') != NULL)
        (void)snprintf(text, sizeof text, "%s/%s", cell->device, cell->arch);
    else
        (void)snprintf(text, sizeof text, "%s", cell->op);
    return fnmatch(pattern, text, 0) == 0;
}
