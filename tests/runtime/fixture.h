/* SPDX-License-Identifier: Apache-2.0
 *
 * fixture.h: the registry of tests/fixtures/fx as another build would have it, so that tests of imitated machines do
 * not depend on what this one compiles; and ladders as text.
 */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <string.h>

#include "runtime_test.h"

#include "fx/fx.h"
#include "rung/table.h"
#include "text.h"

enum { FIXTURE_CELLS = 64 };

typedef struct fixture {
    rung_registry registry;
    rung_cell_row cells[FIXTURE_CELLS];
} fixture;

/* Every cell is built that is not planned and requires no library; those of cuda only on demand. */
static inline const rung_registry *fixture_of(fixture *f, int with_cuda)
{
    f->registry = fx_registry;
    assert_true(fx_registry.n_cells <= FIXTURE_CELLS);
    memcpy(f->cells, fx_registry.cells, fx_registry.n_cells * sizeof *f->cells);
    f->registry.cells = f->cells;
    uint32_t cuda = rung_device_find(&fx_registry, "cuda");
    for (uint32_t i = 0; i < fx_registry.n_cells; i++) {
        rung_cell_row *row = &f->cells[i];
        int built = !(row->flags & RUNG_CELL_PLANNED) && row->requirements == 0;
        if (fx_registry.arch_names[row->arch].device == cuda)
            built = built && with_cuda;
        row->flags = (uint8_t)((row->flags & ~RUNG_CELL_BUILT) | (built ? RUNG_CELL_BUILT : 0));
    }
    return &f->registry;
}

/* One line a rung: "cpu/generic default: available" or "cpu/x86-64-v4 default: CPU lacks: avx512f", the one that is
 * called with a star before it. */
static inline int print_cell(const rung_cell *cell, void *user)
{
    rung_text *t = user;
    const char *const parts[] = {cell->chosen ? "*" : "",
                                 cell->device,
                                 "/",
                                 cell->arch,
                                 " ",
                                 cell->variant,
                                 ": ",
                                 rung_reason_text(cell->reason),
                                 cell->detail[0] == '\0' ? "" : ": ",
                                 cell->detail,
                                 "\n"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        rung_text_add(t, parts[i]);
    return 0;
}

static inline const char *explained(const rung_platform *p, uint32_t op, uint32_t variant)
{
    static char text[8192];
    rung_text t = rung_text_in(text, sizeof text);
    assert_int_equal(rung_explain(p, op, variant, print_cell, &t), RUNG_OK);
    return text;
}

/* The arch chain of a position: "sm90 sm80 generic". */
static inline const char *chain_of(const rung_platform *p, uint32_t position)
{
    static char text[512];
    rung_text t = rung_text_in(text, sizeof text);
    const char *arch;
    for (uint32_t step = 0; (arch = rung_platform_arch_step(p, position, step)) != NULL; step++) {
        rung_text_add(&t, step == 0 ? "" : " ");
        rung_text_add(&t, arch);
    }
    return text;
}

/* The cell that is called, as "accel/sm90 default", or "none". */
static inline const char *resolved(const rung_platform *p, uint32_t op, uint32_t variant, rung_memory memory)
{
    static char text[256];
    rung_text t = rung_text_in(text, sizeof text);
    rung_resolution found;
    if (rung_resolve(p, op, variant, memory, &found, NULL) != RUNG_OK)
        return "none";
    const char *const parts[] = {found.cell.device, "/", found.cell.arch, " ", found.cell.variant};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        rung_text_add(&t, parts[i]);
    return text;
}

#endif
