/* SPDX-License-Identifier: Apache-2.0
 *
 * reference.c: calls of the reference.
 */
#include <math.h>
#include <string.h>

#include "proof/invoke.h"
#include "proof/number.h"

/* The arguments of a call for which `fill` makes every array that is given, in one of `rooms`; false: no memory. */
typedef bool fill_array(proof_stand *s, size_t arg, void *to);

static bool gather(proof_stand *s, proof_room *rooms, size_t element, fill_array *fill, bool written_only,
                   rung_value *values)
{
    memcpy(values, s->now->values, RUNG_PROOF_ARGS_MAX * sizeof *values);
    for (size_t i = 0; i < s->op->arg_count; i++) {
        const rung_proof_arg *a = &s->op->args[i];
        if (!a->pointer)
            continue;
        values[i] = (rung_value){.array = NULL};
        if (!proof_given(s->now, i))
            continue;
        if (written_only && !proof_is_written(a)) {
            values[i].array = s->before[i].data;
            continue;
        }
        values[i].array =
            rung_proof_room_for(s, &rooms[i], element != 0 ? s->count[i] * element : rung_proof_bytes_of(s, i));
        if (values[i].array == NULL || !fill(s, i, values[i].array))
            return false;
    }
    return true;
}

static bool fill_before(proof_stand *s, size_t arg, void *to)
{
    memcpy(to, s->before[arg].data, rung_proof_bytes_of(s, arg));
    return true;
}

rung_status rung_proof_call_reference(proof_stand *s)
{
    rung_value values[RUNG_PROOF_ARGS_MAX];
    if (!gather(s, s->want, 0, fill_before, true, values))
        return RUNG_ERR_MEMORY;
    return s->op->call(&s->reference, values);
}

static double absolute(const rung_proof_arg *a, double value)
{
    return a->negate ? -fabs(value) : fabs(value);
}

static bool fill_absolute(proof_stand *s, size_t arg, void *to)
{
    const rung_proof_arg *a = &s->op->args[arg];
    const proof_kind kind = rung_proof_kind_of(a);
    for (size_t i = 0; i < s->count[arg]; i++)
        rung_proof_store(to, kind, i, absolute(a, rung_proof_load(s->before[arg].data, kind, i)));
    return true;
}

bool rung_proof_call_magnitude(proof_stand *s)
{
    rung_value values[RUNG_PROOF_ARGS_MAX];
    if (!gather(s, s->magnitude, 0, fill_absolute, false, values))
        return false;
    for (size_t i = 0; i < s->op->arg_count; i++) {
        const rung_proof_arg *a = &s->op->args[i];
        if (!a->pointer && rung_proof_kind_floats(a->type))
            rung_proof_scalar_set(&values[i], a->type, absolute(a, rung_proof_scalar(&values[i], a->type)));
    }
    return s->op->call(&s->reference, values) == RUNG_OK;
}

static bool is_wide(const rung_proof_arg *a)
{
    return a->type == RUNG_PROOF_FLOAT || a->type == RUNG_PROOF_DOUBLE;
}

static bool fill_wide(proof_stand *s, size_t arg, void *to)
{
    const rung_proof_arg *a = &s->op->args[arg];
    if (!is_wide(a))
        return fill_before(s, arg, to);
    for (size_t i = 0; i < s->count[arg]; i++)
        ((rung_wide *)to)[i] = (rung_wide)rung_proof_load(s->before[arg].data, a->type, i);
    return true;
}

rung_status rung_proof_call_wide(proof_stand *s)
{
    rung_value values[RUNG_PROOF_ARGS_MAX];
    if (!gather(s, s->wide, sizeof(rung_wide), fill_wide, false, values))
        return RUNG_ERR_MEMORY;
    for (size_t i = 0; i < s->op->arg_count; i++) {
        const rung_proof_arg *a = &s->op->args[i];
        if (!a->pointer && is_wide(a))
            values[i].wide = (rung_wide)rung_proof_scalar(&s->now->values[i], a->type);
    }
    return s->op->call_wide(&s->reference, values);
}
