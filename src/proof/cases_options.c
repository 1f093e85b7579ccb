/* SPDX-License-Identifier: Apache-2.0
 *
 * cases_options.c: optional arrays given and left out, results in place of arguments, one array for two arguments, and
 * scalars.
 */
#include <math.h>

#include "proof/cases.h"
#include "proof/draw.h"
#include "proof/number.h"
#include "proof/shape.h"
#include "proof/sizes.h"
#include "proof/trial.h"

enum { SUBSETS_RANDOM = 16, MOST_LEVELS = 500, SIZES = 4, LARGE = 2 };

static void sizes_of(const proof_stand *s, bool middle, size_t which, size_t *sizes)
{
    if (middle)
        rung_proof_middle(s->op->dim_count, which, sizes);
    else
        rung_proof_large(s->op->dim_count, which, sizes);
}

/* ---- optional arrays --------------------------------------------------------------------------------------------- */

static void give(proof_stand *s, size_t subset)
{
    for (size_t i = 0; i < s->op->arg_count; i++) {
        if (!s->op->args[i].optional)
            continue;
        s->now->given &= ~(1u << i);
        s->now->given |= (uint32_t)(subset & 1u) << i;
        subset >>= 1;
    }
}

static void try_optional(proof_stand *s)
{
    unsigned optional = 0;
    for (size_t i = 0; i < s->op->arg_count; i++)
        optional += s->op->args[i].optional;
    if (optional == 0)
        return;
    const size_t subsets = optional <= 3 ? (size_t)1 << optional : (size_t)SUBSETS_RANDOM;
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    for (size_t subset = 0; subset < subsets; subset++) {
        for (size_t which = 0; which <= SIZES; which++) {
            sizes_of(s, which < SIZES, subset + which, sizes);
            if (!rung_proof_begin(s, "optional arrays", PROOF_PLAIN, sizes))
                continue;
            give(s, optional <= 3 ? subset : (size_t)rung_proof_random_next(&s->random));
            rung_proof_draw_and_try(s);
        }
    }
}

/* ---- in place ---------------------------------------------------------------------------------------------------- */

static bool may_be(const proof_stand *s, size_t arg, size_t other)
{
    return (s->op->args[arg].aliases >> other & 1u) != 0;
}

/* Makes a written array the same as another one. */
static void unite(proof_stand *s, size_t arg, size_t other)
{
    s->now->same_as[arg] = (uint8_t)other;
    s->now->given |= 1u << arg | 1u << other;
}

static void try_alias(proof_stand *s, size_t arg, size_t other)
{
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    for (size_t which = 0; which < SIZES + LARGE; which++) {
        sizes_of(s, which < SIZES, 2 * which, sizes);
        if (!rung_proof_begin_some(s, which == SIZES, "in place", PROOF_PLAIN, sizes))
            continue;
        unite(s, arg, other);
        rung_proof_draw_and_try(s);
    }
}

/* Each that may in another one, no two in the same. */
static void try_all_aliases(proof_stand *s)
{
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    for (size_t which = 0; which < 2 * (size_t)SIZES + LARGE; which++) {
        sizes_of(s, which < 2 * (size_t)SIZES, which, sizes);
        if (!rung_proof_begin(s, "all in place", PROOF_PLAIN, sizes))
            continue;
        for (size_t arg = 0; arg < s->op->arg_count; arg++)
            for (size_t turn = 0; turn < s->op->arg_count; turn++) {
                const size_t other = (turn + which) % s->op->arg_count;
                if (may_be(s, arg, other) && !rung_proof_aliased(s->now, s->op->arg_count, arg) &&
                    !rung_proof_aliased(s->now, s->op->arg_count, other))
                    unite(s, arg, other);
            }
        rung_proof_draw_and_try(s);
    }
}

static void try_aliases(proof_stand *s)
{
    bool any = false;
    for (size_t arg = 0; arg < s->op->arg_count; arg++)
        for (size_t other = 0; other < s->op->arg_count; other++)
            if (proof_is_written(&s->op->args[arg]) && may_be(s, arg, other)) {
                any = true;
                try_alias(s, arg, other);
            }
    if (any)
        try_all_aliases(s);
}

/* ---- one array for two arguments --------------------------------------------------------------------------------- */

/* Whether both are only read, and drawn alike. */
static bool may_be_shared(const proof_stand *s, size_t arg, size_t other)
{
    const rung_proof_arg *a = &s->op->args[arg], *b = &s->op->args[other];
    return a->pointer && b->pointer && !proof_is_written(a) && !proof_is_written(b) &&
           rung_proof_kind_of(a) == rung_proof_kind_of(b) && a->values == b->values && a->intervals == 0 &&
           b->intervals == 0 && a->unread_if_zero == b->unread_if_zero;
}

/* Of two cases one with all sizes the same, so that they have as many elements. */
static void try_shared(proof_stand *s, size_t arg, size_t other)
{
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    for (size_t which = 0; which < SIZES; which++) {
        rung_proof_middle(s->op->dim_count, 2 * which, sizes);
        for (size_t d = 1; d < s->op->dim_count && which % 2 == 1; d++)
            sizes[d] = sizes[0];
        if (!rung_proof_begin_some(s, which == 1, "one array for two arguments", PROOF_PLAIN, sizes) ||
            rung_proof_elements(s->op, arg, s->now->values) != rung_proof_elements(s->op, other, s->now->values))
            continue;
        unite(s, arg, other);
        rung_proof_draw_and_try(s);
    }
}

static void try_all_shared(proof_stand *s)
{
    for (size_t arg = 0; arg < s->op->arg_count; arg++)
        for (size_t other = 0; other < arg; other++)
            if (may_be_shared(s, arg, other))
                try_shared(s, arg, other);
}

/* ---- scalars ----------------------------------------------------------------------------------------------------- */

static bool is_level(const rung_proof_op *op, size_t arg)
{
    return !op->args[arg].pointer && !rung_proof_is_size(op, arg);
}

/* All combinations of the values that matter, as far as they are few; then random ones. */
static void try_scalars(proof_stand *s)
{
    double combinations = 1.0;
    for (size_t i = 0; i < s->op->arg_count; i++)
        if (is_level(s->op, i))
            combinations *= (double)rung_proof_levels(&s->op->args[i]);
    if (combinations <= 1.0)
        return;
    const bool all = combinations <= MOST_LEVELS;
    const size_t count = all ? (size_t)combinations : (size_t)MOST_LEVELS;
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    for (size_t which = 0; which < count; which++) {
        sizes_of(s, which % 8 != 5, which, sizes);
        if (!rung_proof_begin(s, "scalars", PROOF_PLAIN, sizes))
            continue;
        size_t rest = which;
        for (size_t i = 0; i < s->op->arg_count; i++) {
            if (!is_level(s->op, i))
                continue;
            const rung_proof_arg *a = &s->op->args[i];
            const size_t levels = rung_proof_levels(a);
            const size_t level = all ? rest % levels : rung_proof_random_below(&s->random, levels);
            rung_proof_scalar_set(&s->now->values[i], a->type, rung_proof_level(a, level, &s->random));
            rest /= levels;
        }
        rung_proof_draw_and_try(s);
    }
}

void rung_proof_cases_options(proof_stand *s)
{
    try_optional(s);
    try_aliases(s);
    try_all_shared(s);
    try_scalars(s);
}
