/* SPDX-License-Identifier: Apache-2.0 */
#include "platform.h"

/* The most that any candidate wants up to the first that stays: once it is ready, nothing but a fork takes a cell away,
 * and that takes the whole device, if it has a driver. */
static uint64_t most(const rung_platform *p, uint32_t op, uint32_t local, uint32_t memory)
{
    const rung_registry *registry = p->head.registry;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < p->positions; i++) {
        const uint8_t *ordinals;
        uint32_t n = rung_candidates(registry, op, local, p->position[i].at.row, &ordinals);
        bool ready = false;
        for (uint32_t j = 0; j < n && !ready; j++) {
            uint32_t cell = registry->ops[op].first_cell + ordinals[j];
            const rung_cell_row *row = &registry->cells[cell];
            if (rung_judge(registry, p, cell, memory, NULL) != RUNG_REASON_NONE)
                continue;
            bytes = row->workspace > bytes ? row->workspace : bytes;
            ready = rung_use_ready(&p->uses, cell, row->flags);
        }
        if (ready && p->position[i].host)
            return bytes;
    }
    return bytes;
}

uint64_t rung_workspace(const rung_platform *platform, uint32_t op, uint32_t variant, rung_memory memory)
{
    if (platform == NULL || (uint32_t)memory > RUNG_MEMORY_ANY)
        return 0;
    const rung_registry *registry = platform->head.registry;
    if (op < registry->n_ops) {
        uint32_t local = rung_local_of(registry, op, variant < registry->n_variants ? variant : 0);
        return local == RUNG_NONE ? 0 : most(platform, op, local, (uint32_t)memory);
    }
    uint64_t bytes = 0;
    for (uint32_t i = 0; op == RUNG_NONE && i < registry->n_ops; i++) {
        for (uint32_t local = 0; local < registry->ops[i].variants; local++) {
            uint64_t one = most(platform, i, local, (uint32_t)memory);
            bytes = one > bytes ? one : bytes;
        }
    }
    return bytes;
}
