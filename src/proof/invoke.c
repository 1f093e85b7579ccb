/* SPDX-License-Identifier: Apache-2.0
 *
 * invoke.c: calls of the cell that is proven.
 */
#include "proof/invoke.h"

#include <string.h>

#include "proof/guard.h"
#include "proof/number.h"
#include "proof/registers.h"

enum {
    WORKSPACE_SLOT = RUNG_PROOF_ARGS_MAX,
    BOUNDARY = 64,
    PROTECTED = 16 /* of so many calls, one has inputs that cannot be written: to make them so takes the system time */
};

/* ---- the arrays -------------------------------------------------------------------------------------------------- */

/* Aligned, as a context's has to be; right before a page where it fills whole lines. It holds NaN, or what
 * the last call has left in it. */
static bool place_workspace(proof_stand *s)
{
    if (s->workspace == 0 || s->launched)
        return true;
    const int place = s->workspace % BOUNDARY == 0 && s->turn % 2 == 0 ? PROOF_AT_END : PROOF_AT_START;
    s->candidate.workspace = rung_proof_guard_place(WORKSPACE_SLOT, s->workspace, 1, place);
    s->candidate.workspace_size = s->workspace;
    if (s->candidate.workspace != NULL && s->turn / 2 % 2 == 0)
        memset(s->candidate.workspace, 0xff, s->workspace);
    return s->candidate.workspace != NULL;
}

bool rung_proof_place(proof_stand *s)
{
    const proof_case *c = s->now;
    bool placed = place_workspace(s);
    for (size_t i = 0; i < s->op->arg_count; i++) {
        s->at[i] = c->values[i];
        if (!s->op->args[i].pointer)
            continue;
        s->at[i] = (rung_value){.array = NULL};
        if (!proof_given(c, i) || c->same_as[i] != RUNG_PROOF_NO_ARG)
            continue;
        s->at[i].array = rung_proof_guard_place((unsigned)i, rung_proof_bytes_of(s, i),
                                                rung_proof_kind_size(rung_proof_kind_of(&s->op->args[i])), c->place[i]);
        placed = placed && s->at[i].array != NULL;
    }
    for (size_t i = 0; i < s->op->arg_count; i++)
        if (s->op->args[i].pointer && c->same_as[i] != RUNG_PROOF_NO_ARG)
            s->at[i].array = s->at[c->same_as[i]].array;
    if (!placed)
        s->journal->no_memory = true;
    else
        rung_proof_refill(s);
    return placed;
}

static bool is_own(const proof_stand *s, size_t arg)
{
    return s->op->args[arg].pointer && proof_given(s->now, arg) && s->now->same_as[arg] == RUNG_PROOF_NO_ARG;
}

void rung_proof_refill(proof_stand *s)
{
    for (size_t i = 0; i < s->op->arg_count; i++)
        if (is_own(s, i))
            memcpy(s->at[i].array, s->before[i].data, rung_proof_bytes_of(s, i));
}

static bool is_written_as_another(const proof_stand *s, size_t arg)
{
    for (size_t i = 0; i < s->op->arg_count; i++)
        if (proof_is_result(s, i) && s->now->same_as[i] == arg)
            return true;
    return false;
}

void rung_proof_check_memory(proof_stand *s)
{
    for (size_t i = 0; i < s->op->arg_count; i++) {
        if (!is_own(s, i))
            continue;
        s->journal->checks++;
        if (!rung_proof_guard_intact((unsigned)i))
            rung_proof_fail(s->journal, "memory around %s was written", s->op->args[i].name);
        if (proof_is_written(&s->op->args[i]) || is_written_as_another(s, i))
            continue;
        s->journal->checks++;
        if (memcmp(s->at[i].array, s->before[i].data, rung_proof_bytes_of(s, i)) != 0)
            rung_proof_fail(s->journal, "%s was written, which is only read", s->op->args[i].name);
    }
    if (!rung_proof_guard_intact(WORKSPACE_SLOT))
        rung_proof_fail(s->journal, "memory around the workspace was written");
}

/* ---- the call ---------------------------------------------------------------------------------------------------- */

typedef struct buffers {
    rung_buffer *whole[RUNG_PROOF_ARGS_MAX], *part[RUNG_PROOF_ARGS_MAX];
} buffers;

/* A part of a buffer that starts at a boundary: copies on devices then start as far from one as the array does. */
static rung_status wrap(proof_stand *s, buffers *b, size_t arg)
{
    unsigned char *array = s->at[arg].array;
    const size_t offset = (uintptr_t)array % BOUNDARY;
    rung_status status = rung_buffer_wrap(s->candidate.platform, array - offset, rung_proof_bytes_of(s, arg) + offset,
                                          &b->whole[arg], NULL);
    if (status == RUNG_OK)
        status = rung_buffer_slice(b->whole[arg], offset, rung_proof_bytes_of(s, arg), &b->part[arg], NULL);
    return status;
}

static rung_status call_buffers(proof_stand *s)
{
    buffers b = {0};
    rung_value values[RUNG_PROOF_ARGS_MAX];
    rung_status status = RUNG_OK;
    memcpy(values, s->now->values, sizeof values);
    for (size_t i = 0; i < s->op->arg_count && status == RUNG_OK; i++)
        if (is_own(s, i))
            status = wrap(s, &b, i);
    for (size_t i = 0; i < s->op->arg_count; i++)
        if (s->op->args[i].pointer)
            values[i] = (rung_value){.buffer = is_own(s, i)             ? b.part[i]
                                               : proof_given(s->now, i) ? b.part[s->now->same_as[i]]
                                                                        : NULL};
    if (status == RUNG_OK)
        status = s->op->call_buffers(&s->candidate, values);
    for (size_t i = 0; i < s->op->arg_count; i++) { /* brings back what was written */
        if (b.part[i] != NULL && rung_buffer_size(b.part[i]) > 0 && rung_buffer_host(b.part[i]) == NULL &&
            status == RUNG_OK)
            status = RUNG_ERR_DEVICE;
        rung_buffer_destroy(b.part[i]);
        rung_buffer_destroy(b.whole[i]);
    }
    return status;
}

/* So that also what a kernel writes and puts back is seen. */
static void protect_inputs(const proof_stand *s, bool on)
{
    for (size_t i = 0; i < s->op->arg_count; i++)
        if (is_own(s, i) && !proof_is_written(&s->op->args[i]) && !is_written_as_another(s, i))
            rung_proof_guard_protect((unsigned)i, on);
}

static rung_status call_watched(proof_stand *s)
{
    (void)fesetenv(&s->environment); /* where the reference has left another one */
    char what[256] = "";
    rung_status status = RUNG_OK;
    s->journal->checks++;
    s->journal->registers = true;
    if (!rung_proof_registers_call(s->function, &s->candidate, s->op, s->at, &status, what, sizeof what)) {
        s->clobbers = true;
        rung_proof_fail(s->journal, "%s", what);
    }
    return status;
}

rung_status rung_proof_call_cell(proof_stand *s, bool direct)
{
    if (s->launched)
        return call_buffers(s);
    if (!direct || s->turn % PROTECTED != 0)
        return s->function != NULL && (direct || s->clobbers) ? call_watched(s) : s->op->call(&s->candidate, s->at);
    protect_inputs(s, true);
    const rung_status status = s->function != NULL ? call_watched(s) : s->op->call(&s->candidate, s->at);
    protect_inputs(s, false);
    return status;
}
