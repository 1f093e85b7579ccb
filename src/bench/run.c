/* SPDX-License-Identifier: Apache-2.0
 *
 * run.c: every cell that the options choose, op by op and size by size, in several passes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ceiling.h"
#include "clock.h"
#include "proof/choose.h"
#include "roof.h"
#include "rung/bench.h"
#include "samples.h"
#include "turns.h"

typedef struct job {
    const rung_proof *proof;
    const rung_bench_options *options;
    rung_bench_report *report;
    rung_bench_left_out *left_out;
    void *user;
    unsigned turns;
    double seconds;         /* of a turn, at least */
    rung_bench_seat *seats; /* in the order of rung_matrix: those of an op one after another */
    size_t count, room, done, all;
    bool *fitted; /* of each pattern: whether it chose a cell */
    rung_status status;
} job;

static void leave_out(const job *j, const rung_cell *cell, const char *why)
{
    if (j->left_out != NULL)
        j->left_out(cell, why, j->user);
}

/* ---- which cells ------------------------------------------------------------------------------------------------- */

static int add_cell(const rung_cell *cell, void *user)
{
    job *j = user;
    if (!rung_proof_is_chosen(j->options->only, j->options->only_count, j->fitted, cell))
        return 0;
    const rung_proof_op *op = rung_proof_op_find(j->proof, cell->op);
    if (op == NULL || op->bench_count == 0) {
        leave_out(j, cell, op == NULL ? "its op has no tolerance" : "the registry names no sizes to time its op at");
        return 0;
    }
    if (j->count == j->room) {
        const size_t room = j->room != 0 ? 2 * j->room : 64;
        rung_bench_seat *seats = realloc(j->seats, room * sizeof *seats);
        if (seats == NULL) {
            j->status = RUNG_ERR_MEMORY;
            return 1;
        }
        j->seats = seats;
        j->room = room;
    }
    rung_error why;
    rung_proof_open *open = j->options->open != NULL ? j->options->open : rung_platform_open;
    rung_bench_seat *seat = &j->seats[j->count];
    if (rung_bench_seat_open(seat, j->proof, op, cell, open, j->turns, &why) != RUNG_OK) {
        leave_out(j, cell, why.text);
        return 0;
    }
    j->count++;
    j->all += op->bench_count;
    return 0;
}

/* ---- timing ------------------------------------------------------------------------------------------------------ */

static void failed(const rung_bench_seat *seat, const char *why, void *user)
{
    leave_out(user, &seat->cell, why);
}

static rung_bench_result result_of(const job *j, const rung_bench_seat *seat, unsigned row)
{
    const rung_proof_op *op = seat->op;
    const size_t *sizes = op->bench + (size_t)row * op->dim_count;
    rung_bench_result result = {.op = op, .cell = seat->cell, .turns = j->turns, .calls = seat->rows[row].calls};
    rung_value values[RUNG_PROOF_ARGS_MAX];
    memset(values, 0, sizeof values);
    for (unsigned i = 0; i < op->dim_count; i++) {
        result.sizes[i] = sizes[i];
        values[op->dims[i]].size = sizes[i];
    }
    const rung_bench_spread spread = rung_bench_spread_of(seat->rows[row].seconds, j->turns);
    result.median = spread.median;
    result.low = spread.low;
    result.high = spread.high;
    result.flops = op->flops != NULL ? op->flops(values) : 0.0;
    if (!isfinite(result.flops)) /* divided by a size that is 0 */
        result.flops = 0.0;
    result.bytes = rung_bench_bytes(op, values);
    if (j->options->roof != NULL && strcmp(seat->cell.device, "cpu") == 0)
        rung_bench_ceiling(&result, j->options->roof);
    return result;
}

/* Some turns of all cells of an op. */
static void time_row(job *j, rung_bench_seat *seats, size_t count, unsigned row, unsigned from, unsigned to)
{
    const rung_bench_turns turns = {.seats = seats,
                                    .count = count,
                                    .row = row,
                                    .from = from,
                                    .to = to,
                                    .seconds = j->seconds,
                                    .seed = j->options->seed,
                                    .failed = failed,
                                    .user = j};
    const rung_status status = rung_bench_turns_run(&turns);
    for (size_t i = 0; status != RUNG_OK && i < count; i++) {
        if (from == 0 || seats[i].rows[row].calls != 0)
            leave_out(j, &seats[i].cell, rung_status_text(status));
        seats[i].rows[row].calls = 0;
    }
}

