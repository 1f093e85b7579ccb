/* SPDX-License-Identifier: Apache-2.0 */
#include "first_use.h"

#include <stdlib.h>
#include <string.h>

#include "acquire.h"

void rung_uses_begin(rung_uses *uses, _Atomic uint8_t *state, const rung_machine *machine)
{
    *uses = (rung_uses){.state = state, .imitated = machine->first_use, .user = machine->first_use_user};
    pthread_mutex_init(&uses->lock, NULL);
}

void rung_uses_end(rung_uses *uses)
{
    const rung_demotion *one = atomic_load(&uses->demotions);
    while (one != NULL) {
        const rung_demotion *next = one->next;
        free((void *)one);
        one = next;
    }
    pthread_mutex_destroy(&uses->lock);
}

rung_reason rung_use_demoted(const rung_uses *uses, uint32_t item, rung_text *detail)
{
    uint8_t state = atomic_load_explicit(&uses->state[item], memory_order_acquire);
    if (state == RUNG_USE_NOT_YET || state == RUNG_USE_READY)
        return RUNG_REASON_NONE;
    if (detail != NULL) {
        const rung_demotion *one = atomic_load_explicit(&uses->demotions, memory_order_acquire);
        while (one != NULL && one->item != item)
            one = one->next;
        if (one != NULL)
            rung_text_add(detail, one->detail);
    }
    return (rung_reason)state;
}

/* The figures first, so that whoever sees the reason finds them. Without memory for them the reason stands alone. */
static void demote(rung_uses *uses, uint32_t item, rung_reason reason, const char *figures)
{
    rung_demotion *one = malloc(sizeof *one);
    if (one != NULL) {
        one->next = atomic_load_explicit(&uses->demotions, memory_order_relaxed);
        one->item = item;
        rung_text t = rung_text_in(one->detail, sizeof one->detail);
        rung_text_add(&t, figures);
        atomic_store_explicit(&uses->demotions, one, memory_order_release);
    }
    atomic_store_explicit(&uses->state[item], (uint8_t)reason, memory_order_release);
}

bool rung_use(const rung_registry *registry, rung_uses *uses, uint32_t item)
{
    uint8_t state = atomic_load_explicit(&uses->state[item], memory_order_acquire);
    if (state != RUNG_USE_NOT_YET)
        return state == RUNG_USE_READY;
    char figures[160];
    rung_text detail = rung_text_in(figures, sizeof figures);
    bool is_cell = item < registry->n_cells;
    uint32_t cell = is_cell ? item : RUNG_NONE;
    uint32_t builder = is_cell ? RUNG_NONE : item - registry->n_cells;
    rung_reason reason = uses->imitated != NULL ? uses->imitated(registry, cell, builder, &detail, uses->user)
                                                : rung_acquire(registry, cell, builder, &detail);
    if (reason == RUNG_REASON_NONE)
        atomic_store_explicit(&uses->state[item], RUNG_USE_READY, memory_order_release);
    else
        demote(uses, item, reason, figures);
    return reason == RUNG_REASON_NONE;
}
