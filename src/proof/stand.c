/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/stand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proof/number.h"

static const rung_proof_tolerance *of_variant(const rung_proof_op *op, const char *variant)
{
    for (unsigned v = 0; v < op->variant_count; v++)
        if (strcmp(op->variants[v].name, variant) == 0)
            return &op->variants[v].tolerance;
    return NULL;
}

void rung_proof_stand_begin(proof_stand *s, const char *variant)
{
    (void)fegetenv(&s->environment);
    const rung_proof_tolerance *own = of_variant(s->op, variant);
    s->rounds = own != NULL;
    s->reach = own != NULL ? fmax(1.0 - own->rel, 0.5) : 1.0;
    for (size_t i = 0; i < s->op->arg_count; i++) {
        const rung_proof_arg *arg = &s->op->args[i];
        if (!proof_is_written(arg))
            continue;
        s->tolerance[i] = arg->has_tolerance ? arg->tolerance : s->op->tolerance;
        s->rounding[i] = arg->has_tolerance ? arg->rounding : s->op->rounding;
        if (own != NULL)
            s->tolerance[i] = s->rounding[i] = *own;
        s->exact[i] = s->tolerance[i].rel == 0.0 && s->tolerance[i].abs == 0.0;
        s->magnitudes = s->magnitudes || arg->scale == RUNG_PROOF_MAGNITUDE;
    }
}

void *rung_proof_room_for(proof_stand *s, proof_room *room, size_t bytes)
{
    if (bytes < room->capacity || (bytes == room->capacity && bytes > 0))
        return room->data;
    size_t capacity = 256;
    while (capacity < bytes)
        capacity = capacity <= SIZE_MAX / 2 ? 2 * capacity : bytes;
    free(room->data);
    *room = (proof_room){malloc(capacity), capacity};
    if (room->data == NULL) {
        room->capacity = 0;
        s->journal->no_memory = true;
    }
    return room->data;
}

size_t rung_proof_bytes_of(const proof_stand *s, size_t arg)
{
    return s->count[arg] * rung_proof_kind_size(rung_proof_kind_of(&s->op->args[arg]));
}

void rung_proof_stand_end(proof_stand *s)
{
    proof_room *const all[] = {s->before, s->want, s->got, s->magnitude, s->kept, s->wide};
    for (size_t r = 0; r < sizeof all / sizeof all[0]; r++)
        for (size_t i = 0; i < RUNG_PROOF_ARGS_MAX; i++) {
            free(all[r][i].data);
            all[r][i] = (proof_room){0};
        }
}
