/* SPDX-License-Identifier: Apache-2.0
 *
 * warm.c: first uses of cells, asked for by a call or all at once; whoever fails is followed by the next candidate.
 */
#include "error.h"
#include "log.h"
#include "platform.h"

/* Makes the first available candidate ready, demoting those that cannot be. Returns its ordinal or RUNG_NO_CHOICE and
 * adds to *demoted. The caller holds the lock. */
static uint8_t make_ready(rung_platform *p, uint32_t op, uint32_t local, uint32_t memory, uint32_t *demoted)
{
    const rung_registry *registry = p->head.registry;
    for (;;) {
        uint8_t ordinal = rung_first_available(p, op, local, memory);
        if (ordinal == RUNG_NO_CHOICE)
            return ordinal;
        uint32_t cell = registry->ops[op].first_cell + ordinal;
        if (!(registry->cells[cell].flags & RUNG_CELL_FIRST_USE) || rung_use(registry, &p->uses, cell))
            return ordinal;
        ++*demoted;
    }
}

unsigned rung_first_use(const rung_ctx *cx, const rung_registry *registry, uint32_t op)
{
    if (cx == NULL || cx->platform == NULL || cx->platform->head.registry != registry || cx->memory > RUNG_MEMORY_ANY)
        return RUNG_NO_CHOICE;
    rung_platform *p = cx->platform;
    uint32_t variant = cx->variant < p->head.variants ? cx->variant : 0;
    uint32_t local = rung_local_of(registry, op, variant);
    if (local == RUNG_NONE)
        return RUNG_NO_CHOICE;
    pthread_mutex_lock(&p->uses.lock);
    const rung_demotion *before = atomic_load(&p->uses.demotions);
    uint32_t demoted = 0;
    uint8_t ordinal = make_ready(p, op, local, cx->memory, &demoted);
    rung_choose_op(p, op);
    const rung_demotion *last = atomic_load(&p->uses.demotions);
    pthread_mutex_unlock(&p->uses.lock);
    rung_log_demotions(p, last, before);
    return ordinal;
}

rung_status rung_warm(rung_platform *platform, uint32_t *demoted, rung_error *err)
{
    if (platform == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no platform given");
    const rung_registry *registry = platform->head.registry;
    uint32_t count = 0;
    pthread_mutex_lock(&platform->uses.lock);
    const rung_demotion *before = atomic_load(&platform->uses.demotions);
    for (uint32_t op = 0; op < registry->n_ops; op++) {
        for (uint32_t local = 0; local < registry->ops[op].variants; local++)
            for (uint32_t memory = 0; memory <= RUNG_MEMORY_ANY; memory++)
                make_ready(platform, op, local, memory, &count);
        rung_choose_op(platform, op);
    }
    const rung_demotion *last = atomic_load(&platform->uses.demotions);
    pthread_mutex_unlock(&platform->uses.lock);
    rung_log_demotions(platform, last, before);
    if (demoted != NULL)
        *demoted = count;
    return rung_succeed(err);
}
