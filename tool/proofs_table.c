/* SPDX-License-Identifier: Apache-2.0
 *
 * proofs_table.c: results for a person.
 */
#include <stdint.h>
#include <stdlib.h>

#include "json.h"
#include "machine_devices.h"
#include "proofs.h"
#include "say.h"
#include "table.h"

/* "0.31": an error as a part of what is allowed. */
static char *part_text(double part)
{
    return part < 0 ? say_format("-") : say_format("%.2g", part);
}

static char *count_text(unsigned long long count)
{
    return count == 0 ? say_format("-") : say_format("%llu", count);
}

static void print_row(table *t, const proof_row *row)
{
    char *place = say_format("%s/%s", row->device, row->arch), *checks = count_text(row->checks),
         *worst = part_text(row->checks != 0 ? row->worst : -1),
         *wide = part_text(row->checks != 0 ? row->worst_wide : -1), *outside = count_text(row->examples),
         *state = say_format("%s%s%s%s", rung_proof_state_text(row->state, row->how),
                             row->quick && row->state == RUNG_PROOF_PASSED ? ", quick" : "",
                             row->why[0] != '\0' ? ": " : "", row->why);
    const char *cells[] = {row->op, place, row->variant, checks, worst, wide, outside, state};
    table_row(t, cells);
    free(place);
    free(checks);
    free(worst);
    free(wide);
    free(outside);
    free(state);
}

/* Appends to a list of things, which is taken over. */
static char *listed(char *list, const char *text)
{
    char *longer = say_format("%s%s%s", list, list[0] != '\0' ? ", " : "", text);
    free(list);
    return longer;
}

static char *count_states(const proofs *p)
{
    static const struct {
        rung_proof_state state;
        rung_proof_how how;
    } kinds[] = {{RUNG_PROOF_PASSED, RUNG_PROOF_NATIVE},      {RUNG_PROOF_PASSED, RUNG_PROOF_EMULATOR},
                 {RUNG_PROOF_PASSED, RUNG_PROOF_FAKE_DRIVER}, {RUNG_PROOF_UNPROVEN, RUNG_PROOF_NATIVE},
                 {RUNG_PROOF_FAILED, RUNG_PROOF_NATIVE},      {RUNG_PROOF_MISSED, RUNG_PROOF_NATIVE}};
    char *list = say_format("%s", "");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t n = 0;
        for (size_t i = 0; i < p->count; i++)
            n += p->row[i].state == kinds[k].state &&
                 (kinds[k].state != RUNG_PROOF_PASSED || p->row[i].how == kinds[k].how);
        if (n == 0)
            continue;
        char *text = say_format("%zu %s", n, rung_proof_state_text(kinds[k].state, kinds[k].how));
        list = listed(list, text);
        free(text);
    }
    return list;
}

/* How many of those that passed had the quick proof. */
static size_t count_quick(const proofs *p)
{
    size_t quick = 0;
    for (size_t i = 0; i < p->count; i++)
        quick += p->row[i].quick && p->row[i].state == RUNG_PROOF_PASSED;
    return quick;
}

/* "cpu/x86-64-v4 (3), cuda/sm90a (2)": where rows are not proven, and how many. "" where there are none. Free it. */
static char *unproven_places(const proofs *p)
{
    json_t *places = json_object(); /* in the order of their first rows */
    for (size_t i = 0; i < p->count; i++) {
        if (p->row[i].state != RUNG_PROOF_UNPROVEN)
            continue;
        cell_key key = proof_key(&p->row[i]);
        char *place = cell_place(&key);
        json_int_t n = json_integer_value(json_object_get(places, place));
        json_put(places, place, json_integer(n + 1));
        free(place);
    }
    char *list = say_format("%s", "");
    const char *place;
    json_t *n;
    json_object_foreach(places, place, n)
    {
        char *text = say_format("%s (%lld)", place, (long long)json_integer_value(n));
        list = listed(list, text);
        free(text);
    }
    json_decref(places);
    return list;
}

void proofs_print(const proofs *p, FILE *to)
{
    static const char *const heads[] = {"op", "cell", "variant", "checks", "worst", "wide", "outside", "state"};
    table *t = table_new(8, heads);
    for (size_t i = 0; i < p->count; i++)
        print_row(t, &p->row[i]);
    table_end(t, to, 0);
    char *states = count_states(p), *places = unproven_places(p);
    fprintf(to, "\n%zu cell%s: %s\n", p->count, p->count == 1 ? "" : "s", states);
    if (count_quick(p) != 0)
        fprintf(to, "passed quickly: %zu\n", count_quick(p));
    if (places[0] != '\0')
        fprintf(to, "unproven: %s\n", places);
    free(states);
    free(places);
    for (size_t i = 0; i < json_array_size(p->runs); i++) {
        const json_t *run = json_array_get(p->runs, i), *machine = json_object_get(run, "machine");
        char *devices = machine_devices_text(machine);
        say_to(to, "run on %s (%s)%s, %s: %s, seed %s", json_word(machine, "processor"), json_word(machine, "level"),
               devices, json_word(machine, "system"), json_word(run, "how"), json_word(run, "seed"));
        free(devices);
    }
}

bool proofs_good(const proofs *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->row[i].state == RUNG_PROOF_FAILED || p->row[i].state == RUNG_PROOF_MISSED)
            return false;
    return true;
}

static bool require_one(const proofs *p, const char *pattern)
{
    size_t fit = 0, short_of = 0;
    const proof_row *first = NULL;
    for (size_t i = 0; i < p->count; i++) {
        cell_key key = proof_key(&p->row[i]);
        if (!pattern_fits(pattern, &key))
            continue;
        fit++;
        if (p->row[i].state == RUNG_PROOF_PASSED)
            continue;
        short_of++;
        if (first == NULL)
            first = &p->row[i];
    }
    if (first == NULL)
        return true;
    cell_key key = proof_key(first);
    char *name = cell_name(&key);
    say_error("--require '%s': %zu of %zu cells did not pass, the first being %s: %s%s%s", pattern, short_of, fit, name,
              rung_proof_state_text(first->state, RUNG_PROOF_NATIVE), first->why[0] != '\0' ? ": " : "", first->why);
    free(name);
    return false;
}

bool proofs_require(const proofs *p, const patterns *required)
{
    bool good = true;
    for (size_t i = 0; i < required->count; i++)
        good = require_one(p, required->text[i]) && good;
    return good;
}
