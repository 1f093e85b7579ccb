/* SPDX-License-Identifier: Apache-2.0 */
#include "error.h"
#include "platform.h"

/* The generated table holds the cells of all ops in the order of their keys. */
rung_status rung_matrix(const rung_registry *registry, const rung_platform *platform, rung_cell_fn *fn, void *user)
{
    rung_status status = rung_registry_check(registry, NULL);
    if (status != RUNG_OK)
        return status;
    if (fn == NULL || (platform != NULL && platform->head.registry != registry))
        return RUNG_ERR_ARGUMENT;
    for (uint32_t i = 0; i < registry->n_cells; i++) {
        rung_cell cell;
        const rung_cell_row *row = &registry->cells[i];
        rung_cell_judge(registry, platform, i, RUNG_MEMORY_ANY, &cell);
        cell.chosen = platform != NULL && rung_chosen(platform, row->op, row->variant, RUNG_MEMORY_ANY) == i;
        if (fn(&cell, user) != 0)
            break;
    }
    return RUNG_OK;
}
