/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/cell.h"

#include <string.h>

#include "proof/cases.h"
#include "proof/guard.h"
#include "proof/registers.h"
#include "proof/stand.h"

typedef struct work {
    const rung_proof *proof;
    const rung_proof_op *op;
    const rung_cell *cell;
    const rung_proof_options *options;
    proof_journal *journal;
} work;

static bool same_cell(const rung_cell *a, const rung_cell *b)
{
    return strcmp(a->op, b->op) == 0 && strcmp(a->device, b->device) == 0 && strcmp(a->arch, b->arch) == 0 &&
           strcmp(a->variant, b->variant) == 0;
}

static rung_status open_platform(const work *w, const char *chain, unsigned flags, rung_platform **out, rung_error *err)
{
    rung_proof_open *open = w->options->open != NULL ? w->options->open : rung_platform_open;
    return open(w->proof->registry, chain, flags | RUNG_OPEN_NO_ENV, out, err);
}

/* The platform on which calls reach the cell. A device is called sm90, not sm90a, and it has sm90a's cells before its
 * own. */
static void chain_of(const rung_cell *cell, char *chain, size_t size)
{
    (void)snprintf(chain, size, "%s/%s", cell->device, cell->arch);
    char *last = chain + strlen(chain) - 1;
    if (strncmp(cell->arch, "sm", 2) == 0 && (*last == 'a' || *last == 'f'))
        *last = '\0';
}

/* ---- what is known of the cell ----------------------------------------------------------------------------------- */

typedef struct search {
    const rung_cell *wanted;
    rung_reason reason;
    char detail[160];
} search;

static int find_cell(const rung_cell *cell, void *user)
{
    search *s = user;
    if (!same_cell(cell, s->wanted))
        return 0;
    s->reason = cell->reason;
    (void)snprintf(s->detail, sizeof s->detail, "%s", cell->detail);
    return 1;
}

/* A platform that does not call the cell says why, or it should have called it. */
static void answer_not_called(const work *w, const rung_platform *platform)
{
    search s = {.wanted = w->cell};
    (void)rung_matrix(w->proof->registry, platform, find_cell, &s);
    if (s.reason == RUNG_REASON_NONE)
        rung_proof_answer(w->journal, RUNG_PROOF_MISSED,
                          "available, but not what a call on its own platform resolves to");
    else
        rung_proof_answer(w->journal, RUNG_PROOF_UNPROVEN, "%s%s%s", rung_reason_text(s.reason),
                          s.detail[0] != '\0' ? ": " : "", s.detail);
}

static bool resolves(const work *w, const rung_platform *platform, uint32_t variant, rung_memory memory)
{
    rung_resolution found;
    rung_error err;
    const uint32_t op = rung_op_find(w->proof->registry, w->cell->op);
    return rung_resolve(platform, op, variant, memory, &found, &err) == RUNG_OK && same_cell(&found.cell, w->cell);
}

static rung_proof_function *function_of(const work *w)
{
    for (unsigned i = 0; i < w->op->cell_count; i++) {
        const rung_proof_cell *c = &w->op->cells[i];
        if (strcmp(c->device, w->cell->device) == 0 && strcmp(c->arch, w->cell->arch) == 0 &&
            strcmp(c->variant, w->cell->variant) == 0)
            return c->function;
    }
    return NULL;
}

/* ---- its cases --------------------------------------------------------------------------------------------------- */

static void try_all(const work *w, proof_stand *s)
{
    rung_proof_stand_begin(s, w->cell->variant);
    rung_proof_cases(s);
    rung_proof_stand_end(s);
    rung_proof_guard_free();
    proof_journal *j = w->journal;
    j->at_work = false;
    if (j->failures > 0)
        j->state = RUNG_PROOF_FAILED;
    else if (j->no_memory)
        rung_proof_answer(j, RUNG_PROOF_MISSED, "no memory for its cases");
    else if (j->checks > 0)
        j->state = RUNG_PROOF_PASSED;
    else
        rung_proof_answer(j, RUNG_PROOF_MISSED, "no case has anything to check");
    j->done = true;
}

static void try_on(const work *w, rung_platform *platform, uint32_t variant, rung_platform *reference)
{
    const bool host = resolves(w, platform, variant, RUNG_MEMORY_HOST);
    if (!host && !resolves(w, platform, variant, RUNG_MEMORY_ANY)) {
        answer_not_called(w, platform);
        return;
    }
    proof_stand s = {.op = w->op,
                     .reference = rung_ctx_of(reference),
                     .candidate = rung_ctx_of(platform),
                     .launched = !host,
                     .function = host && rung_proof_registers_supported() ? function_of(w) : NULL,
                     .workspace = (size_t)w->cell->workspace,
                     .quick = w->options->quick,
                     .journal = w->journal,
                     .now = &w->journal->now};
    s.candidate.variant = variant;
    w->journal->launched = !host;
    rung_error err;
    if (!host && w->cell->workspace > 0 &&
        rung_buffer_create(platform, s.workspace, &s.candidate.workspace_buffer, &err) != RUNG_OK) {
        rung_proof_answer(w->journal, RUNG_PROOF_MISSED, "%s", err.text);
        return;
    }
    try_all(w, &s);
    rung_buffer_destroy(s.candidate.workspace_buffer);
}

static void try_with_reference(const work *w, rung_platform *platform)
{
    rung_error err;
    rung_platform *reference = NULL;
    const uint32_t op = rung_op_find(w->proof->registry, w->cell->op);
    rung_resolution found;
    if (open_platform(w, "cpu/generic", 0, &reference, &err) != RUNG_OK) {
        rung_proof_answer(w->journal, RUNG_PROOF_MISSED, "%s", err.text);
        return;
    }
    if (rung_resolve(reference, op, 0, RUNG_MEMORY_HOST, &found, &err) != RUNG_OK)
        rung_proof_answer(w->journal, RUNG_PROOF_MISSED, "no reference: %s", err.text);
    else
        try_on(w, platform, rung_variant_find(w->proof->registry, w->cell->variant), reference);
    rung_platform_close(reference);
}

void rung_proof_try_cell(const rung_proof *proof, const rung_proof_op *op, const rung_cell *cell,
                         const rung_proof_options *options, rung_proof_how how, proof_journal *journal)
{
    const work w = {proof, op, cell, options, journal};
    char chain[96];
    chain_of(cell, chain, sizeof chain);
#if defined(__x86_64__)
    rung_proof_guard_slack(how == RUNG_PROOF_EMULATOR ? 64 : 0);
#else
    (void)how;
#endif
    rung_platform *platform = NULL;
    rung_error err;
    /* without the experimental cells where one would be called in this one's place */
    const unsigned flags = cell->experimental ? (unsigned)RUNG_OPEN_EXPERIMENTAL : 0U;
    const rung_status status = open_platform(&w, chain, flags, &platform, &err);
    if (status != RUNG_OK) {
        rung_proof_answer(journal, status == RUNG_ERR_UNAVAILABLE ? RUNG_PROOF_UNPROVEN : RUNG_PROOF_MISSED, "%s",
                          err.text);
        return;
    }
    (void)rung_warm(platform, NULL, &err); /* what does not load is told of the cell */
    try_with_reference(&w, platform);
    rung_platform_close(platform);
}
