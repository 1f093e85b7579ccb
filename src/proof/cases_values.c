/* SPDX-License-Identifier: Apache-2.0
 *
 * cases_values.c: special values, the largest ones, and what the reference refuses.
 */
#include <math.h>

#include "proof/cases.h"
#include "proof/draw.h"
#include "proof/invoke.h"
#include "proof/number.h"
#include "proof/shape.h"
#include "proof/sizes.h"
#include "proof/trial.h"

enum {
    MIDDLE = 5,
    SIZES = 7, /* those from MIDDLE on are large */
    KEPT = 2   /* of them in a quick proof: the value alone, and in all arrays; and NaN in a large case */
};

static bool takes_special(const proof_stand *s, size_t arg)
{
    const rung_proof_arg *a = &s->op->args[arg];
    return proof_is_read(a) && !a->no_special && a->values != RUNG_PROOF_POSITIVE_DEFINITE &&
           rung_proof_kind_floats(rung_proof_kind_of(a));
}

/* Where arguments may be rounded no denormal: times infinity it is infinity, and NaN once it is rounded to 0. */
static double special_of(const proof_stand *s, proof_kind kind, size_t which)
{
    if (s->now->round == PROOF_HUGE)
        return s->reach * rung_proof_huge(kind, which);
    const double value = rung_proof_special(kind, which), normal = rung_proof_limits_of(kind).normal;
    return s->rounds && value != 0.0 && fabs(value) < normal ? copysign(normal, value) : value;
}

/* One element of an array, the same in all that have as many; nothing where it has none, or has to hold what must not
 * be read. */
static void put(proof_stand *s, size_t arg, size_t which, uint64_t spot)
{
    const proof_kind kind = rung_proof_kind_of(&s->op->args[arg]);
    if (s->count[arg] != 0 && !rung_proof_is_unread(s->op, arg, s->now->values))
        rung_proof_store(s->before[arg].data, kind, spot % s->count[arg], special_of(s, kind, which));
}

/* What multiplies a -0 then leaves its sign. */
static void make_scalars_positive(proof_stand *s)
{
    for (size_t i = 0; i < s->op->arg_count; i++) {
        const rung_proof_arg *a = &s->op->args[i];
        if (a->pointer || !rung_proof_kind_floats(a->type))
            continue;
        const double value = fabs(rung_proof_scalar(&s->now->values[i], a->type));
        if (rung_proof_in_range(a, value))
            rung_proof_scalar_set(&s->now->values[i], a->type, value);
    }
}

/* The same value in every array, so that also all terms of a sum are -0. */
static void put_in_others(proof_stand *s, size_t arg, size_t which, uint64_t spot)
{
    for (size_t other = 0; other < s->op->arg_count; other++)
        if (other != arg && takes_special(s, other) && proof_given(s->now, other))
            put(s, other, which, spot);
}

/* Whether several of the largest numbers may meet: what is left where two cancel has none of its digits right, and only
 * exact results, and those that are told by their magnitudes, are then told apart from wrong ones. */
static bool may_meet(const proof_stand *s)
{
    bool may = true;
    for (size_t i = 0; i < s->op->arg_count; i++)
        if (proof_is_written(&s->op->args[i]))
            may = may && (s->exact[i] || s->op->args[i].scale == RUNG_PROOF_MAGNITUDE);
    return may;
}

static bool all_exact(const proof_stand *s)
{
    bool exact = true;
    for (size_t i = 0; i < s->op->arg_count; i++)
        exact = exact && (s->exact[i] || !proof_is_written(&s->op->args[i]));
    return exact;
}

static void put_at_every_third(proof_stand *s, size_t arg, size_t which, uint64_t spot, bool in_others)
{
    for (size_t at = 0; at < s->count[arg]; at += 3) {
        put(s, arg, which, spot + at);
        if (in_others)
            put_in_others(s, arg, which, spot + at);
    }
}

/* Beside an infinity no denormal: their product is infinite, and NaN where factors before it make 0 of the denormal,
 * which the order of a product is free to do. */
static size_t partner_of(const proof_stand *s, size_t which, size_t with)
{
    enum { INFINITE = 1, NEGATIVE_INFINITE = 2, ZERO = 3, DENORMAL = 5, NORMAL = 7 };
    if (s->now->round != PROOF_SPECIAL)
        return with;
    if (which == DENORMAL && (with == INFINITE || with == NEGATIVE_INFINITE))
        return ZERO;
    return (which == INFINITE || which == NEGATIVE_INFINITE) && with == DENORMAL ? (size_t)NORMAL : with;
}

