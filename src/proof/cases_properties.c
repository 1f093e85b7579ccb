/* SPDX-License-Identifier: Apache-2.0
 *
 * cases_properties.c: what the registry says of the results of two calls.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proof/cases.h"
#include "proof/compare.h"
#include "proof/draw.h"
#include "proof/shape.h"
#include "proof/sizes.h"
#include "proof/trial.h"

enum { TURNS = 4 };

/* What rung_proof_try has got, out of the way of the second call. */
static bool keep_results(proof_stand *s)
{
    for (size_t i = 0; i < s->op->arg_count; i++) {
        if (!proof_is_result(s, i))
            continue;
        const size_t bytes = rung_proof_bytes_of(s, i);
        if (rung_proof_room_for(s, &s->kept[i], bytes) == NULL)
            return false;
        memcpy(s->kept[i].data, s->got[i].data, bytes);
    }
    return true;
}

/* ---- scalings ---------------------------------------------------------------------------------------------------- */

/* False: one is out of range then. */
static bool scale_scalars(proof_stand *s, const rung_proof_scaling *scaling)
{
    for (size_t i = 0; i < s->op->arg_count; i++) {
        const rung_proof_arg *a = &s->op->args[i];
        if (a->pointer || scaling->exponents[i] == 0)
            continue;
        const double scaled = ldexp(rung_proof_scalar(&s->now->values[i], a->type), scaling->exponents[i]);
        if (!rung_proof_in_range(a, scaled))
            return false;
        rung_proof_scalar_set(&s->now->values[i], a->type, scaled);
    }
    return true;
}

static void scale_arrays(proof_stand *s, const rung_proof_scaling *scaling)
{
    for (size_t i = 0; i < s->op->arg_count; i++) {
        const rung_proof_arg *a = &s->op->args[i];
        const proof_kind kind = rung_proof_kind_of(a);
        if (!proof_is_read(a) || scaling->exponents[i] == 0 || scaling->exponents[i] == RUNG_PROOF_NOT_SCALED)
            continue;
        for (size_t at = 0; at < s->count[i]; at++)
            rung_proof_store(s->before[i].data, kind, at,
                             ldexp(rung_proof_load(s->before[i].data, kind, at), scaling->exponents[i]));
    }
}

/* To the bit, but where a number is too small for all of its digits, or too large. */
static void compare_scaled(proof_stand *s, size_t arg, int exponent)
{
    const rung_proof_arg *a = &s->op->args[arg];
    const proof_kind kind = rung_proof_kind_of(a);
    const double least = 4.0 * rung_proof_limits_of(kind).normal;
    size_t failed = 0;
    s->journal->checks += s->count[arg];
    for (size_t i = 0; i < s->count[arg]; i++) {
        const double got = rung_proof_load(s->got[arg].data, kind, i),
                     was = rung_proof_load(s->kept[arg].data, kind, i);
        const double want = ldexp(was, exponent);
        if (!rung_proof_is_specified(s, arg, i) || fabs(want) > rung_proof_limits_of(kind).high ||
            (was != 0.0 && (fabs(was) < least || fabs(want) < least)))
            continue;
        if (got == want || (isnan(got) && isnan(want)))
            continue;
        if (failed++ > 0)
            rung_proof_fail_too(s->journal);
        else
            rung_proof_fail(s->journal,
                            "%s[%zu] is %.17g, not %.17g, when the arguments are multiplied by powers of two", a->name,
                            i, got, want);
    }
}

static void try_scaling(proof_stand *s, const rung_proof_scaling *scaling, size_t turn)
{
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    if (turn % TURNS == TURNS - 1)
        rung_proof_large(s->op->dim_count, turn, sizes);
    else
        rung_proof_middle(s->op->dim_count, turn, sizes);
    char about[48];
    (void)snprintf(about, sizeof about, "scaling %td of the registry", scaling - s->op->scalings + 1);
    rung_proof_begin_anyway(s, about, PROOF_PLAIN, sizes);
    if (!rung_proof_draw(s) || !rung_proof_try(s) || !keep_results(s) || !scale_scalars(s, scaling))
        return;
    scale_arrays(s, scaling);
    if (!rung_proof_call_again(s))
        return;
    for (size_t i = 0; i < s->op->arg_count; i++)
        if (proof_is_result(s, i) && scaling->exponents[i] != RUNG_PROOF_NOT_SCALED)
            compare_scaled(s, i, scaling->exponents[i]);
}

