/* SPDX-License-Identifier: Apache-2.0
 *
 * proofs_json.c: results written as JSON. docs/proof.md describes the format.
 */
#include <stdint.h>

#include "json.h"
#include "proofs.h"

static json_t *part_json(double part)
{
    return part < 0 ? json_null() : json_number(part);
}

static json_t *row_json(const proofs *p, const proof_row *row)
{
    json_t *one = json_object();
    json_put(one, "op", json_text(row->op));
    json_put(one, "device", json_text(row->device));
    json_put(one, "arch", json_text(row->arch));
    json_put(one, "variant", json_text(row->variant));
    json_put(one, "state", json_text(rung_proof_state_text(row->state, RUNG_PROOF_NATIVE)));
    json_put(one, "how", json_text(rung_proof_how_text(row->how)));
    json_put(one, "cases", json_count(row->cases));
    json_put(one, "checks", json_count(row->checks));
    json_put(one, "failures", json_count(row->failures));
    json_put(one, "worst", part_json(row->worst));
    json_put(one, "worst_wide", part_json(row->worst_wide));
    json_put(one, "examples", json_count(row->examples));
    json_put(one, "registers", json_boolean(row->registers));
    json_put(one, "quick", json_boolean(row->quick));
    json_put(one, "why", json_text(row->why));
    if (p->merged)
        json_put(one, "run", row->from != SIZE_MAX ? json_count(row->from) : json_null());
    return one;
}

json_t *proofs_json(const proofs *p)
{
    json_t *root = json_object();
    json_put(root, "rung", json_text("selftest"));
    json_put(root, "version", json_count(1));
    json_put(root, "namespace", json_text(p->name_space));
    if (p->merged)
        json_put(root, "runs", json_incref(p->runs));
    else /* the one run: machine, how, seed */
        json_object_update(root, json_array_get(p->runs, 0));
    json_t *cells = json_array();
    for (size_t i = 0; i < p->count; i++)
        json_add(cells, row_json(p, &p->row[i]));
    json_put(root, "cells", cells);
    return root;
}
