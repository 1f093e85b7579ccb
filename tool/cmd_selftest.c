/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_selftest.c: `rung selftest`: the proof of this registry's kernels on this machine, or the table of several.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "commands.h"
#include "describe.h"
#include "interrupt.h"
#include "json.h"
#include "machine.h"
#include "output.h"
#include "progress.h"
#include "proofs.h"
#include "rk/proof.h"
#include "rk/rk.h"
#include "say.h"
#include "selftest_options.h"
#include "staging.h"

/* ---- the cells that are tested ----------------------------------------------------------------------------------- */

typedef struct chosen {
    const selftest_options *options;
    patterns names;  /* of all that are chosen */
    proofs *results; /* gets a row for each */
} chosen;

static bool is_chosen(const selftest_options *o, const cell_key *key)
{
    return cli_named(o->word, o->words, key->op) && (o->only.count == 0 || patterns_fit(&o->only, key));
}

static int choose(const rung_cell *cell, void *user)
{
    chosen *c = user;
    cell_key key = {cell->op, cell->device, cell->arch, cell->variant};
    if (!is_chosen(c->options, &key))
        return 0;
    proof_row *row = proofs_add(c->results, &key);
    row->from = 0;
    row->how = c->options->emulated ? RUNG_PROOF_EMULATOR : RUNG_PROOF_NATIVE;
    /* Until the proof says otherwise: whatever it passes over has to be accounted for. */
    bool not_here = cell->reason == RUNG_REASON_PLANNED || cell->reason == RUNG_REASON_NOT_BUILT;
    row->state = not_here ? RUNG_PROOF_UNPROVEN : RUNG_PROOF_MISSED;
    char *why = not_here ? describe_reason(cell->reason, cell->detail) : say_format("it was not tested");
    proof_why(row, why);
    free(why);
    patterns_add(&c->names, cell_name(&key));
    return 0;
}

/* Every pattern has to fit something: one that does not is most likely a typing error. */
static bool all_fit(const char *option, const patterns *given, const proofs *p)
{
    for (size_t i = 0; i < given->count; i++) {
        bool fits = false;
        for (size_t r = 0; r < p->count && !fits; r++) {
            cell_key key = proof_key(&p->row[r]);
            fits = pattern_fits(given->text[i], &key);
        }
        if (!fits) {
            say_error("%s: no cell fits '%s'; 'rung matrix --build' lists them", option, given->text[i]);
            return false;
        }
    }
    return true;
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

static int on_result(const rung_proof_result *result, size_t done, size_t count, void *user)
{
    cell_key key = {result->cell.op, result->cell.device, result->cell.arch, result->cell.variant};
    proofs *p = user;
    proof_row *row = proofs_find(p, &key);
    if (done == 1)
        proofs_complete_run(p, result);
    char *name = cell_name(&key);
    progress_show("testing", (double)done / (double)count, name);
    free(name);
    if (row == NULL)
        return 0;
    row->state = result->state;
    row->how = result->how;
    row->cases = result->cases;
    row->checks = result->checks;
    row->failures = result->failures;
    row->examples = result->examples;
    row->worst = result->checks != 0 ? result->worst : -1;
    row->worst_wide = result->checks != 0 ? result->worst_wide : -1;
    row->registers = result->registers;
    row->quick = result->quick;
    proof_why(row, result->why);
    return 0;
}

/* Failed checks, on stderr, when no progress bar is in their way. */
static void tell_failures(FILE *failures)
{
    rewind(failures);
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, failures) > 0)
        say_to(stderr, "%.*s", (int)strcspn(line, "\n"), line);
    free(line);
    fclose(failures);
}

static bool run(const chosen *c)
{
    FILE *kept = tmpfile(); /* NULL: there is no place for one, and they are told at once */
    bool all = c->options->words == 0 && c->options->only.count == 0;
    const rung_proof_options options = {.only = c->names.text,
                                        .only_count = all ? 0 : c->names.count,
                                        .seed = c->options->seed,
                                        .how = c->options->emulated ? RUNG_PROOF_EMULATOR : RUNG_PROOF_NATIVE,
                                        .quick = c->options->quick,
                                        .failures = kept != NULL ? kept : stderr};
    rung_error err;
    progress_begin(!isatty(STDERR_FILENO));
    progress_show("testing", 0, "");
    rung_status status = rung_proof_run(&rk_proof, &options, on_result, c->results, &err);
    progress_end();
    if (kept != NULL)
        tell_failures(kept);
    if (status != RUNG_OK)
        say_error("%s", err.text);
    return status == RUNG_OK;
}

