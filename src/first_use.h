/* SPDX-License-Identifier: Apache-2.0
 *
 * first_use.h: what has to be done before a cell is called or a builder is run for the first time, once for each
 * platform (docs/resolution.md, R8).
 */
#ifndef RUNG_FIRST_USE_H
#define RUNG_FIRST_USE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "machine.h"
#include "rung/table.h"
#include "text.h"

enum { RUNG_FIGURES_SIZE = 160 };

/* A first use that failed; kept until the platform is closed. */
typedef struct rung_demotion {
    struct rung_demotion *next;
    uint32_t item;
    rung_reason reason;
    char detail[RUNG_FIGURES_SIZE];
} rung_demotion;

/* Uses are counted by item: cells by their ids, then builders. No lock is held at any time: a library that is opened at
 * a first use may call ops in its constructor, and another thread may fork. */
typedef struct rung_uses {
    _Atomic uint8_t *state; /* of each item: see below */
    _Atomic(rung_demotion *) demotions;
    rung_first_use_fn *imitated; /* of a machine that is not this one; NULL: the real thing */
    void *user;
} rung_uses;

/* States: not used yet, ready, or else the rung_reason of a demotion. Each changes once at most. */
enum { RUNG_USE_NOT_YET = 0, RUNG_USE_READY = 1 };

/* state has a zeroed byte for each cell and builder of the registry. */
void rung_uses_begin(rung_uses *uses, _Atomic uint8_t *state, const rung_machine *machine);
void rung_uses_end(rung_uses *uses);

static inline uint32_t rung_item_of_builder(const rung_registry *registry, uint32_t builder)
{
    return registry->n_cells + builder;
}

/* NONE unless the item has been demoted; then also its figures. */
rung_reason rung_use_demoted(const rung_uses *uses, uint32_t item, rung_text *detail);

/* Whether an item may be called at once: it needs nothing, or has been used. */
static inline bool rung_use_ready(const rung_uses *uses, uint32_t item, uint8_t flags)
{
    return !(flags & RUNG_CELL_FIRST_USE) ||
           atomic_load_explicit(&uses->state[item], memory_order_acquire) == RUNG_USE_READY;
}

/* The first use of an item that needs one and has not been seen used. Several threads may do the same one at once; the
 * first answer stands for all. True when this call has demoted the item: *figures gets why. */
struct rung_platform;
bool rung_use(struct rung_platform *p, uint32_t item, rung_text *figures);

#endif
