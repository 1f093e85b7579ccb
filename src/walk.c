/* SPDX-License-Identifier: Apache-2.0
 *
 * walk.c: the ladder of one op and variant, in the order in which it is tried.
 */
#include "names.h"
#include "platform.h"

const char *rung_step_arch(const rung_registry *registry, const rung_position *position, uint32_t step, uint32_t *id)
{
    const rung_row *row = &registry->rows[position->at.row];
    if (position->at.leads) {
        if (step == 0) {
            *id = RUNG_NONE;
            return position->arch;
        }
        step--;
    }
    if (step >= row->steps)
        return NULL;
    *id = registry->steps[row->first_step + step];
    return rung_arch_text(registry, *id);
}

bool rung_is_step(const rung_registry *registry, uint32_t row, uint32_t arch)
{
    const rung_row *chain = &registry->rows[row];
    for (uint32_t i = 0; i < chain->steps; i++)
        if (registry->steps[chain->first_step + i] == arch)
            return true;
    return false;
}

typedef struct walk {
    const rung_platform *p;
    rung_step_fn *fn;
    void *user;
    uint32_t op;
    uint32_t variants[2], n_variants; /* the asked one, then what it falls to */
    uint32_t local;                   /* RUNG_NONE: no candidates */
    uint32_t rung;
} walk;

/* The declared cells on archs of the device that are not in its chain. */
static int walk_outside(const walk *w, const rung_position *position)
{
    const rung_registry *registry = w->p->head.registry;
    const rung_device_row *device = &registry->devices[position->device];
    for (uint32_t i = 0; i < device->archs; i++) {
        uint32_t arch = device->first_arch + i;
        if (rung_is_step(registry, position->at.row, arch))
            continue;
        for (uint32_t v = 0; v < w->n_variants; v++) {
            uint32_t cell = rung_cell_of(registry, w->op, arch, w->variants[v]);
            rung_step step = {position, rung_arch_text(registry, arch), w->variants[v], cell, RUNG_NONE};
            if (cell != RUNG_NONE && w->fn(&step, w->user) != 0)
                return 1;
        }
    }
    return 0;
}

static bool is_listed(const uint8_t *ordinals, uint32_t n, uint32_t ordinal)
{
    for (uint32_t i = 0; i < n; i++)
        if (ordinals[i] == ordinal)
            return true;
    return false;
}

/* The rungs of a device's chain. A registry may place a cell later than its arch stands (`after`): candidates are told
 * in their own order, each at the place of the next rung that holds one. */
static int walk_chain(walk *w, const rung_position *position)
{
    const rung_registry *registry = w->p->head.registry;
    uint32_t first_cell = registry->ops[w->op].first_cell;
    const uint8_t *ordinals = NULL;
    uint32_t n = w->local == RUNG_NONE ? 0 : rung_candidates(registry, w->op, w->local, position->at.row, &ordinals);
    uint32_t next = 0;
    uint32_t id = RUNG_NONE;
    const char *arch;
    for (uint32_t s = 0; (arch = rung_step_arch(registry, position, s, &id)) != NULL; s++) {
        for (uint32_t v = 0; v < w->n_variants; v++) {
            uint32_t cell = id == RUNG_NONE ? RUNG_NONE : rung_cell_of(registry, w->op, id, w->variants[v]);
            rung_step step = {position, arch, w->variants[v], cell, w->rung++};
            if (cell != RUNG_NONE && next < n && is_listed(ordinals, n, cell - first_cell)) {
                step.cell = first_cell + ordinals[next++];
                step.arch = rung_arch_text(registry, registry->cells[step.cell].arch);
                step.variant = registry->cells[step.cell].variant;
            }
            if (w->fn(&step, w->user) != 0)
                return 1;
        }
    }
    return 0;
}

void rung_walk(const rung_platform *p, uint32_t op, uint32_t variant, rung_step_fn *fn, void *user)
{
    const rung_registry *registry = p->head.registry;
    bool falls = variant != 0 && !(registry->variants[variant].flags & RUNG_VARIANT_STRICT);
    walk w = {.p = p,
              .fn = fn,
              .user = user,
              .op = op,
              .variants = {variant, 0},
              .n_variants = falls ? 2 : 1,
              .local = rung_local_of(registry, op, variant)};
    for (uint32_t i = 0; i < p->positions; i++)
        if (walk_outside(&w, &p->position[i]) != 0 || walk_chain(&w, &p->position[i]) != 0)
            return;
}
