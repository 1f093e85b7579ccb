/* SPDX-License-Identifier: Apache-2.0 */
#include "first_use.h"

#include <stdlib.h>

#include "acquire.h"
#include "platform.h"

void rung_uses_begin(rung_uses *uses, _Atomic uint8_t *state, const rung_machine *machine)
{
    *uses = (rung_uses){.state = state, .imitated = machine->first_use, .user = machine->first_use_user};
}

void rung_uses_end(rung_uses *uses)
{
    rung_demotion *one = atomic_load(&uses->demotions);
    while (one != NULL) {
        rung_demotion *next = one->next;
        free(one);
        one = next;
    }
}

rung_reason rung_use_demoted(const rung_uses *uses, uint32_t item, rung_text *detail)
{
    uint8_t state = atomic_load_explicit(&uses->state[item], memory_order_acquire);
    if (state == RUNG_USE_NOT_YET || state == RUNG_USE_READY)
        return RUNG_REASON_NONE;
    if (detail != NULL) {
        const rung_demotion *one = atomic_load_explicit(&uses->demotions, memory_order_acquire);
        while (one != NULL && (one->item != item || one->reason != (rung_reason)state))
            one = one->next;
        if (one != NULL)
            rung_text_add(detail, one->detail);
    }
    return (rung_reason)state;
}

/* Before the reason, so that whoever sees that finds them; the reason stands alone where there is no memory for them.
 * Threads that fail at once leave one each, all of them true. */
static void keep_figures(rung_uses *uses, uint32_t item, rung_reason reason, const rung_text *figures)
{
    rung_demotion *one = malloc(sizeof *one);
    if (one == NULL)
        return;
    one->next = atomic_load_explicit(&uses->demotions, memory_order_relaxed);
    one->item = item;
    one->reason = reason;
    rung_text t = rung_text_in(one->detail, sizeof one->detail);
    rung_text_add(&t, figures->at);
    while (!atomic_compare_exchange_weak_explicit(&uses->demotions, &one->next, one, memory_order_release,
                                                  memory_order_relaxed)) {
    }
}

bool rung_use(rung_platform *p, uint32_t item, rung_text *figures)
{
    const rung_registry *registry = p->head.registry;
    rung_uses *uses = &p->uses;
    bool is_cell = item < registry->n_cells;
    uint32_t cell = is_cell ? item : RUNG_NONE;
    uint32_t builder = is_cell ? RUNG_NONE : item - registry->n_cells;
    rung_reason reason = uses->imitated != NULL ? uses->imitated(registry, cell, builder, figures, uses->user)
                                                : rung_acquire(p, cell, builder, figures);
    if (reason != RUNG_REASON_NONE)
        keep_figures(uses, item, reason, figures);
    uint8_t answer = reason == RUNG_REASON_NONE ? RUNG_USE_READY : (uint8_t)reason;
    uint8_t state = RUNG_USE_NOT_YET;
    return atomic_compare_exchange_strong(&uses->state[item], &state, answer) && reason != RUNG_REASON_NONE;
}
