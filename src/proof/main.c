/* SPDX-License-Identifier: Apache-2.0
 *
 * main.c: the proof as a command.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proof/choose.h"
#include "proof/command.h"
#include "proof/emulator.h"
#include "proof/json.h"
#include "proof/whole_file.h"

typedef struct run {
    const char *program;
    const proof_command *command;
    rung_proof_result *results;
    size_t count;
    bool no_memory;
    whole_file file; /* of --json */
} run;

/* ---- a table ----------------------------------------------------------------------------------------------------- */

static void print_row(const rung_proof_result *r)
{
    char name[PROOF_NAME], state[48], wide[32] = "";
    rung_proof_cell_name(&r->cell, name);
    (void)snprintf(state, sizeof state, "%s%s", rung_proof_state_text(r->state, r->how),
                   r->quick && r->state == RUNG_PROOF_PASSED ? ", quick" : "");
    (void)printf("%-40s %-24s ", name, state);
    if (r->state != RUNG_PROOF_PASSED) {
        (void)printf("%s\n", r->why);
        return;
    }
    if (r->worst_wide >= 0.0)
        (void)snprintf(wide, sizeof wide, ", %.2g of rounding", r->worst_wide);
    (void)printf("%lu cases, %.2g of the tolerance%s, %u from outside%s\n", r->cases, r->worst, wide, r->examples,
                 r->registers ? ", registers" : "");
}

static int add_result(const rung_proof_result *result, size_t done, size_t count, void *user)
{
    run *r = user;
    if (r->results == NULL)
        r->results = calloc(count, sizeof *r->results);
    r->no_memory = r->results == NULL;
    if (r->no_memory)
        return 1;
    r->results[done - 1] = *result;
    r->count = done;
    print_row(result);
    (void)fflush(stdout);
    return 0;
}

static size_t count_state(const run *r, rung_proof_state state, rung_proof_how how)
{
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++)
        count += r->results[i].state == state && (state != RUNG_PROOF_PASSED || r->results[i].how == how);
    return count;
}

static void print_counts(const run *r)
{
    (void)printf("%zu cell%s: %zu passed natively, %zu passed under an emulator, %zu passed on the fake driver, "
                 "%zu unproven, %zu failed, %zu missed\n",
                 r->count, r->count == 1 ? "" : "s", count_state(r, RUNG_PROOF_PASSED, RUNG_PROOF_NATIVE),
                 count_state(r, RUNG_PROOF_PASSED, RUNG_PROOF_EMULATOR),
                 count_state(r, RUNG_PROOF_PASSED, RUNG_PROOF_FAKE_DRIVER),
                 count_state(r, RUNG_PROOF_UNPROVEN, RUNG_PROOF_NATIVE),
                 count_state(r, RUNG_PROOF_FAILED, RUNG_PROOF_NATIVE),
                 count_state(r, RUNG_PROOF_MISSED, RUNG_PROOF_NATIVE));
}

/* ---- what is required -------------------------------------------------------------------------------------------- */

/* False, and a line for each that is not: cells that were required have passed. A pattern that no cell fits is not
 * met. */
static bool is_met(const run *r, const char *pattern)
{
    bool any = false, met = true;
    for (size_t i = 0; i < r->count; i++) {
        const rung_proof_result *at = &r->results[i];
        if (!rung_proof_pattern_fits(pattern, &at->cell))
            continue;
        any = true;
        if (at->state == RUNG_PROOF_PASSED)
            continue;
        char name[PROOF_NAME];
        rung_proof_cell_name(&at->cell, name);
        (void)fprintf(stderr, "%s: required, and %s: %s: %s\n", r->program, rung_proof_state_text(at->state, at->how),
                      name, at->why);
        met = false;
    }
    if (!any)
        (void)fprintf(stderr, "%s: required, and no cell of this run fits: \"%s\"\n", r->program, pattern);
    return any && met;
}

/* ---- a file ------------------------------------------------------------------------------------------------------ */

static void complain(const run *r)
{
    const char *why = errno == EINVAL  ? "it is neither a file nor new"
                      : errno == EBUSY ? "it is where standard output goes"
                                       : strerror(errno);
    (void)fprintf(stderr, "%s: %s: %s\n", r->program, r->command->json, why);
}

static bool write_json(const run *r, const rung_proof *proof)
{
    const bool emulated = r->command->options.how == RUNG_PROOF_NATIVE && rung_proof_is_emulated();
    const rung_proof_how how = emulated ? RUNG_PROOF_EMULATOR : r->command->options.how;
    const uint64_t seed = r->count > 0 ? r->results[0].seed : r->command->options.seed;
    FILE *to = rung_whole_file_open(&r->file);
    const bool written =
        to != NULL &&
        rung_whole_file_close(&r->file, to, rung_proof_json_write(to, proof, how, seed, r->results, r->count));
    if (!written)
        complain(r);
    return written;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static int list_cell(const rung_cell *cell, void *user)
{
    const proof_command *c = user;
    char name[PROOF_NAME];
    rung_proof_cell_name(cell, name);
    if (rung_proof_is_chosen(c->options.only, c->options.only_count, NULL, cell))
        (void)printf("%s\n", name);
    return 0;
}

static int finish(run *r, const rung_proof *proof)
{
    bool good = count_state(r, RUNG_PROOF_FAILED, RUNG_PROOF_NATIVE) == 0 &&
                count_state(r, RUNG_PROOF_MISSED, RUNG_PROOF_NATIVE) == 0;
    print_counts(r);
    for (size_t i = 0; i < r->command->require_count; i++)
        good = is_met(r, r->command->require[i]) && good;
    if (r->command->json != NULL)
        good = write_json(r, proof) && good;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        (void)fprintf(stderr, "%s: standard output: %s\n", r->program, strerror(errno));
        good = false;
    }
    return good ? 0 : 1;
}

static int prove(run *r, const rung_proof *proof, proof_command *command)
{
    rung_error err;
    if (command->json != NULL && !rung_whole_file_try(&r->file, command->json)) {
        complain(r);
        return 1;
    }
    command->options.failures = stderr;
    const rung_status status = rung_proof_run(proof, &command->options, add_result, r, &err);
    if (status == RUNG_OK && !r->no_memory)
        return finish(r, proof);
    (void)fprintf(stderr, "%s: %s\n", r->program, r->no_memory ? "out of memory" : err.text);
    return status == RUNG_ERR_ARGUMENT ? 2 : 1;
}

int rung_proof_main(const rung_proof *proof, int argc, char **argv)
{
    proof_command command;
    int answer = rung_proof_command_parse(argc, argv, &command);
    run r = {.program = argc > 0 ? argv[0] : "selftest", .command = &command};
    if (answer == PROOF_GO && command.list)
        answer = rung_matrix(proof->registry, NULL, list_cell, &command) == RUNG_OK && fflush(stdout) == 0 ? 0 : 1;
    else if (answer == PROOF_GO)
        answer = prove(&r, proof, &command);
    rung_whole_file_free(&r.file);
    free(r.results);
    rung_proof_command_free(&command);
    return answer;
}
