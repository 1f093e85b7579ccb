/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/choose.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

bool rung_proof_pattern_fits(const char *pattern, const rung_cell *cell)
{
    char whole[256], place[128];
    (void)snprintf(place, sizeof place, "%s/%s", cell->device, cell->arch);
    (void)snprintf(whole, sizeof whole, "%s %s/%s", cell->op, place, cell->variant);
    return fnmatch(pattern, whole, 0) == 0 || fnmatch(pattern, place, 0) == 0 || fnmatch(pattern, cell->op, 0) == 0;
}

bool rung_proof_is_chosen(const char *const *patterns, size_t count, bool *fitted, const rung_cell *cell)
{
    bool chosen = count == 0;
    for (size_t i = 0; i < count; i++) {
        if (!rung_proof_pattern_fits(patterns[i], cell))
            continue;
        chosen = true;
        if (fitted != NULL)
            fitted[i] = true;
    }
    return chosen;
}

void rung_proof_cell_name(const rung_cell *cell, char name[PROOF_NAME])
{
    const bool usual = strcmp(cell->variant, "default") == 0;
    (void)snprintf(name, PROOF_NAME, "%s %s/%s%s%s", cell->op, cell->device, cell->arch, usual ? "" : "/",
                   usual ? "" : cell->variant);
}

const rung_proof_op *rung_proof_op_find(const rung_proof *proof, const char *name)
{
    for (unsigned i = 0; i < proof->op_count; i++)
        if (strcmp(proof->ops[i]->name, name) == 0)
            return proof->ops[i];
    return NULL;
}
