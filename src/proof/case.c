/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/case.h"

#include <stdarg.h>
#include <string.h>

#include "proof/guard.h"
#include "proof/number.h"

typedef struct line {
    char *text;
    size_t size, used;
} line;

__attribute__((format(printf, 2, 3))) static void add(line *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int wanted = vsnprintf(to->text + to->used, to->size - to->used, format, arguments);
    va_end(arguments);
    if (wanted > 0)
        to->used += (size_t)wanted < to->size - to->used ? (size_t)wanted : to->size - to->used - 1;
}

static void add_array(line *to, const rung_proof_op *op, const proof_case *c, size_t arg)
{
    add(to, " %s:", op->args[arg].name);
    if (!proof_given(c, arg))
        add(to, "NULL");
    else if (c->same_as[arg] != RUNG_PROOF_NO_ARG)
        add(to, "%s", op->args[c->same_as[arg]].name);
    else if (c->place[arg] == PROOF_AT_END)
        add(to, "end");
    else if (c->place[arg] == PROOF_AT_START)
        add(to, "start");
    else
        add(to, "+%d", c->place[arg]);
}

void rung_proof_case_text(const rung_proof_op *op, const proof_case *c, char *text, size_t size)
{
    line to = {text, size, 0};
    text[0] = '\0';
    add(&to, "%s:", c->about);
    for (size_t i = 0; i < op->arg_count; i++) {
        const rung_proof_arg *arg = &op->args[i];
        if (arg->pointer)
            continue;
        if (arg->type == RUNG_PROOF_SIZE)
            add(&to, " %s=%zu", arg->name, c->values[i].size);
        else
            add(&to, " %s=%.17g", arg->name, rung_proof_scalar(&c->values[i], arg->type));
    }
    add(&to, "; arrays");
    for (size_t i = 0; i < op->arg_count; i++)
        if (op->args[i].pointer)
            add_array(&to, op, c, i);
}
