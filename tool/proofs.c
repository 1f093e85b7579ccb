/* SPDX-License-Identifier: Apache-2.0
 *
 * proofs.c: rows, found by the names of their cells.
 */
#include "proofs.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "say.h"

proofs *proofs_new(const char *name_space, bool merged)
{
    proofs *p = say_alloc(sizeof *p);
    p->name_space = say_format("%s", name_space);
    p->merged = merged;
    p->runs = json_array();
    p->index = json_object();
    return p;
}

void proofs_free(proofs *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->count; i++) {
        free(p->row[i].op);
        free(p->row[i].device);
        free(p->row[i].arch);
        free(p->row[i].variant);
        free(p->row[i].why);
    }
    free(p->row);
    free(p->name_space);
    json_decref(p->runs);
    json_decref(p->index);
    free(p);
}

size_t proofs_add_run(proofs *p, json_t *machine, rung_proof_how how, const char *seed)
{
    json_t *run = json_object();
    json_put(run, "machine", machine);
    json_put(run, "how", json_text(rung_proof_how_text(how)));
    json_put(run, "seed", json_text(seed));
    json_add(p->runs, run);
    return json_array_size(p->runs) - 1;
}

void proofs_complete_run(proofs *p, const rung_proof_result *result)
{
    json_t *run = json_array_get(p->runs, 0);
    char *seed = say_format("0x%" PRIx64, result->seed);
    json_put(run, "seed", json_text(seed));
    json_put(run, "how", json_text(rung_proof_how_text(result->how)));
    free(seed);
}

cell_key proof_key(const proof_row *row)
{
    return (cell_key){row->op, row->device, row->arch, row->variant};
}

proof_row *proofs_add(proofs *p, const cell_key *key)
{
    if (p->row == NULL || p->count == p->room) {
        p->room = p->room != 0 ? 2 * p->room : 64;
        p->row = say_realloc(p->row, p->room * sizeof *p->row);
    }
    proof_row *row = &p->row[p->count];
    *row = (proof_row){.op = say_format("%s", key->op),
                       .device = say_format("%s", key->device),
                       .arch = say_format("%s", key->arch),
                       .variant = say_format("%s", key->variant),
                       .worst = -1,
                       .worst_wide = -1,
                       .why = say_format("%s", ""),
                       .from = SIZE_MAX};
    char *name = cell_name(key);
    json_put(p->index, name, json_count(p->count));
    free(name);
    p->count++;
    return row;
}

proof_row *proofs_find(const proofs *p, const cell_key *key)
{
    char *name = cell_name(key);
    const json_t *at = json_object_get(p->index, name);
    free(name);
    return at != NULL ? &p->row[json_integer_value(at)] : NULL;
}

void proof_why(proof_row *row, const char *text)
{
    char *why = say_format("%s", text);
    free(row->why);
    row->why = why;
}

static int by_names(const void *left, const void *right)
{
    const proof_row *a = left, *b = right;
    int order = strcmp(a->op, b->op);
    if (order == 0)
        order = strcmp(a->device, b->device);
    if (order == 0)
        order = strcmp(a->arch, b->arch);
    return order != 0 ? order : strcmp(a->variant, b->variant);
}

void proofs_sort(proofs *p)
{
    if (p->count == 0)
        return;
    qsort(p->row, p->count, sizeof *p->row, by_names);
    for (size_t i = 0; i < p->count; i++) {
        cell_key key = proof_key(&p->row[i]);
        char *name = cell_name(&key);
        json_put(p->index, name, json_count(i));
        free(name);
    }
}

/* How much a row outweighs others of its cell. */
static int weight(const proof_row *row)
{
    static const int passed[] = {[RUNG_PROOF_NATIVE] = 3, [RUNG_PROOF_EMULATOR] = 2, [RUNG_PROOF_FAKE_DRIVER] = 1};
    switch (row->state) {
    case RUNG_PROOF_FAILED:
        return 5;
    case RUNG_PROOF_MISSED:
        return 4;
    case RUNG_PROOF_PASSED:
        return passed[row->how];
    case RUNG_PROOF_UNPROVEN:
        break;
    }
    return 0;
}

/* Of two that weigh the same, the one that was not quick; then the one with more checks; of two alike, the first. */
static bool outweighs(const proof_row *row, const proof_row *other)
{
    int a = weight(row), b = weight(other);
    if (a != b)
        return a > b;
    return row->quick != other->quick ? other->quick : row->checks > other->checks;
}

static void copy_verdict(proof_row *to, const proof_row *from, const size_t *runs)
{
    proof_row names = *to;
    *to = *from;
    to->op = names.op;
    to->device = names.device;
    to->arch = names.arch;
    to->variant = names.variant;
    to->why = say_format("%s", from->why);
    to->from = from->from != SIZE_MAX ? runs[from->from] : SIZE_MAX;
    free(names.why);
}

/* The position of the run in `all`, which is put there when it is a new one. */
static size_t merge_run(proofs *all, json_t *run)
{
    for (size_t i = 0; i < json_array_size(all->runs); i++)
        if (json_equal(json_array_get(all->runs, i), run))
            return i;
    json_add(all->runs, json_incref(run));
    return json_array_size(all->runs) - 1;
}

void proofs_merge(proofs *all, const proofs *more)
{
    size_t count = json_array_size(more->runs), *runs = say_alloc(count * sizeof *runs);
    for (size_t i = 0; i < count; i++)
        runs[i] = merge_run(all, json_array_get(more->runs, i));
    for (size_t i = 0; i < more->count; i++) {
        cell_key key = proof_key(&more->row[i]);
        proof_row *row = proofs_find(all, &key);
        if (row == NULL)
            copy_verdict(proofs_add(all, &key), &more->row[i], runs);
        else if (outweighs(&more->row[i], row))
            copy_verdict(row, &more->row[i], runs);
    }
    free(runs);
}
