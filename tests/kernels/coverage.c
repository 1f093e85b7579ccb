/* SPDX-License-Identifier: Apache-2.0 */
#include "coverage.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "parity.h"
#include "testbed.h"

static parity running; /* at file scope so that the handler can say what was at work */

/* ---- a fault inside a kernel --------------------------------------------------------------------------------------
 */

static void say(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

/* A fault is most often a guard page: name the cell and the case, then die of it. */
static void on_fault(int signal_number)
{
    say("fault (a read or write outside of an array?): ");
    say(running.cell != NULL ? running.cell : "");
    say(": ");
    say(running.now);
    say("\n");
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

/* ---- the cells ----------------------------------------------------------------------------------------------------
 */

static int add_cell(const rung_cell *cell, void *user)
{
    coverage *c = user;
    char place[96];
    (void)snprintf(place, sizeof place, "%s/%s", cell->device, cell->arch);
    if (c->only != NULL && strcmp(c->only, place) != 0)
        return 0;
    if (c->count == COVERAGE_CELLS)
        return 1;
    coverage_cell *to = &c->cells[c->count++];
    to->cell = *cell;
    (void)snprintf(to->name, sizeof to->name, "%s on %s/%s%s%s", cell->op, cell->device, cell->arch,
                   strcmp(cell->variant, "default") == 0 ? "" : ", ",
                   strcmp(cell->variant, "default") == 0 ? "" : cell->variant);
    return 0;
}

bool coverage_load(coverage *c)
{
    c->count = 0;
    return rung_matrix(&rk_registry, NULL, add_cell, c) == RUNG_OK && c->count < COVERAGE_CELLS;
}

static bool same_cell(const rung_cell *a, const rung_cell *b)
{
    return strcmp(a->op, b->op) == 0 && strcmp(a->device, b->device) == 0 && strcmp(a->arch, b->arch) == 0 &&
           strcmp(a->variant, b->variant) == 0;
}

static int find_cell(const rung_cell *cell, void *user)
{
    rung_cell *wanted = user;
    if (!same_cell(cell, wanted))
        return 0;
    *wanted = *cell;
    return 1;
}

/* Why `cell` is not called on this platform; REASON_NONE when it could be. */
static rung_cell seen_by(const rung_platform *platform, const rung_cell *cell)
{
    rung_cell seen = *cell;
    rung_matrix(&rk_registry, platform, find_cell, &seen);
    return seen;
}

static coverage_state unproven(coverage_cell *at, const char *why, const char *detail)
{
    (void)snprintf(at->why, sizeof at->why, "%s%s%.200s", why, detail[0] != '\0' ? ": " : "", detail);
    return COVERAGE_UNPROVEN;
}

static coverage_state missed(coverage_cell *at, const char *why)
{
    (void)snprintf(at->why, sizeof at->why, "%s", why);
    return COVERAGE_MISSED;
}

/* ---- one cell -----------------------------------------------------------------------------------------------------
 */

/* Whether its device reaches the memory of the host: kernels of others get their arrays through buffers. */
static bool is_on_host(const coverage_cell *at)
{
    return strcmp(at->cell.device, "cpu") == 0 || strcmp(at->cell.device, "accel") == 0;
}

static coverage_state run_test(coverage_cell *at, const op_test *test, const rung_ctx *candidate)
{
    rung_platform *reference = NULL;
    rung_error err;
    if (rung_platform_open(&rk_registry, "cpu/generic", RUNG_OPEN_NO_ENV, &reference, &err) != RUNG_OK)
        return missed(at, err.text);
    rung_ctx cx = rung_ctx_of(reference);
    running = (parity){.reference = &cx,
                       .candidate = candidate,
                       .cell = at->name,
                       .rel = test->rel,
                       .abs = test->abs,
                       .random = 0x9e3779b97f4a7c15ULL,
                       .brief = !is_on_host(at)};
    test->run(&running);
    rung_platform_close(reference);
    (void)snprintf(at->why, sizeof at->why, "%lu checks, %lu failed", running.checks, running.failures);
    return running.checks > 0 && running.failures == 0 ? COVERAGE_PROVEN : COVERAGE_FAILED;
}

/* On a device with memory of its own: with the workspace that the cell declares. */
static coverage_state run_on_device(coverage_cell *at, const op_test *test, rung_ctx *candidate)
{
    rung_error err;
    candidate->memory = RUNG_MEMORY_DEVICE; /* call.h */
    if (rung_buffer_create(candidate->platform, at->cell.workspace, &candidate->workspace_buffer, &err) != RUNG_OK)
        return missed(at, err.text);
    coverage_state state = run_test(at, test, candidate);
    rung_buffer_destroy(candidate->workspace_buffer);
    return state;
}

/* Tests the cell on an open platform, if that is the cell that its calls reach. */
static coverage_state test_on(coverage_cell *at, rung_platform *platform)
{
    uint32_t op = rung_op_find(&rk_registry, at->cell.op);
    uint32_t variant = rung_variant_find(&rk_registry, at->cell.variant);
    rung_resolution resolution;
    rung_error err;
    (void)rung_warm(platform, NULL, &err); /* what does not load is told of the cell, below */
    if (rung_resolve(platform, op, variant, is_on_host(at) ? RUNG_MEMORY_HOST : RUNG_MEMORY_ANY, &resolution, &err) !=
            RUNG_OK ||
        !same_cell(&resolution.cell, &at->cell)) {
        rung_cell seen = seen_by(platform, &at->cell);
        if (seen.reason != RUNG_REASON_NONE)
            return unproven(at, rung_reason_text(seen.reason), seen.detail);
        return missed(at, "available, but not what a call on its own platform resolves to");
    }
    const op_test *test = op_test_find(at->cell.op, at->cell.variant);
    if (test == NULL)
        return missed(at, "its op has no test: add one to tests/kernels/parity.c");
    rung_ctx candidate = rung_ctx_of(platform);
    candidate.variant = variant;
    return is_on_host(at) ? run_test(at, test, &candidate) : run_on_device(at, test, &candidate);
}

static coverage_state test_cell(coverage_cell *at)
{
    if (at->cell.planned || !at->cell.built)
        return unproven(at, rung_reason_text(at->cell.reason), at->cell.detail);
    char chain[96];
    (void)snprintf(chain, sizeof chain, "%s/%s", at->cell.device, at->cell.arch);
    rung_platform *platform = NULL;
    rung_error err;
    rung_status status = testbed_open(chain, RUNG_OPEN_NO_ENV | RUNG_OPEN_EXPERIMENTAL, &platform, &err);
    if (status == RUNG_ERR_UNAVAILABLE)
        return unproven(at, err.text, "");
    if (status != RUNG_OK)
        return missed(at, err.text);
    coverage_state state = test_on(at, platform);
    rung_platform_close(platform);
    return state;
}

unsigned coverage_test_op(coverage *c, const char *op)
{
    unsigned bad = 0;
    (void)signal(SIGSEGV, on_fault);
    (void)signal(SIGBUS, on_fault);
    for (unsigned i = 0; i < c->count; i++) {
        coverage_cell *at = &c->cells[i];
        if (strcmp(at->cell.op, op) != 0)
            continue;
        at->state = test_cell(at);
        if (at->state == COVERAGE_FAILED || at->state == COVERAGE_MISSED)
            bad++;
    }
    return bad;
}

void coverage_print(const coverage *c)
{
    static const char *const states[] = {"unproven", "proven", "FAILED", "MISSED"};
    unsigned counts[4] = {0};
    for (unsigned i = 0; i < c->count; i++) {
        const coverage_cell *at = &c->cells[i];
        (void)printf("%-44s %-8s  %s\n", at->name, states[at->state], at->why);
        counts[at->state]++;
    }
    (void)printf("%u cells: %u proven on this machine, %u unproven, %u failed, %u missed\n", c->count,
                 counts[COVERAGE_PROVEN], counts[COVERAGE_UNPROVEN], counts[COVERAGE_FAILED], counts[COVERAGE_MISSED]);
}
