/* SPDX-License-Identifier: Apache-2.0
 *
 * tune_measure.c: which kernels have a rival, and their proofs and times on this machine.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_measure.h"
#include "cli.h"
#include "json.h"
#include "machine.h"
#include "progress.h"
#include "rk/proof.h"
#include "rk/rk.h"
#include "say.h"
#include "tune.h"

/* ---- the kernels at stake ---------------------------------------------------------------------------------------- */

/* The parts of "op device/arch/variant", without its arch. */
static bool are_rivals(const char *a, const char *b)
{
    size_t device = strcspn(a, "/");
    const char *variant_a = strrchr(a, '/'), *variant_b = strrchr(b, '/');
    return strncmp(a, b, device + 1) == 0 && variant_a != NULL && variant_b != NULL &&
           strcmp(variant_a, variant_b) == 0 && strcmp(a, b) != 0;
}

static void keep_those_with_rivals(patterns *all, patterns *out)
{
    for (size_t i = 0; i < all->count; i++) {
        bool has = false;
        for (size_t j = 0; j < all->count && !has; j++)
            has = are_rivals(all->text[i], all->text[j]);
        if (has)
            patterns_add(out, say_format("%s", all->text[i]));
    }
    patterns_free(all);
}

typedef struct stake {
    const char *const *op;
    size_t ops;
    patterns here;
} stake;

static int on_cell(const rung_cell *cell, void *user)
{
    stake *s = user;
    if (cli_named(s->op, s->ops, cell->op) && cell->reason == RUNG_REASON_NONE) {
        cell_key key = {cell->op, cell->device, cell->arch, cell->variant};
        patterns_add(&s->here, cell_name(&key));
    }
    return 0;
}

void tune_at_stake(const rung_platform *platform, const char *const *ops, size_t count, patterns *out)
{
    stake s = {ops, count, {0}};
    rung_matrix(&rk_registry, platform, on_cell, &s);
    keep_those_with_rivals(&s.here, out);
}

void tune_measured(const bench_file *bench, patterns *out)
{
    patterns all = {0};
    for (size_t i = 0; i < bench->count; i++) {
        const bench_row *row = &bench->row[i];
        cell_key key = {row->op, row->device, row->arch, row->variant};
        if (!patterns_fit(&all, &key))
            patterns_add(&all, cell_name(&key));
    }
    keep_those_with_rivals(&all, out);
}

void tune_still_at_stake(const patterns *all, const proofs *proven, patterns *out)
{
    patterns left = {0};
    for (size_t i = 0; i < proven->count; i++) {
        const proof_row *row = &proven->row[i];
        cell_key key = proof_key(row);
        if (row->state == RUNG_PROOF_PASSED && row->how == RUNG_PROOF_NATIVE && patterns_fit(all, &key))
            patterns_add(&left, cell_name(&key));
    }
    keep_those_with_rivals(&left, out);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static int on_proof(const rung_proof_result *result, size_t done, size_t count, void *user)
{
    cell_key key = {result->cell.op, result->cell.device, result->cell.arch, result->cell.variant};
    proof_row *row = proofs_add(user, &key);
    if (done == 1)
        proofs_complete_run(user, result);
    row->state = result->state;
    row->how = result->how;
    row->from = 0;
    proof_why(row, result->why);
    char *name = cell_name(&key);
    progress_show("testing", (double)done / (double)count, name);
    free(name);
    return 0;
}

proofs *tune_prove(const patterns *only)
{
    proofs *found = proofs_new(rung_registry_namespace(&rk_registry), false);
    proofs_add_run(found, machine_json(), RUNG_PROOF_NATIVE, "0x0");
    if (only->count == 0) /* no patterns would be all kernels */
        return found;
    const rung_proof_options options = {.only = only->text, .only_count = only->count};
    rung_error err;
    progress_begin(!isatty(STDERR_FILENO));
    rung_status status = rung_proof_run(&rk_proof, &options, on_proof, found, &err);
    progress_end();
    if (status == RUNG_OK)
        return found;
    say_error("%s", err.text);
    proofs_free(found);
    return NULL;
}

/* As a file would be that has no results. */
static json_t *nothing_measured(void)
{
    json_t *root = json_object();
    json_put(root, "machine", machine_json());
    json_put(root, "roof", json_null());
    json_put(root, "results", json_array());
    return root;
}

bool tune_time(const patterns *only, bench_file *out)
{
    if (only->count == 0)
        return bench_file_take(nothing_measured(), "this run", out);
    const bench_options options = {.only = *only, .no_roof = true};
    return bench_measure(&options, out) == CLI_GO;
}
