/* SPDX-License-Identifier: Apache-2.0 */
#include "cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "testbed.h"

typedef struct search {
    const char *op, *place;
    cell_test *test;
    unsigned cells;
} search;

static bool same_place(const rung_cell *a, const rung_cell *b)
{
    return strcmp(a->device, b->device) == 0 && strcmp(a->arch, b->arch) == 0 && strcmp(a->variant, b->variant) == 0;
}

static void run_on(rung_platform *platform, const rung_cell *cell, search *s)
{
    rung_ctx cx = rung_ctx_of(platform);
    rung_resolution used;
    cx.variant = rung_variant_find(&rk_registry, cell->variant);
    if (rung_resolve(platform, rung_op_find(&rk_registry, cell->op), cx.variant, RUNG_MEMORY_ANY, &used, NULL) !=
            RUNG_OK ||
        !same_place(&used.cell, cell))
        return;
    if (cell->workspace > 0)
        assert_int_equal(rung_buffer_create(platform, (size_t)cell->workspace, &cx.workspace_buffer, NULL), RUNG_OK);
    print_message("%s on %s/%s, %s\n", cell->op, cell->device, cell->arch, cell->variant);
    s->test(&cx, cell);
    s->cells++;
    rung_buffer_destroy(cx.workspace_buffer);
}

static int try_cell(const rung_cell *cell, void *user)
{
    search *s = user;
    char chain[96];
    (void)snprintf(chain, sizeof chain, "%s/%s", cell->device, cell->arch);
    if (strcmp(cell->op, s->op) != 0 || !cell->built || (s->place != NULL && strcmp(s->place, chain) != 0))
        return 0;
    rung_platform *platform;
    unsigned flags = RUNG_OPEN_NO_ENV | (cell->experimental ? (unsigned)RUNG_OPEN_EXPERIMENTAL : 0U);
    if (testbed_open(chain, flags, &platform, NULL) != RUNG_OK)
        return 0;
    run_on(platform, cell, s);
    rung_platform_close(platform);
    return 0;
}

unsigned cells_run(const char *op, const char *place, cell_test *test)
{
    search s = {.op = op, .place = place, .test = test};
    assert_int_equal(rung_matrix(&rk_registry, NULL, try_cell, &s), RUNG_OK);
    return s.cells;
}

rung_buffer *held(const rung_ctx *cx, const void *array, size_t bytes)
{
    rung_buffer *buffer;
    assert_int_equal(rung_buffer_wrap(cx->platform, (void *)(uintptr_t)array, bytes, &buffer, NULL), RUNG_OK);
    return buffer;
}

void held_end(rung_buffer *buffer)
{
    assert_non_null(rung_buffer_host(buffer));
    rung_buffer_destroy(buffer);
}
