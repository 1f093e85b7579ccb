/* SPDX-License-Identifier: Apache-2.0
 *
 * registers.c: puts the arguments of a call where its convention wants them, and compares what comes back.
 */
#include "proof/registers_frame.h"

#include <stddef.h>
#include <string.h>

#ifndef PROOF_REGISTERS

bool rung_proof_registers_supported(void)
{
    return false;
}

bool rung_proof_registers_call(rung_proof_function *fn, const rung_ctx *cx, const rung_proof_op *op,
                               const rung_value *values, rung_status *status, char *what, size_t size)
{
    (void)fn;
    (void)cx;
    (void)op;
    (void)values;
    rung_text text = rung_text_in(what, size);
    rung_text_add(&text, "registers are not watched on this machine");
    *status = RUNG_ERR_UNAVAILABLE;
    return false;
}

#else

_Static_assert(offsetof(proof_frame, function) == PROOF_FUNCTION, "");
_Static_assert(offsetof(proof_frame, stack_count) == PROOF_STACK_COUNT, "");
_Static_assert(offsetof(proof_frame, integers) == PROOF_INTEGERS, "");
_Static_assert(offsetof(proof_frame, vectors) == PROOF_VECTORS, "");
_Static_assert(offsetof(proof_frame, saved) == PROOF_SAVED, "");
_Static_assert(offsetof(proof_frame, stack_own) == PROOF_STACK_OWN, "");
_Static_assert(offsetof(proof_frame, stack_before) == PROOF_STACK_BEFORE, "");
_Static_assert(offsetof(proof_frame, stack_after) == PROOF_STACK_AFTER, "");
_Static_assert(offsetof(proof_frame, result) == PROOF_RESULT, "");
_Static_assert(offsetof(proof_frame, control_before) == PROOF_CONTROL_BEFORE, "");
_Static_assert(offsetof(proof_frame, control_after) == PROOF_CONTROL_AFTER, "");
_Static_assert(offsetof(proof_frame, stack) == PROOF_STACK, "");

/* Bits that a convention leaves unspecified: a callee that takes them for part of its argument is found out. */
static const uint64_t UNSPECIFIED = 0xa5a5a5a500000000u;

__attribute__((used)) _Thread_local proof_frame *rung_proof_registers_current;

typedef struct places {
    unsigned integers, vectors;
} places;

static uint64_t narrow(uint32_t value)
{
    return UNSPECIFIED | value;
}

/* What goes into the eight bytes of a register or of the stack. Narrow integers are extended to 32 bits, on which
 * callees compiled by clang for x86-64 rely. */
static uint64_t eight_bytes(const rung_proof_arg *arg, const rung_value *value)
{
    uint32_t word;
    uint64_t both;
    if (arg->pointer)
        return (uint64_t)(uintptr_t)value->array;
    switch ((rung_proof_type)arg->type) {
    case RUNG_PROOF_FLOAT:
        memcpy(&word, &value->f, sizeof word);
        return narrow(word);
    case RUNG_PROOF_DOUBLE:
        memcpy(&both, &value->d, sizeof both);
        return both;
    case RUNG_PROOF_SIZE:
        return value->size;
    case RUNG_PROOF_PTRDIFF:
        return (uint64_t)value->ptrdiff;
    case RUNG_PROOF_INT8:
        return narrow((uint32_t)value->i8);
    case RUNG_PROOF_INT16:
        return narrow((uint32_t)value->i16);
    case RUNG_PROOF_INT32:
        return narrow((uint32_t)value->i32);
    case RUNG_PROOF_INT64:
        return (uint64_t)value->i64;
    case RUNG_PROOF_UINT8:
        return narrow(value->u8);
    case RUNG_PROOF_UINT16:
        return narrow(value->u16);
    case RUNG_PROOF_UINT32:
        return narrow(value->u32);
    case RUNG_PROOF_UINT64:
        return value->u64;
    }
    return 0;
}

static void place(proof_frame *frame, places *used, bool vector, uint64_t value)
{
    if (vector && used->vectors < PROOF_VECTOR_REGISTERS)
        frame->vectors[used->vectors++] = value;
    else if (!vector && used->integers < PROOF_INTEGER_REGISTERS)
        frame->integers[used->integers++] = value;
    else
        frame->stack[frame->stack_count++] = value;
}

static void place_all(proof_frame *frame, const rung_ctx *cx, const rung_proof_op *op, const rung_value *values)
{
    places used = {0, 0};
    place(frame, &used, false, (uint64_t)(uintptr_t)cx);
    for (unsigned i = 0; i < op->arg_count; i++) {
        const rung_proof_arg *arg = &op->args[i];
        bool vector = !arg->pointer && (arg->type == RUNG_PROOF_FLOAT || arg->type == RUNG_PROOF_DOUBLE);
        place(frame, &used, vector, eight_bytes(arg, &values[i]));
    }
    frame->stack_count += frame->stack_count % 2;
}

uint64_t rung_proof_registers_fill(unsigned number)
{
    return 0x5aa50ff0c33c6900u + 0x0101010101010101u * number;
}

void rung_proof_registers_and(rung_text *what)
{
    if (what->len > 0)
        rung_text_add(what, "; ");
}

static void compare(const proof_frame *frame, rung_text *what)
{
    for (unsigned i = 0; rung_proof_registers_names[i] != NULL; i++)
        if (frame->saved[i] != rung_proof_registers_fill(i)) {
            rung_proof_registers_and(what);
            rung_text_join(what, (const char *const[]){rung_proof_registers_names[i], " was changed", NULL});
        }
    if (frame->stack_after != frame->stack_before) {
        rung_proof_registers_and(what);
        rung_text_join(what, (const char *const[]){rung_proof_registers_stack_name, " was changed", NULL});
    }
    rung_proof_registers_control(frame, what);
}

bool rung_proof_registers_supported(void)
{
    return true;
}

bool rung_proof_registers_call(rung_proof_function *fn, const rung_ctx *cx, const rung_proof_op *op,
                               const rung_value *values, rung_status *status, char *what, size_t size)
{
    proof_frame frame = {.function = fn};
    place_all(&frame, cx, op, values);
    for (unsigned i = 0; i < PROOF_SAVED_MAX; i++)
        frame.saved[i] = rung_proof_registers_fill(i);
    proof_frame *outer = rung_proof_registers_current;
    rung_proof_registers_current = &frame;
    rung_proof_registers_enter(&frame);
    rung_proof_registers_current = outer;
    *status = (rung_status)(uint32_t)frame.result;
    char changed[512]; /* whether something was changed does not depend on the room for the words */
    rung_text text = rung_text_in(changed, sizeof changed);
    compare(&frame, &text);
    rung_text given = rung_text_in(what, size);
    rung_text_add(&given, changed);
    return text.len == 0;
}

#endif
