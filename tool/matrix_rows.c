/* SPDX-License-Identifier: Apache-2.0
 *
 * matrix_rows.c: a row for each op and variant that has a kernel, and for each kind of components and variant that has
 * a builder.
 */
#include "matrix_rows.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "matrix_ladder.h"
#include "rk/rk.h"
#include "say.h"

/* A declared kernel or builder. */
typedef struct declared {
    const char *name, *device, *arch, *variant; /* name: of the op or kind; arch NULL: a builder */
    bool chosen;
    rung_reason reason;
} declared;

typedef struct rows {
    const matrix_columns *columns;
    matrix_texts texts;
    const json_t *proofs; /* {"op/device/arch/variant": {...}}; NULL: no results */
    declared *cell;
    size_t cells, room;
} rows;

static void keep(rows *r, const declared *cell)
{
    if (r->cells == r->room) {
        r->room = r->room != 0 ? 2 * r->room : 64;
        r->cell = say_realloc(r->cell, r->room * sizeof *r->cell);
    }
    r->cell[r->cells++] = *cell;
}

static int keep_kernel(const rung_cell *c, void *user)
{
    const declared cell = {c->op, c->device, c->arch, c->variant, c->chosen != 0, c->reason};
    keep(user, &cell);
    return 0;
}

static int keep_builder(const rung_component_cell *c, void *user)
{
    const declared cell = {c->kind, c->device, NULL, c->variant, c->chosen != 0, c->reason};
    keep(user, &cell);
    return 0;
}

static const declared *find(const rows *r, const char *name, const matrix_column *column, const char *variant)
{
    for (size_t i = 0; i < r->cells; i++) {
        const declared *c = &r->cell[i];
        if (strcmp(c->name, name) == 0 && strcmp(c->variant, variant) == 0 && strcmp(c->device, column->device) == 0 &&
            (c->arch == NULL) == (column->arch == NULL) && (c->arch == NULL || strcmp(c->arch, column->arch) == 0))
            return c;
    }
    return NULL;
}

static bool has_row(const rows *r, bool ops, const char *name, const char *variant)
{
    for (size_t i = 0; i < r->cells; i++)
        if ((r->cell[i].arch != NULL) == ops && strcmp(r->cell[i].name, name) == 0 &&
            strcmp(r->cell[i].variant, variant) == 0)
            return true;
    return false;
}

static const char *state_of(const declared *cell)
{
    switch (cell->reason) {
    case RUNG_REASON_NONE:
        return cell->chosen ? "chosen" : "available";
    case RUNG_REASON_PLANNED:
        return "planned";
    case RUNG_REASON_NOT_BUILT:
        return "not-built";
    case RUNG_REASON_EXPERIMENTAL:
        return "experimental";
    default:
        return "not-here";
    }
}

/* What the results say of a kernel; NULL: there is nothing to say. */
static const char *proof_of(const rows *r, const declared *cell)
{
    if (r->proofs == NULL || cell == NULL || cell->arch == NULL)
        return NULL;
    char *key = say_format("%s/%s/%s/%s", cell->name, cell->device, cell->arch, cell->variant);
    const json_t *proof = json_object_get(r->proofs, key);
    free(key);
    if (proof == NULL)
        return cell->reason == RUNG_REASON_PLANNED ? NULL : "unproven";
    const char *state = json_string_value(json_object_get(proof, "state"));
    const char *how = json_string_value(json_object_get(proof, "how"));
    if (strcmp(state, "passed") != 0)
        return state;
    return strcmp(how, "native") == 0 ? "passed" : strcmp(how, "emulator") == 0 ? "passed-emulator" : "passed-fake";
}

static json_t *box_json(rows *r, const char *name, const char *variant, const matrix_column *column,
                        const json_t *ladder)
{
    const declared *cell = find(r, name, column, variant);
    const char *state = cell != NULL ? state_of(cell) : "not-declared";
    const char *next = NULL;
    bool own = cell != NULL && (cell->reason == RUNG_REASON_NONE || strcmp(state, "not-here") == 0);
    if (ladder != NULL && !own) {
        char *key = matrix_key(column->device, column->arch, variant);
        next = matrix_ladder_next(ladder, &r->texts, key);
        free(key);
        if (cell == NULL)
            state = next != NULL ? "falls" : "none";
    }
    json_t *box = json_object();
    json_put(box, "state", json_text(state));
    json_put(box, "reason", strcmp(state, "not-here") == 0 ? json_text(rung_reason_text(cell->reason)) : json_null());
    json_put(box, "falls", json_text(next));
    json_put(box, "proof", json_text(proof_of(r, cell)));
    return box;
}

static json_t *row_json(rows *r, uint32_t op, uint32_t kind, uint32_t variant)
{
    const matrix_columns *columns = r->columns;
    bool ops = op != RUNG_NONE;
    const char *name = ops ? rung_op_name(&rk_registry, op) : rung_kind_name(&rk_registry, kind);
    const char *variant_name = rung_variant_name(&rk_registry, variant);
    json_t *row = json_object(), *ladders = json_object(), *boxes = json_array();
    json_put(row, "name", json_text(name));
    json_put(row, "variant", json_text(variant_name));
    json_put(row, "summary",
             json_text(ops ? rung_op_summary(&rk_registry, op) : rung_kind_summary(&rk_registry, kind)));
    if (columns->platforms != 0)
        json_put(ladders, "0", matrix_ladder(columns->platform[0], true, op, kind, variant, &r->texts));
    for (size_t i = 0; i < columns->count; i++) {
        const matrix_column *column = &columns->column[i];
        if ((column->arch != NULL) != ops)
            continue;
        json_t *ladder = NULL;
        if (column->platform != MATRIX_NO_PLATFORM) {
            char number[24];
            snprintf(number, sizeof number, "%zu", column->platform);
            ladder = json_object_get(ladders, number);
            if (ladder == NULL) {
                ladder = matrix_ladder(columns->platform[column->platform], false, op, kind, variant, &r->texts);
                json_put(ladders, number, ladder);
            }
        }
        json_add(boxes, box_json(r, name, variant_name, column, ladder));
    }
    json_put(row, "ladders", ladders);
    json_put(row, "boxes", boxes);
    return row;
}

void matrix_rows_put(json_t *root, const matrix_columns *columns, json_t *texts, const json_t *selftest)
{
    rows r = {.columns = columns, .texts = {texts, json_object()}, .proofs = json_object_get(selftest, "cells")};
    const rung_platform *shown = columns->platforms != 0 ? columns->platform[0] : NULL;
    rung_matrix(&rk_registry, shown, keep_kernel, &r);
    rung_component_matrix(&rk_registry, shown, keep_builder, &r);
    json_t *ops = json_array(), *components = json_array();
    for (uint32_t op = 0; op < rung_op_count(&rk_registry); op++)
        for (uint32_t v = 0; v < rung_variant_count(&rk_registry); v++)
            if (has_row(&r, true, rung_op_name(&rk_registry, op), rung_variant_name(&rk_registry, v)))
                json_add(ops, row_json(&r, op, RUNG_NONE, v));
    for (uint32_t kind = 0; kind < rung_kind_count(&rk_registry); kind++)
        for (uint32_t v = 0; v < rung_variant_count(&rk_registry); v++)
            if (has_row(&r, false, rung_kind_name(&rk_registry, kind), rung_variant_name(&rk_registry, v)))
                json_add(components, row_json(&r, RUNG_NONE, kind, v));
    json_put(root, "ops", ops);
    json_put(root, "components", components);
    json_decref(r.texts.index);
    free(r.cell);
}
