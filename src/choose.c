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

/* The ordinals for each kind of memory. */
typedef struct chosen {
    uint8_t host, device, any;
} chosen;

static const chosen nothing = {RUNG_NO_CHOICE, RUNG_NO_CHOICE, RUNG_NO_CHOICE};

/* The first candidate on the row of a position that can be called, whatever memory the data is in. */
static uint8_t first_at(const rung_platform *p, uint32_t position, uint32_t op, uint32_t local)
{
    const rung_registry *registry = p->head.registry;
    const uint8_t *ordinals;
    uint32_t n = rung_candidates(registry, op, local, p->position[position].at.row, &ordinals);
    for (uint32_t i = 0; i < n; i++)
        if (rung_judge(registry, p, registry->ops[op].first_cell + ordinals[i], RUNG_MEMORY_ANY, NULL) ==
            RUNG_REASON_NONE)
            return ordinals[i];
    return RUNG_NO_CHOICE;
}

/* Which memory a kernel reaches is a matter of its device: one walk along the chain answers for all of them. */
static chosen choose(const rung_platform *p, uint32_t op, uint32_t local)
{
    chosen found = nothing;
    const uint32_t of_memory = rung_memory_position(p);
    for (uint32_t i = 0; i < p->positions && (found.host == RUNG_NO_CHOICE || i <= of_memory); i++) {
        if (found.host != RUNG_NO_CHOICE && i != of_memory)
            continue;
        uint8_t first = first_at(p, i, op, local);
        if (p->position[i].host && found.host == RUNG_NO_CHOICE)
            found.host = first;
        if (i == of_memory)
            found.device = first;
        if (found.any == RUNG_NO_CHOICE)
            found.any = first;
    }
    return found;
}

uint8_t rung_first_available(const rung_platform *p, uint32_t op, uint32_t local, uint32_t memory)
{
    chosen found = choose(p, op, local);
    return memory == RUNG_MEMORY_HOST ? found.host : memory == RUNG_MEMORY_DEVICE ? found.device : found.any;
}

_Static_assert(RUNG_MEMORY_HOST == 0 && RUNG_MEMORY_DEVICE == 1 && RUNG_MEMORY_ANY == 2, "the order of the planes");

/* What a call may take at once of an answer. */
static uint8_t published(const rung_platform *p, uint32_t op, uint8_t ordinal)
{
    if (ordinal == RUNG_NO_CHOICE)
        return ordinal;
    uint32_t cell = p->head.registry->ops[op].first_cell + ordinal;
    return rung_use_ready(&p->uses, cell, p->head.registry->cells[cell].flags) ? ordinal : RUNG_NO_CHOICE;
}

static void publish(const rung_platform *p, uint32_t op)
{
    const rung_registry *registry = p->head.registry;
    const chosen by_default = choose(p, op, 0);
    for (uint32_t variant = 0; variant < registry->n_variants; variant++) {
        uint32_t local = rung_local_of(registry, op, variant);
        chosen cells = nothing;
        if (local != RUNG_NONE)
            cells = local == 0 ? by_default : choose(p, op, local);
        _Atomic uint8_t *host = p->choice + (size_t)op * registry->n_variants + variant;
        _Atomic uint8_t *device = host + p->head.plane;
        _Atomic uint8_t *any = device + p->head.plane;
        atomic_store_explicit(host, published(p, op, cells.host), memory_order_release);
        atomic_store_explicit(device, published(p, op, cells.device), memory_order_release);
        atomic_store_explicit(any, published(p, op, cells.any), memory_order_release);
    }
}

/* A bit for each position whose device is lost. */
static uint32_t lost_devices(const rung_platform *p)
{
    uint32_t lost = 0;
    for (uint32_t i = 0; i < p->positions; i++)
        lost |= (uint32_t)atomic_load_explicit(&p->position[i].lost, memory_order_acquire) << i;
    return lost;
}

_Static_assert(RUNG_CHAIN_MAX <= 32, "a bit for every position");

/* Whoever loses a device chooses anew after that. What was computed before it and is stored after it would stand for
 * good: either the loss is seen here, or by the order of the fences that choice is stored after this one. */
void rung_choose_op(const rung_platform *p, uint32_t op)
{
    uint32_t lost = lost_devices(p);
    for (;;) {
        publish(p, op);
        atomic_thread_fence(memory_order_seq_cst); /* with that of rung_gpu_check */
        uint32_t now = lost_devices(p);
        if (now == lost)
            return;
        lost = now;
    }
}

void rung_choose(rung_platform *p)
{
    for (uint32_t op = 0; op < p->head.registry->n_ops; op++)
        rung_choose_op(p, op);
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