void rung_proof_cases_scalings(proof_stand *s)
{
    for (size_t i = 0; i < s->op->scaling_count; i++)
        for (size_t turn = 0; turn < (s->quick ? 1 : TURNS); turn++)
            try_scaling(s, &s->op->scalings[i], turn + i);
}

/* ---- permutations ------------------------------------------------------------------------------------------------ */

static size_t *random_order(proof_stand *s, size_t count)
{
    size_t *order = malloc((count + 1) * sizeof *order);
    for (size_t i = 0; i < count && order != NULL; i++) { /* Durstenfeld 1964, doi:10.1145/364520.364540 */
        const size_t at = rung_proof_random_below(&s->random, i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    return order;
}

static bool permute(proof_stand *s, size_t arg, size_t dim, const size_t *order, proof_room *room)
{
    const size_t bytes = rung_proof_bytes_of(s, arg);
    proof_room scratch = {0};
    void *copy = rung_proof_room_for(s, &scratch, bytes);
    if (copy == NULL)
        return false;
    memcpy(copy, room->data, bytes);
    rung_proof_permute(s->op, arg, s->now->values, dim, order, room->data, copy);
    free(scratch.data);
    return true;
}

static bool has_axis(const rung_proof_arg *a, size_t dim)
{
    bool found = false;
    for (unsigned x = 0; x < a->axes; x++)
        found = found || a->shape[x].arg == dim;
    return found;
}

/* Sums in another order: as far from each other as each may be from the reference. */
static void compare_permuted(proof_stand *s, size_t arg)
{
    const proof_wanted wanted = {.by = "the call before a size was permuted",
                                 .data = s->kept[arg].data,
                                 .kind = rung_proof_kind_of(&s->op->args[arg]),
                                 .tolerance = s->tolerance[arg],
                                 .times = 2.0,
                                 .exact = s->exact[arg]};
    rung_proof_compare_array(s, arg, s->got[arg].data, &wanted);
}

/* The arguments of the second call, and what its results have to be. */
static bool permute_all(proof_stand *s, size_t dim, const size_t *order)
{
    for (size_t i = 0; i < s->op->arg_count; i++) {
        const rung_proof_arg *a = &s->op->args[i];
        if (!a->pointer || !proof_given(s->now, i) || !has_axis(a, dim))
            continue;
        if (!permute(s, i, dim, order, &s->before[i]))
            return false;
        if (proof_is_written(a) && (!permute(s, i, dim, order, &s->kept[i]) ||
                                    (s->magnitudes && !permute(s, i, dim, order, &s->magnitude[i]))))
            return false;
    }
    return true;
}

static void try_permutation(proof_stand *s, size_t d, size_t turn)
{
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    if (turn == TURNS - 1)
        rung_proof_large(s->op->dim_count, d, sizes);
    else
        rung_proof_middle(s->op->dim_count, turn, sizes);
    const size_t dim = s->op->dims[d];
    rung_proof_begin_anyway(s, "a size permuted", PROOF_PLAIN, sizes);
    if (!rung_proof_draw(s) || !rung_proof_try(s) || !keep_results(s))
        return;
    size_t *order = random_order(s, s->now->values[dim].size);
    if (order != NULL && permute_all(s, dim, order) && rung_proof_call_again(s))
        for (size_t i = 0; i < s->op->arg_count; i++)
            if (proof_is_result(s, i) &&
                !(s->op->args[i].compare == RUNG_PROOF_LOWER && has_axis(&s->op->args[i], dim)))
                compare_permuted(s, i);
    free(order);
}

void rung_proof_cases_permutations(proof_stand *s)
{
    for (size_t d = 0; d < s->op->dim_count; d++)
        for (size_t turn = 0; (s->op->permutes >> d & 1u) != 0 && turn < (s->quick ? 1 : TURNS); turn++)
            try_permutation(s, d, turn);
}
