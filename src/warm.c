/* SPDX-License-Identifier: Apache-2.0
 *
 * warm.c: first uses of cells, asked for by a call or all at once; whoever fails is followed by the next candidate.
 *
 * Threads do them side by side. What each publishes is right whatever the others do: an item's state changes once, so
 * that the first candidate that is not demoted, once it is ready, is the answer until its device is lost, which
 * rung_choose_op sees to.
 */
#include "error.h"
#include "gpu/queue.h"
#include "log.h"
#include "platform.h"

void rung_use_device(const rung_platform *p, uint32_t device)
{
    const rung_position *position = rung_position_of(p, device);
    if (position != NULL && position->of_process != NULL)
        rung_driver_use(position->of_process);
}

bool rung_use_first(rung_platform *p, uint32_t item, uint32_t device)
{
    rung_use_device(p, device);
    char figures[RUNG_FIGURES_SIZE];
    rung_text t = rung_text_in(figures, sizeof figures);
    bool demoted = rung_use(p, item, &t);
    if (demoted)
        rung_log_demotion(p, item, figures);
    return demoted;
}

/* Whether the first use of a device's cell has to wait: what a driver does then may end the capture of the queue. */
static bool has_to_wait(const rung_platform *p, uint32_t device, const rung_queue *queue)
{
    const rung_position *position = rung_position_of(p, device);
    return queue != NULL && position != NULL && rung_gpu_driver_of(position) != NULL && rung_queue_captured(queue);
}

/* Makes the first available candidate ready, demoting those that cannot be. Returns its ordinal or RUNG_NO_CHOICE and
 * adds to *demoted what this call demoted. queue: of the call; NULL. One that has to wait is returned as it is, and
 * rung_device_begin or rung_buffer_call refuses to call it. */
static uint8_t make_ready(rung_platform *p, uint32_t op, uint32_t local, uint32_t memory, const rung_queue *queue,
                          uint32_t *demoted)
{
    const rung_registry *registry = p->head.registry;
    for (;;) {
        uint8_t ordinal = rung_first_available(p, op, local, memory);
        if (ordinal == RUNG_NO_CHOICE)
            return ordinal;
        uint32_t cell = registry->ops[op].first_cell + ordinal;
        const rung_cell_row *row = &registry->cells[cell];
        uint32_t device = registry->arch_names[row->arch].device;
        if (rung_use_ready(&p->uses, cell, row->flags) || has_to_wait(p, device, queue))
            return ordinal;
        *demoted += rung_use_first(p, cell, device);
    }
}

static unsigned first_use(rung_platform *p, uint32_t op, uint32_t variant, uint32_t memory, const rung_queue *queue)
{
    uint32_t local = rung_local_of(p->head.registry, op, variant);
    if (local == RUNG_NONE)
        return RUNG_NO_CHOICE;
    rung_log_fork(p);
    uint32_t demoted = 0;
    uint8_t ordinal = make_ready(p, op, local, memory, queue, &demoted);
    rung_choose_op(p, op);
    return ordinal;
}

unsigned rung_first_use(const rung_ctx *cx, const rung_registry *registry, uint32_t op)
{
    if (cx == NULL || cx->platform == NULL || cx->platform->head.registry != registry ||
        cx->memory > RUNG_MEMORY_DEVICE)
        return RUNG_NO_CHOICE;
    uint32_t variant = cx->variant < cx->platform->head.variants ? cx->variant : 0;
    return first_use(cx->platform, op, variant, cx->memory, cx->queue);
}

unsigned rung_ordinal_in(rung_platform *p, uint32_t op, uint32_t asked, uint32_t memory, const rung_queue *queue)
{
    uint32_t variant = asked < p->head.variants ? asked : 0;
    size_t at = (size_t)memory * p->head.plane + (size_t)op * p->head.variants + variant;
    unsigned ordinal = atomic_load_explicit(&p->choice[at], memory_order_acquire);
    return ordinal == RUNG_NO_CHOICE ? first_use(p, op, variant, memory, queue) : ordinal;
}

/* Whether the op is one that the program calls: all of an op's images are linked into it, or none. */
static bool is_linked(const rung_registry *registry, uint32_t op)
{
    const rung_op_row *row = &registry->ops[op];
    for (uint32_t i = 0; registry->images != NULL && i < row->cells; i++) {
        const rung_cell_row *cell = &registry->cells[row->first_cell + i];
        if (cell->entries != 0 && (cell->flags & RUNG_CELL_BUILT) && registry->images[cell->image] == NULL)
            return false;
    }
    return true;
}

rung_status rung_warm(rung_platform *platform, uint32_t *demoted, rung_error *err)
{
    if (platform == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no platform given");
    const rung_registry *registry = platform->head.registry;
    uint32_t count = 0;
    rung_log_fork(platform);
    for (uint32_t op = 0; op < registry->n_ops; op++) {
        if (!is_linked(registry, op))
            continue; /* nobody is going to call it */
        for (uint32_t local = 0; local < registry->ops[op].variants; local++)
            for (uint32_t memory = 0; memory <= RUNG_MEMORY_ANY; memory++)
                make_ready(platform, op, local, memory, NULL, &count);
        rung_choose_op(platform, op);
    }
    if (demoted != NULL)
        *demoted = count;
    return rung_succeed(err);
}
