/* SPDX-License-Identifier: Apache-2.0 */
#include "seat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rung_status fail(rung_error *err, rung_status status, const char *what, const char *more)
{
    err->status = status;
    (void)snprintf(err->text, sizeof err->text, "%s%s%s", what, more[0] != '\0' ? ": " : "", more);
    return status;
}

/* ---- the platform ------------------------------------------------------------------------------------------------ */

typedef struct sought {
    const rung_cell *wanted;
    rung_cell found;
    bool there;
} sought;

static int seek(const rung_cell *cell, void *user)
{
    sought *s = user;
    if (cell->id != s->wanted->id)
        return 0;
    s->found = *cell;
    s->there = true;
    return 1;
}

static bool reaches(const rung_bench_seat *seat, rung_memory memory)
{
    rung_resolution r;
    const uint32_t op = rung_op_find(rung_platform_registry(seat->platform), seat->cell.op);
    return rung_resolve(seat->platform, op, seat->cx.variant, memory, &r, NULL) == RUNG_OK &&
           r.cell.id == seat->cell.id;
}

rung_status rung_bench_seat_check(const rung_bench_seat *seat, rung_error *err)
{
    if (reaches(seat, seat->buffers ? RUNG_MEMORY_ANY : RUNG_MEMORY_HOST))
        return RUNG_OK;
    sought s = {.wanted = &seat->cell};
    (void)rung_matrix(rung_platform_registry(seat->platform), seat->platform, seek, &s);
    if (s.there && s.found.reason != RUNG_REASON_NONE)
        return fail(err, RUNG_ERR_UNAVAILABLE, rung_reason_text(s.found.reason), s.found.detail);
    return fail(err, RUNG_ERR_UNAVAILABLE, "another cell is called in its place", "");
}

/* An arch that only some devices of a capability are made for, as sm90a, is none that a platform can be asked for: it
 * is reached on the device as it was detected. */
static rung_status open_platform(rung_bench_seat *seat, rung_proof_open *open, const rung_registry *registry,
                                 rung_error *err)
{
    char chain[256];
    const unsigned flags = RUNG_OPEN_NO_ENV | (seat->cell.experimental ? RUNG_OPEN_EXPERIMENTAL : 0);
    (void)snprintf(chain, sizeof chain, "%s/%s", seat->cell.device, seat->cell.arch);
    rung_status status = open(registry, chain, flags, &seat->platform, err);
    if (status == RUNG_ERR_SYNTAX || status == RUNG_ERR_UNKNOWN)
        status = open(registry, seat->cell.device, flags, &seat->platform, err);
    return status;
}

static rung_status open_workspace(rung_bench_seat *seat, rung_error *err)
{
    const uint32_t op = rung_op_find(rung_platform_registry(seat->platform), seat->cell.op);
    const uint64_t bytes =
        rung_workspace(seat->platform, op, seat->cx.variant, seat->buffers ? RUNG_MEMORY_ANY : RUNG_MEMORY_HOST);
    if (bytes == 0)
        return RUNG_OK;
    if (seat->buffers)
        return rung_buffer_create(seat->platform, (size_t)bytes, &seat->cx.workspace_buffer, err);
    seat->cx.workspace_size = ((size_t)bytes + 63) / 64 * 64;
    seat->cx.workspace = aligned_alloc(64, seat->cx.workspace_size);
    return seat->cx.workspace != NULL ? RUNG_OK : fail(err, RUNG_ERR_MEMORY, "out of memory for its workspace", "");
}

static rung_status open_rows(rung_bench_seat *seat, unsigned turns, rung_error *err)
{
    seat->rows = calloc(seat->op->bench_count, sizeof *seat->rows);
    double *seconds = calloc((size_t)seat->op->bench_count * turns, sizeof *seconds);
    if (seat->rows == NULL || seconds == NULL) {
        free(seconds);
        free(seat->rows);
        seat->rows = NULL;
        return fail(err, RUNG_ERR_MEMORY, "out of memory for results", "");
    }
    for (unsigned i = 0; i < seat->op->bench_count; i++)
        seat->rows[i].seconds = seconds + (size_t)i * turns;
    return RUNG_OK;
}

