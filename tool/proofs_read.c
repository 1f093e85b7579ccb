/* SPDX-License-Identifier: Apache-2.0
 *
 * proofs_read.c: results of other machines, of which nothing is believed that is not checked.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "machine_devices.h"
#include "proofs.h"
#include "say.h"

static bool read_state(const json_t *object, rung_proof_state *out)
{
    const char *text = json_word(object, "state");
    for (rung_proof_state s = RUNG_PROOF_UNPROVEN; s <= RUNG_PROOF_MISSED; s++) {
        *out = s;
        if (strcmp(text, rung_proof_state_text(s, RUNG_PROOF_NATIVE)) == 0)
            return true;
    }
    return false;
}

static bool read_how(const json_t *object, rung_proof_how *out)
{
    const char *text = json_word(object, "how");
    for (rung_proof_how h = RUNG_PROOF_NATIVE; h <= RUNG_PROOF_FAKE_DRIVER; h++) {
        *out = h;
        if (strcmp(text, rung_proof_how_text(h)) == 0)
            return true;
    }
    return false;
}

static bool read_count(const json_t *object, const char *key, unsigned long long *out)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    *out = (unsigned long long)json_integer_value(value);
    return true;
}

static bool read_part(const json_t *object, const char *key, double *out)
{
    const json_t *value = json_object_get(object, key);
    *out = json_is_null(value) ? -1 : json_number_value(value);
    return json_is_null(value) || (json_is_number(value) && *out >= 0);
}

/* NULL, or what is wrong with the row. */
static const char *read_verdict(const json_t *object, proof_row *row)
{
    const json_t *registers = json_object_get(object, "registers"), *quick = json_object_get(object, "quick");
    const char *why = json_string_value(json_object_get(object, "why"));
    if (!read_state(object, &row->state))
        return "has no state that is known";
    if (!read_how(object, &row->how))
        return "was run in a way that is not known";
    if (!read_count(object, "cases", &row->cases) || !read_count(object, "checks", &row->checks) ||
        !read_count(object, "failures", &row->failures) || !read_count(object, "examples", &row->examples) ||
        !read_part(object, "worst", &row->worst) || !read_part(object, "worst_wide", &row->worst_wide) ||
        !json_is_boolean(registers) || (quick != NULL && !json_is_boolean(quick)) || why == NULL)
        return "lacks a number, or has a wrong one";
    if (row->state == RUNG_PROOF_PASSED && (row->checks == 0 || row->failures != 0))
        return "cannot have passed with these counts";
    row->registers = json_is_true(registers);
    row->quick = json_is_true(quick);
    proof_why(row, why);
    return NULL;
}

/* The run that the row is of. False when it is of none that there is. */
static bool read_run(const json_t *object, const proofs *p, proof_row *row)
{
    const json_t *value = json_object_get(object, "run");
    unsigned long long run = 0;
    if (p->merged && json_is_null(value))
        return row->state == RUNG_PROOF_UNPROVEN;
    if (p->merged && (!read_count(object, "run", &run) || run >= json_array_size(p->runs)))
        return false;
    row->from = (size_t)run;
    return true;
}

static bool read_row(const char *path, size_t number, const json_t *object, proofs *p)
{
    cell_key key = {json_word(object, "op"), json_word(object, "device"), json_word(object, "arch"),
                    json_word(object, "variant")};
    if (key.op[0] == '\0' || key.device[0] == '\0' || key.arch[0] == '\0' || key.variant[0] == '\0') {
        say_error("%s: cell %zu has no op, device, arch or variant", path, number + 1);
        return false;
    }
    char *name = cell_name(&key);
    const char *wrong = proofs_find(p, &key) != NULL ? "is there twice" : NULL;
    if (wrong == NULL) {
        proof_row *row = proofs_add(p, &key);
        wrong = read_verdict(object, row);
        if (wrong == NULL && !read_run(object, p, row))
            wrong = "is of a run that is not there";
    }
    if (wrong != NULL)
        say_error("%s: %s %s", path, name, wrong);
    free(name);
    return wrong == NULL;
}

static bool read_one_run(const char *path, const json_t *object, proofs *p)
{
    const json_t *machine = json_object_get(object, "machine");
    static const char *const words[] = {"processor", "level", "system"};
    if (!machine_devices_good(machine)) {
        say_error("%s: the devices of its machine are no list of devices with name, arch and driver", path);
        return false;
    }
    bool good = json_is_object(machine);
    json_t *copy = json_object();
    for (size_t i = 0; good && i < sizeof words / sizeof *words; i++) {
        const char *text = json_word(machine, words[i]);
        good = text[0] != '\0';
        if (good)
            json_put(copy, words[i], json_text(text));
    }
    machine_devices_copy(copy, machine);
    rung_proof_how how;
    const char *seed = json_word(object, "seed");
    if (good && seed[0] != '\0' && read_how(object, &how)) {
        proofs_add_run(p, copy, how, seed);
        return true;
    }
    json_decref(copy);
    say_error("%s: it does not tell on which machine, how or with which seed it was run", path);
    return false;
}

static bool read_runs(const char *path, const json_t *root, proofs *p)
{
    if (!p->merged)
        return read_one_run(path, root, p);
    const json_t *runs = json_object_get(root, "runs");
    for (size_t i = 0; i < json_array_size(runs); i++)
        if (!read_one_run(path, json_array_get(runs, i), p))
            return false;
    return true;
}

proofs *proofs_read(const char *path)
{
    json_t *root = json_results(path, "selftest");
    if (root == NULL)
        return NULL;
    proofs *p = proofs_new(json_word(root, "namespace"), json_object_get(root, "runs") != NULL);
    const json_t *cells = json_object_get(root, "cells");
    bool good = p->name_space[0] != '\0' && json_is_array(cells);
    if (!good)
        say_error("%s: it has no namespace or no cells", path);
    good = good && read_runs(path, root, p);
    for (size_t i = 0; good && i < json_array_size(cells); i++)
        good = read_row(path, i, json_array_get(cells, i), p);
    json_decref(root);
    if (good)
        return p;
    proofs_free(p);
    return NULL;
}
