/* SPDX-License-Identifier: Apache-2.0
 *
 * imitation.h: the registry of tests/fixtures/vd as a build with CUDA would have it, GPUs that are not there, and first
 * uses that are counted and fail on demand.
 */
#ifndef IMITATION_H
#define IMITATION_H

#include <stdatomic.h>
#include <string.h>

#include "fixture.h"
#include "platform.h"

#include "rung/dispatch.h"
#include "vd/vd.h"

enum { IMITATION_CELLS = 32, IMITATION_BUILDERS = 16 };

typedef struct imitation {
    rung_registry registry;
    rung_cell_row cells[IMITATION_CELLS];
    rung_builder_row builders[IMITATION_BUILDERS];
    rung_found found;
    rung_machine machine;
    const char *failing[4]; /* "cuda/generic": the cells whose first use fails; a builder's device for builders */
    rung_reason how;        /* with this reason */
    atomic_int uses;        /* first uses that were asked for */
} imitation;

static inline rung_reason imitated_use(const rung_registry *registry, uint32_t cell, uint32_t builder,
                                       rung_text *detail, void *user)
{
    imitation *m = user;
    atomic_fetch_add(&m->uses, 1);
    char name[128];
    rung_text t = rung_text_in(name, sizeof name);
    if (cell != RUNG_NONE) {
        const rung_arch_row *arch = &registry->arch_names[registry->cells[cell].arch];
        const char *const parts[] = {registry->strings + registry->devices[arch->device].name, "/",
                                     registry->strings + arch->name, NULL};
        rung_text_join(&t, parts);
    } else {
        rung_text_add(&t, registry->strings + registry->devices[registry->builders[builder].device].name);
    }
    for (int i = 0; i < 4 && m->failing[i] != NULL; i++) {
        if (strcmp(m->failing[i], name) == 0 || strcmp(m->failing[i], "all") == 0) {
            rung_text_add(detail, "imitated failure of ");
            rung_text_add(detail, name);
            return m->how;
        }
    }
    return RUNG_REASON_NONE;
}

/* Every cell and builder is built. cuda: the capability of the GPU, NULL for a machine without one. */
static inline const rung_registry *imitate(imitation *m, const char *cuda, uint32_t driver)
{
    *m = (imitation){.how = RUNG_REASON_LOAD_FAILED};
    m->registry = vd_registry;
    assert_true(vd_registry.n_cells <= IMITATION_CELLS && vd_registry.n_builders <= IMITATION_BUILDERS);
    memcpy(m->cells, vd_registry.cells, vd_registry.n_cells * sizeof *m->cells);
    memcpy(m->builders, vd_registry.builders, vd_registry.n_builders * sizeof *m->builders);
    m->registry.cells = m->cells;
    m->registry.builders = m->builders;
    for (uint32_t i = 0; i < vd_registry.n_cells; i++)
        m->cells[i].flags |= RUNG_CELL_BUILT;
    for (uint32_t i = 0; i < vd_registry.n_builders; i++)
        m->builders[i].flags |= RUNG_CELL_BUILT;
    m->machine = machine_with("other", 0);
    m->machine.first_use = imitated_use;
    m->machine.first_use_user = m;
    if (cuda != NULL) {
        m->found = (rung_found){"cuda", RUNG_REASON_NONE, "", cuda, 1, driver, false};
        m->machine.found = &m->found;
        m->machine.n_found = 1;
    }
    return &m->registry;
}

/* What a call would do: the id of the cell, its first use done if that is still to come; RUNG_NONE. */
static inline uint32_t pick_cell(rung_platform *p, uint32_t op, uint32_t variant, uint32_t memory)
{
    const rung_registry *registry = rung_platform_registry(p);
    rung_ctx cx = rung_ctx_of(p);
    cx.variant = variant;
    cx.memory = memory;
    unsigned ordinal = memory == RUNG_MEMORY_ANY
                           ? rung_ordinal_in(p, op, variant, memory, NULL) /* as buffer calls do */
                           : rung_pick(&cx, registry, op);
    if (ordinal == RUNG_NO_CHOICE)
        ordinal = rung_first_use(&cx, registry, op);
    return ordinal == RUNG_NO_CHOICE ? RUNG_NONE : registry->ops[op].first_cell + ordinal;
}

#endif