/* Value number `which` in one array; of two cases one has it, or another one, in other arrays as well. */
static void try_special(proof_stand *s, const char *about, proof_round round, size_t arg, size_t which, size_t size)
{
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    if (size < MIDDLE)
        rung_proof_middle(s->op->dim_count, size, sizes);
    else
        rung_proof_large(s->op->dim_count, which + size, sizes);
    if (!rung_proof_begin_some(s, size < KEPT || (size == MIDDLE && which == 0), about, round, sizes))
        return;
    s->now->given |= 1u << arg;
    if (size == 1 && round == PROOF_SPECIAL)
        make_scalars_positive(s);
    if (!rung_proof_draw(s))
        return;
    const uint64_t spot = rung_proof_random_next(&s->random);
    const size_t other = rung_proof_random_below(&s->random, s->op->arg_count);
    put(s, arg, which, spot);
    if (size >= MIDDLE && all_exact(s)) /* in blocks as well as in tails, also where one element decides for all */
        put_at_every_third(s, arg, which, spot, size % 2 == 0 && round == PROOF_SPECIAL);
    else if (size == 1 && round == PROOF_SPECIAL)
        put_in_others(s, arg, which, spot);
    else if (size % 2 == 1 && (round == PROOF_SPECIAL || may_meet(s)) && takes_special(s, other) &&
             proof_given(s->now, other))
        put(s, other, partner_of(s, which, rung_proof_random_below(&s->random, PROOF_SPECIALS)), spot);
    (void)rung_proof_try(s);
}

/* ---- of scalars -------------------------------------------------------------------------------------------------- */

/* Those of floating point that nothing bounds: what a range leaves out is refused, and a bound that is infinite on
 * purpose is one of the `try` values. */
static bool is_unbounded(const rung_proof_arg *a)
{
    return !a->pointer && rung_proof_kind_floats(a->type) && !a->has_low && !a->has_high && !a->not_nan;
}

static void try_special_scalar(proof_stand *s, proof_round round, size_t arg, size_t which, size_t size)
{
    const uint8_t type = s->op->args[arg].type;
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    rung_proof_middle(s->op->dim_count, size, sizes);
    if (!rung_proof_begin_some(s, size == 0, "special scalars", round, sizes))
        return;
    rung_proof_scalar_set(&s->now->values[arg], type, special_of(s, type, which));
    rung_proof_draw_and_try(s);
}

static void try_special_scalars(proof_stand *s)
{
    for (size_t arg = 0; arg < s->op->arg_count; arg++)
        for (size_t size = 0; is_unbounded(&s->op->args[arg]) && size < MIDDLE; size++) {
            for (size_t which = 0; which < PROOF_SPECIALS; which++)
                try_special_scalar(s, PROOF_SPECIAL, arg, which, size);
            for (size_t which = 0; which < PROOF_HUGES; which++)
                try_special_scalar(s, PROOF_HUGE, arg, which, size);
        }
}

void rung_proof_cases_values(proof_stand *s)
{
    try_special_scalars(s);
    for (size_t arg = 0; arg < s->op->arg_count; arg++) {
        if (!takes_special(s, arg))
            continue;
        for (size_t size = 0; size < SIZES; size++) {
            for (size_t which = 0; which < PROOF_SPECIALS; which++)
                try_special(s, "special values", PROOF_SPECIAL, arg, which, size);
            for (size_t which = 0; which < PROOF_HUGES; which++)
                try_special(s, "largest values", PROOF_HUGE, arg, which, size);
        }
    }
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

/* A symmetric matrix that is not positive definite for one element of its diagonal, at the beginning, the end, and on
 * both sides of what a tile may hold. */
static void try_refused(proof_stand *s, size_t arg, size_t k, size_t place, double diagonal)
{
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    const rung_proof_arg *a = &s->op->args[arg];
    const uint8_t size = a->shape[a->axes - 1].arg;
    rung_proof_middle(s->op->dim_count, place, sizes);
    for (size_t d = 0; d < s->op->dim_count; d++)
        if (s->op->dims[d] == size)
            sizes[d] = k;
    rung_proof_begin_anyway(s, "not positive definite", PROOF_SPECIAL, sizes);
    s->now->given |= 1u << arg;
    if (!rung_proof_draw(s))
        return;
    const size_t last = rung_proof_axis_length(&a->shape[a->axes - 1], s->now->values);
    if (last == 0)
        return;
    const size_t at = place < last ? place : last - 1;
    rung_proof_store(s->before[arg].data, rung_proof_kind_of(a), at * last + at, diagonal);
    if (rung_proof_call_reference(s) == RUNG_ERR_NUMERIC) /* where it is not refused it may be all but singular */
        (void)rung_proof_try(s);
}

void rung_proof_cases_refused(proof_stand *s)
{
    static const double diagonals[] = {-1000.0, 0.0, NAN, INFINITY};
    static const size_t places[] = {0, 4, 15, 16, 40}, sizes[] = {41, 1, 17};
    for (size_t arg = 0; arg < s->op->arg_count; arg++) {
        if (!s->op->args[arg].pointer || s->op->args[arg].values != RUNG_PROOF_POSITIVE_DEFINITE)
            continue;
        for (size_t k = 0; k < (s->quick ? 1 : sizeof sizes / sizeof sizes[0]); k++)
            for (size_t p = 0; p < sizeof places / sizeof places[0]; p++)
                for (size_t d = 0; d < sizeof diagonals / sizeof diagonals[0]; d++)
                    if (places[p] < sizes[k])
                        try_refused(s, arg, sizes[k], places[p], diagonals[d]);
    }
}
