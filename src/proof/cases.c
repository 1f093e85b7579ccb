/* SPDX-License-Identifier: Apache-2.0
 *
 * cases.c: sizes, and places in memory.
 */
#include "proof/cases.h"

#include "proof/guard.h"
#include "proof/random.h"
#include "proof/shape.h"
#include "proof/sizes.h"
#include "proof/trial.h"

/* Above so much work, partners are made smaller, and written arrays that are optional are left out. */
static const double most_work = 4e5, most_optional_work = 1e7;

void rung_proof_cases(proof_stand *s)
{
    rung_proof_cases_examples(s);
    rung_proof_cases_left(s);
    rung_proof_cases_sizes(s);
    rung_proof_cases_options(s);
    rung_proof_cases_values(s);
    rung_proof_cases_refused(s);
    rung_proof_cases_scalings(s);
    rung_proof_cases_permutations(s);
}

static double work_of(const proof_stand *s, const size_t *sizes)
{
    return rung_proof_work_at(s->op, sizes);
}

/* Of the small sizes a quick proof keeps those up to 2, and those that are all the same. */
static bool stands_for_small(const proof_stand *s, const size_t *sizes)
{
    bool tiny = true, same = true;
    for (size_t d = 0; d < s->op->dim_count; d++) {
        tiny = tiny && sizes[d] <= 2;
        same = same && sizes[d] == sizes[0];
    }
    return s->op->dim_count > 0 && (tiny || same);
}

static void try_small(proof_stand *s)
{
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    const size_t count = rung_proof_small_count(s->op->dim_count);
    for (size_t i = 0; i < count; i++) {
        rung_proof_small(s->op->dim_count, i, sizes);
        if (rung_proof_begin_some(s, stands_for_small(s, sizes), "small sizes", PROOF_PLAIN, sizes))
            rung_proof_draw_and_try(s);
    }
}

static void try_roles(proof_stand *s)
{
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    const size_t count = rung_proof_role_count(s->op->dim_count);
    for (size_t i = 0; i < count; i++) {
        unsigned shrink = 0;
        do
            rung_proof_role(s->op->dim_count, i, shrink, sizes);
        while (work_of(s, sizes) > most_work && ++shrink < PROOF_SHRINKS);
        if (work_of(s, sizes) <= 64.0 * most_work &&
            rung_proof_begin_some(s, rung_proof_role_is_largest(s->op->dim_count, i), "one size", PROOF_PLAIN, sizes))
            rung_proof_draw_and_try(s);
    }
}

/* Any sizes together, which another seed draws anew: what is wrong in one corner of a tile alone is found by some. */
static void try_drawn(proof_stand *s)
{
    enum { DRAWN = 300, LARGEST = 80, HALVINGS = 32 };
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    for (size_t i = 0; i < DRAWN && s->op->dim_count > 1; i++) {
        proof_random random = rung_proof_random_of(s->journal->seed ^ 0x73697a6573ULL, i);
        for (unsigned d = 0; d < s->op->dim_count; d++)
            sizes[d] = 1 + rung_proof_random_below(&random, LARGEST);
        for (unsigned turn = 0; turn < HALVINGS && work_of(s, sizes) > most_work; turn++) {
            size_t *size = &sizes[turn % s->op->dim_count];
            *size = (*size + 1) / 2;
        }
        if (rung_proof_begin(s, "drawn sizes", PROOF_PLAIN, sizes))
            rung_proof_draw_and_try(s);
    }
}

static void try_row(proof_stand *s, const char *about, const size_t *sizes, unsigned turn)
{
    rung_proof_begin_anyway(s, about, PROOF_PLAIN, sizes);
    for (size_t i = 0; i < s->op->arg_count; i++)
        if (s->op->args[i].optional && proof_is_written(&s->op->args[i]) && work_of(s, sizes) > most_optional_work)
            s->now->given &= ~(1u << i);
    for (size_t i = 0; i < s->op->arg_count; i++)
        s->now->place[i] = (int8_t)(turn == 0 ? PROOF_AT_END : (int)((3 * i + 1) % PROOF_PLACES));
    rung_proof_draw_and_try(s);
}

/* Those that the registry names: twice, and once where there is little time. And those at which kernels are timed, so
 * that no cell is fast by being wrong there. */
static void try_named(proof_stand *s)
{
    for (size_t row = 0; row < s->op->size_count; row++)
        for (unsigned turn = 0; turn < (s->quick ? 1U : 2U); turn++)
            try_row(s, "sizes of the registry", s->op->sizes + row * s->op->dim_count, turn);
    for (size_t row = 0; row < s->op->bench_count && !s->quick; row++)
        try_row(s, "sizes of benchmarks", s->op->bench + row * s->op->dim_count, 0);
}

static void try_places(proof_stand *s)
{
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    for (int place = PROOF_AT_START; place < PROOF_PLACES; place++) {
        for (size_t which = 0; which < 4; which++) {
            rung_proof_middle(s->op->dim_count, which, sizes);
            if (!rung_proof_begin_some(s, which == 0, "places", PROOF_PLAIN, sizes))
                continue;
            for (size_t i = 0; i < s->op->arg_count; i++) /* of two cases: all alike, and each elsewhere */
                s->now->place[i] =
                    (int8_t)(place < 0 || which % 2 == 0 ? place : (int)(((size_t)place + 5 * i) % PROOF_PLACES));
            rung_proof_draw_and_try(s);
        }
    }
}

void rung_proof_cases_sizes(proof_stand *s)
{
    try_small(s);
    try_roles(s);
    try_drawn(s);
    try_named(s);
    try_places(s);
}