static proofs *test(const selftest_options *o, int *code)
{
    chosen c = {.options = o, .results = proofs_new(rung_registry_namespace(&rk_registry), false)};
    proofs_add_run(c.results, machine_json(), o->emulated ? RUNG_PROOF_EMULATOR : RUNG_PROOF_NATIVE, "0x0");
    rung_matrix(&rk_registry, NULL, choose, &c);
    bool good = all_fit("--only", &o->only, c.results) && all_fit("--require", &o->required, c.results);
    *code = good ? EXIT_JOB : EXIT_USAGE;
    if (good && c.results->count == 0) {
        say_error("no cell fits both the ops and --only; 'rung matrix --build' lists them");
        *code = EXIT_USAGE;
        good = false;
    }
    good = good && (o->output == NULL || output_begin(o->output, NULL, 0)) && run(&c);
    patterns_free(&c.names);
    if (good)
        return c.results;
    proofs_free(c.results);
    return NULL;
}

/* ---- merging ----------------------------------------------------------------------------------------------------- */

static bool same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* A cell of the registry that no machine has told of. */
static int add_untold(const rung_cell *cell, void *user)
{
    cell_key key = {cell->op, cell->device, cell->arch, cell->variant};
    if (proofs_find(user, &key) == NULL)
        proof_why(proofs_add(user, &key),
                  cell->reason == RUNG_REASON_PLANNED ? rung_reason_text(cell->reason) : "in none of the files");
    return 0;
}

static bool merge_file(const selftest_options *o, size_t i, proofs *all)
{
    const char *path = o->word[i];
    for (size_t j = 0; j < i; j++) {
        if (same_file(o->word[j], path)) {
            say_error("%s and %s are the same file", o->word[j], path);
            return false;
        }
    }
    proofs *one = proofs_read(path);
    bool good = one != NULL && (i == 0 || strcmp(one->name_space, all->name_space) == 0);
    if (good && i == 0) {
        free(all->name_space);
        all->name_space = say_format("%s", one->name_space);
    }
    if (good)
        proofs_merge(all, one);
    else if (one != NULL)
        say_error("%s is of registry '%s', and %s of '%s'", path, one->name_space, o->word[0], all->name_space);
    proofs_free(one);
    return good;
}

static proofs *merge(const selftest_options *o, int *code)
{
    *code = EXIT_JOB;
    proofs *all = proofs_new("", true);
    bool good = true;
    for (size_t i = 0; good && i < o->words; i++)
        good = merge_file(o, i, all);
    if (good && strcmp(all->name_space, rung_registry_namespace(&rk_registry)) == 0)
        rung_matrix(&rk_registry, NULL, add_untold, all);
    proofs_sort(all);
    if (good && !all_fit("--require", &o->required, all)) {
        *code = EXIT_USAGE;
        good = false;
    }
    if (good && (o->output == NULL || output_begin(o->output, o->word, o->words)))
        return all;
    proofs_free(all);
    return NULL;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

static int tell(const selftest_options *o, const proofs *p)
{
    json_t *root = proofs_json(p);
    bool written = o->output == NULL || output_commit(root);
    if (o->json)
        written = json_write(root, stdout) == 0 && written;
    else
        proofs_print(p, stdout);
    json_decref(root);
    bool good = proofs_require(p, &o->required) && proofs_good(p);
    return written && good ? EXIT_OK : EXIT_JOB;
}

int cmd_selftest(int argc, char **argv)
{
    selftest_options o;
    int code = selftest_options_parse(argc, argv, &o);
    if (code == CLI_GO) {
        interrupt_install();
        proofs *p = o.merge ? merge(&o, &code) : test(&o, &code);
        if (p != NULL)
            code = tell(&o, p);
        proofs_free(p);
        staging_discard();
    }
    selftest_options_free(&o);
    return code;
}
