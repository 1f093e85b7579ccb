/* SPDX-License-Identifier: Apache-2.0
 *
 * choose.c: which cell is called: the first available candidate along the chain (docs/resolution.md, R5 and R6).
 */
#include "names.h"
#include "platform.h"

uint32_t rung_local_of(const rung_registry *registry, uint32_t op, uint32_t variant)
{
    const rung_op_row *row = &registry->ops[op];
    for (uint32_t i = 0; i < row->variants; i++)
        if (registry->op_variants[row->first_variant + i] == variant)
            return i;
    return registry->variants[variant].flags & RUNG_VARIANT_STRICT ? RUNG_NONE : 0;
}

uint32_t rung_candidates(const rung_registry *registry, uint32_t op, uint32_t local, uint32_t row,
                         const uint8_t **first)
{
    const uint32_t *shape = registry->chains + registry->ops[op].shape;
    const uint8_t *list = registry->candidates + shape[(size_t)local * registry->n_rows + row];
    *first = list + 1;
    return list[0];
}

uint8_t rung_first_available(const rung_platform *p, uint32_t op, uint32_t local, uint32_t memory)
{
    const rung_registry *registry = p->head.registry;
    uint32_t first_cell = registry->ops[op].first_cell;
    for (uint32_t i = 0; i < p->positions; i++) {
        const uint8_t *ordinals;
        uint32_t n = rung_candidates(registry, op, local, p->position[i].at.row, &ordinals);
        for (uint32_t j = 0; j < n; j++)
            if (rung_judge(registry, p, first_cell + ordinals[j], memory, NULL) == RUNG_REASON_NONE)
                return ordinals[j];
    }
    return RUNG_NO_CHOICE;
}

typedef struct chosen {
    uint8_t by_memory[RUNG_MEMORY_ANY + 1];
} chosen;

/* Where all kernels reach host memory, buffers resolve as host pointers do. */
static chosen choose_all(const rung_platform *p, uint32_t op, uint32_t local, bool all_host)
{
    uint8_t any = rung_first_available(p, op, local, RUNG_MEMORY_ANY);
    return (chosen){{
        [RUNG_MEMORY_HOST] = all_host ? any : rung_first_available(p, op, local, RUNG_MEMORY_HOST),
        [RUNG_MEMORY_DEVICE] = p->positions == 1 ? any : rung_first_available(p, op, local, RUNG_MEMORY_DEVICE),
        [RUNG_MEMORY_ANY] = any,
    }};
}

/* The ordinal that a call may take at once. */
static uint8_t published(const rung_platform *p, uint32_t op, uint8_t ordinal)
{
    if (ordinal == RUNG_NO_CHOICE)
        return ordinal;
    uint32_t cell = p->head.registry->ops[op].first_cell + ordinal;
    return rung_use_ready(&p->uses, cell, p->head.registry->cells[cell].flags) ? ordinal : RUNG_NO_CHOICE;
}

static void choose_op(const rung_platform *p, uint32_t op, bool all_host)
{
    const rung_registry *registry = p->head.registry;
    const chosen by_default = choose_all(p, op, 0, all_host);
    for (uint32_t variant = 0; variant < registry->n_variants; variant++) {
        uint32_t local = rung_local_of(registry, op, variant);
        chosen cells = {{RUNG_NO_CHOICE, RUNG_NO_CHOICE, RUNG_NO_CHOICE}};
        if (local != RUNG_NONE)
            cells = local == 0 ? by_default : choose_all(p, op, local, all_host);
        for (uint32_t memory = 0; memory <= RUNG_MEMORY_ANY; memory++) {
            size_t at = (size_t)memory * p->head.plane + (size_t)op * registry->n_variants + variant;
            atomic_store_explicit(&p->choice[at], published(p, op, cells.by_memory[memory]), memory_order_release);
        }
    }
}

static bool is_all_host(const rung_platform *p)
{
    bool all_host = true;
    for (uint32_t i = 0; i < p->positions; i++)
        all_host = all_host && p->position[i].host;
    return all_host;
}

void rung_choose_op(const rung_platform *p, uint32_t op)
{
    choose_op(p, op, is_all_host(p));
}

void rung_choose(rung_platform *p)
{
    bool all_host = is_all_host(p);
    for (uint32_t op = 0; op < p->head.registry->n_ops; op++)
        choose_op(p, op, all_host);
}

uint32_t rung_chosen(const rung_platform *p, uint32_t op, uint32_t variant, uint32_t memory)
{
    size_t at = (size_t)memory * p->head.plane + (size_t)op * p->head.variants + variant;
    unsigned ordinal = atomic_load_explicit(&p->choice[at], memory_order_acquire);
    uint32_t local = ordinal == RUNG_NO_CHOICE ? rung_local_of(p->head.registry, op, variant) : RUNG_NONE;
    if (local != RUNG_NONE)
        ordinal = rung_first_available(p, op, local, memory);
    return ordinal == RUNG_NO_CHOICE ? RUNG_NONE : p->head.registry->ops[op].first_cell + ordinal;
}