rung_status rung_bench_seat_open(rung_bench_seat *seat, const rung_proof *proof, const rung_proof_op *op,
                                 const rung_cell *cell, rung_proof_open *open, unsigned turns, rung_error *err)
{
    *seat = (rung_bench_seat){.op = op, .cell = *cell};
    if (cell->planned || !cell->built)
        return fail(err, RUNG_ERR_UNAVAILABLE, rung_reason_text(cell->reason), cell->detail);
    rung_status status = open_platform(seat, open, proof->registry, err);
    if (status != RUNG_OK)
        return status;
    seat->cx = rung_ctx_of(seat->platform);
    seat->cx.variant = rung_variant_find(proof->registry, cell->variant);
    seat->cx.threads = 1;
    seat->buffers = !reaches(seat, RUNG_MEMORY_HOST);
    if (seat->buffers)
        seat->cx.memory = RUNG_MEMORY_ANY;
    status = rung_bench_seat_check(seat, err);
    if (status == RUNG_OK && seat->buffers)
        status = rung_queue_create(seat->platform, &seat->cx.queue, err);
    if (status == RUNG_OK)
        status = open_workspace(seat, err);
    if (status == RUNG_OK)
        status = open_rows(seat, turns, err);
    if (status != RUNG_OK)
        rung_bench_seat_close(seat);
    return status;
}

void rung_bench_seat_close(rung_bench_seat *seat)
{
    rung_bench_seat_unload(seat);
    rung_buffer_destroy(seat->cx.workspace_buffer);
    free(seat->cx.workspace);
    rung_queue_destroy(seat->cx.queue);
    rung_platform_close(seat->platform);
    if (seat->rows != NULL)
        free(seat->rows[0].seconds);
    free(seat->rows);
    *seat = (rung_bench_seat){0};
}

/* ---- its arguments ----------------------------------------------------------------------------------------------- */

rung_status rung_bench_seat_load(rung_bench_seat *seat, const rung_bench_load *load, rung_error *err)
{
    memcpy(seat->values, load->values, sizeof seat->values);
    for (unsigned i = 0; seat->buffers && i < seat->op->arg_count; i++)
        if (seat->op->args[i].pointer)
            seat->values[i].buffer = NULL;
    for (unsigned i = 0; seat->buffers && i < seat->op->arg_count; i++) {
        if (!seat->op->args[i].pointer)
            continue;
        rung_status status = rung_buffer_create(seat->platform, load->bytes[i], &seat->values[i].buffer, err);
        if (status != RUNG_OK)
            return status;
        void *host = rung_buffer_host(seat->values[i].buffer);
        if (host == NULL)
            return fail(err, RUNG_ERR_MEMORY, "out of memory for its arrays", "");
        rung_bench_load_restore(load, i, host);
    }
    return RUNG_OK;
}

void rung_bench_seat_unload(rung_bench_seat *seat)
{
    for (unsigned i = 0; seat->buffers && i < seat->op->arg_count; i++)
        if (seat->op->args[i].pointer)
            rung_buffer_destroy(seat->values[i].buffer);
    memset(seat->values, 0, sizeof seat->values);
}

rung_status rung_bench_seat_restore(rung_bench_seat *seat, const rung_bench_load *load, rung_error *err)
{
    for (unsigned i = 0; i < seat->op->arg_count; i++) {
        if (load->kept[i] == NULL)
            continue;
        void *host = seat->buffers ? rung_buffer_host(seat->values[i].buffer) : seat->values[i].array;
        if (host == NULL)
            return fail(err, RUNG_ERR_DEVICE, "an array could not be brought back", "");
        rung_bench_load_restore(load, i, host);
    }
    return RUNG_OK;
}

rung_status rung_bench_seat_call(rung_bench_seat *seat, unsigned calls, rung_error *err)
{
    rung_proof_call *call = seat->buffers ? seat->op->call_buffers : seat->op->call;
    for (unsigned i = 0; i < calls; i++) {
        const rung_status status = call(&seat->cx, seat->values);
        if (status != RUNG_OK)
            return fail(err, status, "a call failed", rung_status_text(status));
    }
    return seat->buffers ? rung_queue_wait(seat->cx.queue, err) : RUNG_OK;
}
