/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/journal.h"

#include <inttypes.h>
#include <stdarg.h>

#include "proof/shape.h"

void rung_proof_fail(proof_journal *j, const char *format, ...)
{
    j->failures++;
    if (j->lines == PROOF_LINES)
        return;
    char at[PROOF_LINE / 2], what[PROOF_LINE / 4];
    rung_proof_case_text(j->op, &j->now, at, sizeof at);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    (void)snprintf(j->line[j->lines++], PROOF_LINE, "%s: %s (%s; seed 0x%" PRIx64 ")", j->cell, what, at, j->seed);
    if (j->why[0] == '\0')
        (void)snprintf(j->why, sizeof j->why, "%.200s (%.260s; seed 0x%" PRIx64 ")", what, at, j->seed);
}

void rung_proof_fail_too(proof_journal *j)
{
    j->failures++;
}

void rung_proof_expect(proof_journal *j, bool holds, const char *what)
{
    j->checks++;
    if (!holds)
        rung_proof_fail(j, "%s", what);
}

void rung_proof_answer(proof_journal *j, rung_proof_state state, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(j->why, sizeof j->why, format, arguments);
    va_end(arguments);
    j->state = state;
    j->done = true;
}

void rung_proof_fault_text(const proof_journal *j, char *text, size_t size)
{
    text[0] = '\0';
    if (!j->faulted)
        return;
    const char *name = j->fault_slot < j->op->arg_count ? j->op->args[j->fault_slot].name : "the workspace";
    const ptrdiff_t behind = j->fault_offset - (ptrdiff_t)j->fault_bytes;
    if (j->fault_offset < 0)
        (void)snprintf(text, size, "%td bytes before the beginning of %s", -j->fault_offset, name);
    else if (behind == 0)
        (void)snprintf(text, size, "just behind the end of %s", name);
    else if (behind > 0)
        (void)snprintf(text, size, "%td bytes behind the end of %s", behind, name);
    else
        (void)snprintf(text, size, "byte %td of %s%s", j->fault_offset, name,
                       j->fault_slot < j->op->arg_count && !proof_is_written(&j->op->args[j->fault_slot])
                           ? ", which is only read"
                           : "");
}