/* Whether to go on. */
static bool report_row(job *j, const rung_bench_seat *seats, size_t count, unsigned row)
{
    for (size_t i = 0; i < count; i++) {
        j->done++;
        if (seats[i].rows[row].calls == 0)
            continue;
        const rung_bench_result result = result_of(j, &seats[i], row);
        if (j->report(&result, j->done, j->all, j->user) != 0)
            return false;
    }
    return true;
}

/* So many turns of everything. Whether to go on. */
static bool pass(job *j, unsigned from, unsigned to)
{
    size_t rows = 0;
    for (size_t first = 0, end; first < j->count; first = end) {
        const rung_proof_op *op = j->seats[first].op;
        for (end = first; end < j->count && j->seats[end].op == op;)
            end++;
        for (unsigned row = 0; row < op->bench_count; row++) {
            time_row(j, j->seats + first, end - first, row, from, to);
            if (to == j->turns && !report_row(j, j->seats + first, end - first, row))
                return false;
            rows += end - first;
            const double part = (from + (to - from) * (double)rows / (double)j->all) / j->turns;
            if (j->options->progress != NULL && j->options->progress(part, op->name, j->user) != 0)
                return false;
        }
    }
    return true;
}

/* What a shared machine has to give changes within seconds, by more than turns that follow each other show. So the
 * turns of every cell are spread over the whole run. */
static void time_all(job *j)
{
    enum { PASSES = 8 };
    const double clock = 1000.0 * rung_bench_clock_step();
    j->seconds = fmax(j->options->seconds > 0.0 ? j->options->seconds : 0.002, clock);
    rung_bench_warm();
    unsigned from = 0;
    for (unsigned i = 1; i <= PASSES; i++) {
        const unsigned to = (unsigned)((uint64_t)j->turns * i / PASSES);
        if (to > from && !pass(j, from, to))
            return;
        from = to;
    }
}

static rung_status run(job *j, rung_error *err)
{
    (void)rung_matrix(j->proof->registry, NULL, add_cell, j);
    for (size_t i = 0; j->status == RUNG_OK && i < j->options->only_count; i++) {
        if (!j->fitted[i]) {
            (void)snprintf(err->text, sizeof err->text, "no cell fits \"%.200s\"", j->options->only[i]);
            return RUNG_ERR_ARGUMENT;
        }
    }
    if (j->status == RUNG_OK)
        time_all(j);
    else
        (void)snprintf(err->text, sizeof err->text, "%s", rung_status_text(j->status));
    return j->status;
}

rung_status rung_bench_run(const rung_proof *proof, const rung_bench_options *options, rung_bench_report *report,
                           rung_bench_left_out *left_out, void *user, rung_error *err)
{
    static const rung_bench_options none = {0};
    rung_error unused;
    err = err != NULL ? err : &unused;
    if (proof == NULL || report == NULL || proof->abi != RUNG_PROOF_ABI) {
        *err = (rung_error){RUNG_ERR_ARGUMENT, "bad argument: no proof, no report, or a proof of another version"};
        return RUNG_ERR_ARGUMENT;
    }
    options = options != NULL ? options : &none;
    job j = {.proof = proof,
             .options = options,
             .report = report,
             .left_out = left_out,
             .user = user,
             .turns = options->turns != 0 ? options->turns : 31};
    j.fitted = calloc(options->only_count + 1, sizeof *j.fitted);
    rung_status status = RUNG_ERR_MEMORY;
    if (j.fitted != NULL)
        status = run(&j, err);
    else
        (void)snprintf(err->text, sizeof err->text, "%s", rung_status_text(status));
    err->status = status;
    for (size_t i = 0; i < j.count; i++)
        rung_bench_seat_close(&j.seats[i]);
    free(j.seats);
    free(j.fitted);
    return status;
}
