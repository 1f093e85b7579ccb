/* SPDX-License-Identifier: Apache-2.0
 *
 * run.c: all cells, one after the other.
 */
#include <stdlib.h>
#include <string.h>

#include "proof/child.h"
#include "proof/choose.h"
#include "proof/emulator.h"

static const uint64_t usual_seed = 0x9e3779b97f4a7c15ULL;

const char *rung_proof_state_text(rung_proof_state state, rung_proof_how how)
{
    switch (state) {
    case RUNG_PROOF_PASSED:
        return how == RUNG_PROOF_NATIVE     ? "passed"
               : how == RUNG_PROOF_EMULATOR ? "passed under an emulator"
                                            : "passed on the fake driver";
    case RUNG_PROOF_FAILED:
        return "failed";
    case RUNG_PROOF_MISSED:
        return "missed";
    default:
        return "unproven";
    }
}

const char *rung_proof_how_text(rung_proof_how how)
{
    static const char *const texts[] = {
        [RUNG_PROOF_NATIVE] = "native", [RUNG_PROOF_EMULATOR] = "emulator", [RUNG_PROOF_FAKE_DRIVER] = "fake driver"};
    return texts[how];
}

/* ---- which cells ------------------------------------------------------------------------------------------------- */

typedef struct chosen {
    const rung_proof_options *options;
    bool *fits; /* of each pattern: whether a cell fits it */
    rung_cell *cells;
    size_t count, room;
    bool no_memory;
} chosen;

static int add_cell(const rung_cell *cell, void *user)
{
    chosen *c = user;
    if (!rung_proof_is_chosen(c->options->only, c->options->only_count, c->fits, cell))
        return 0;
    if (c->count == c->room) {
        const size_t room = 2 * c->room + 64;
        rung_cell *cells = realloc(c->cells, room * sizeof *cells);
        if (cells == NULL) {
            c->no_memory = true;
            return 1;
        }
        c->cells = cells;
        c->room = room;
    }
    c->cells[c->count++] = *cell;
    return 0;
}

static rung_status fail(rung_error *err, rung_status status, const char *text, const char *name)
{
    if (err != NULL) {
        err->status = status;
        (void)snprintf(err->text, sizeof err->text, "%s%s%s%s", text, name != NULL ? ": \"" : "",
                       name != NULL ? name : "", name != NULL ? "\"" : "");
    }
    return status;
}

static rung_status choose(const rung_proof *proof, chosen *c, rung_error *err)
{
    c->fits = calloc(c->options->only_count + 1, sizeof *c->fits);
    if (c->fits == NULL)
        return fail(err, RUNG_ERR_MEMORY, "out of memory", NULL);
    const rung_status status = rung_matrix(proof->registry, NULL, add_cell, c);
    if (status != RUNG_OK)
        return fail(err, status, "the registry's tables are of another version", NULL);
    if (c->no_memory)
        return fail(err, RUNG_ERR_MEMORY, "out of memory", NULL);
    for (size_t i = 0; i < c->options->only_count; i++)
        if (!c->fits[i])
            return fail(err, RUNG_ERR_ARGUMENT, "no cell fits", c->options->only[i]);
    return RUNG_OK;
}

/* ---- one cell ---------------------------------------------------------------------------------------------------- */

static void prove(const rung_proof *proof, const rung_cell *cell, const rung_proof_options *options,
                  rung_proof_how host_how, proof_journal *j)
{
    char name[PROOF_NAME];
    rung_proof_cell_name(cell, name);
    memset(j, 0, sizeof *j);
    j->op = rung_proof_op_find(proof, cell->op);
    j->cell = name;
    j->seed = options->seed != 0 ? options->seed : usual_seed;
    j->worst_wide = -1.0;
    if (cell->planned || !cell->built)
        rung_proof_answer(j, RUNG_PROOF_UNPROVEN, "%s%s%s", rung_reason_text(cell->reason),
                          cell->detail[0] != '\0' ? ": " : "", cell->detail);
    else if (j->op == NULL)
        rung_proof_answer(j, RUNG_PROOF_MISSED, "its op has no tolerance, or more than 32 arguments or 8 sizes");
    else
        rung_proof_in_child(proof, j->op, cell, options, host_how, j);
    for (unsigned i = 0; i < j->lines && options->failures != NULL; i++)
        (void)fprintf(options->failures, "%s\n", j->line[i]);
}

static rung_proof_result result_of(const rung_cell *cell, const proof_journal *j, rung_proof_how how, bool quick)
{
    rung_proof_result r = {.cell = *cell,
                           .state = j->state,
                           .how = how,
                           .cases = j->cases,
                           .checks = j->checks,
                           .failures = j->failures,
                           .worst = j->worst,
                           .worst_wide = j->worst_wide,
                           .examples = j->examples,
                           .registers = j->registers,
                           .quick = quick,
                           .seed = j->seed};
    memcpy(r.why, j->why, sizeof r.why);
    return r;
}

static rung_status prove_all(const rung_proof *proof, const rung_proof_options *options, const chosen *c,
                             rung_proof_report *report, void *user, rung_error *err)
{
    proof_journal *j = malloc(sizeof *j);
    if (j == NULL)
        return fail(err, RUNG_ERR_MEMORY, "out of memory", NULL);
    /* the imitated driver is not what runs the processor's own cells */
    const rung_proof_how host_how = rung_proof_is_emulated()                 ? RUNG_PROOF_EMULATOR
                                    : options->how == RUNG_PROOF_FAKE_DRIVER ? RUNG_PROOF_NATIVE
                                                                             : options->how;
    for (size_t i = 0; i < c->count; i++) {
        prove(proof, &c->cells[i], options, host_how, j);
        const rung_proof_how how =
            j->launched && options->how == RUNG_PROOF_FAKE_DRIVER ? RUNG_PROOF_FAKE_DRIVER : host_how;
        const rung_proof_result result = result_of(&c->cells[i], j, how, options->quick);
        if (report != NULL && report(&result, i + 1, c->count, user) != 0)
            break;
    }
    free(j);
    return RUNG_OK;
}

rung_status rung_proof_run(const rung_proof *proof, const rung_proof_options *options, rung_proof_report *report,
                           void *user, rung_error *err)
{
    static const rung_proof_options usual;
    if (proof == NULL || proof->abi != RUNG_PROOF_ABI)
        return fail(err, RUNG_ERR_ARGUMENT, "the proof was generated for another version of Rung", NULL);
    chosen c = {.options = options != NULL ? options : &usual};
    rung_status status = choose(proof, &c, err);
    if (status == RUNG_OK)
        status = prove_all(proof, c.options, &c, report, user, err);
    free(c.fits);
    free(c.cells);
    return status;
}
