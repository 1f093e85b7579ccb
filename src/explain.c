/* SPDX-License-Identifier: Apache-2.0 */
#include "platform.h"

typedef struct explain {
    const rung_platform *p;
    rung_cell_fn *fn;
    void *user;
    uint32_t op, chosen;
} explain;

static int explain_step(const rung_step *step, void *user)
{
    const explain *e = user;
    rung_cell cell;
    rung_step_cell(e->p, e->op, step, RUNG_MEMORY_ANY, &cell);
    cell.chosen = step->cell != RUNG_NONE && step->cell == e->chosen;
    return e->fn(&cell, e->user);
}

rung_status rung_explain(const rung_platform *platform, uint32_t op, uint32_t variant, rung_cell_fn *fn, void *user)
{
    if (platform == NULL || fn == NULL || op >= platform->head.registry->n_ops)
        return RUNG_ERR_ARGUMENT;
    if (variant >= platform->head.variants)
        variant = 0;
    explain e = {platform, fn, user, op, rung_chosen(platform, op, variant, RUNG_MEMORY_ANY)};
    rung_walk(platform, op, variant, explain_step, &e);
    return RUNG_OK;
}
