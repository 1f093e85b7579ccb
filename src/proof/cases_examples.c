/* SPDX-License-Identifier: Apache-2.0
 *
 * cases_examples.c: calls whose results were computed outside of the project.
 */
#include <math.h>
#include <string.h>

#include "proof/cases.h"
#include "proof/compare.h"
#include "proof/shape.h"
#include "proof/trial.h"

static void set_scalars(proof_stand *s, const rung_proof_example *example)
{
    for (size_t i = 0; i < s->op->arg_count; i++) {
        const rung_proof_arg *a = &s->op->args[i];
        const rung_proof_datum *datum = &example->data[i];
        if (!a->pointer)
            memcpy(&s->now->values[i], datum->before, rung_proof_kind_size(a->type));
        else if (a->optional && datum->before == NULL && datum->after == NULL)
            s->now->given &= ~(1u << i);
        else
            s->now->given |= 1u << i;
    }
}

/* An exact result is exact here too; any other is as near as it has to be to the reference in both ways. */
static void compare(proof_stand *s, size_t arg, const rung_proof_example *example)
{
    char by[96];
    (void)snprintf(by, sizeof by, "the value from outside (%s)", example->name);
    const rung_proof_tolerance a = s->tolerance[arg], b = s->rounding[arg];
    proof_wanted wanted = {.by = by,
                           .data = example->data[arg].after,
                           .kind = rung_proof_kind_of(&s->op->args[arg]),
                           .tolerance = {fmax(a.rel, b.rel), fmax(a.abs, b.abs)},
                           .times = 1.0,
                           .exact = s->exact[arg]};
    rung_proof_compare_array(s, arg, s->got[arg].data, &wanted);
}

static void try_example(proof_stand *s, const rung_proof_example *example)
{
    size_t sizes[RUNG_PROOF_DIMS_MAX] = {0};
    char about[48];
    (void)snprintf(about, sizeof about, "example %u", s->journal->examples + 1U);
    rung_proof_begin_anyway(s, about, PROOF_PLAIN, sizes);
    set_scalars(s, example);
    if (!rung_proof_draw(s))
        return;
    for (size_t i = 0; i < s->op->arg_count; i++) {
        const rung_proof_arg *a = &s->op->args[i];
        if (a->pointer && proof_given(s->now, i) && example->data[i].before != NULL)
            memcpy(s->before[i].data, example->data[i].before, rung_proof_bytes_of(s, i));
    }
    s->journal->examples++;
    if (!rung_proof_try(s))
        return;
    for (size_t i = 0; i < s->op->arg_count; i++)
        if (proof_is_result(s, i) && example->data[i].after != NULL)
            compare(s, i, example);
}

void rung_proof_cases_examples(proof_stand *s)
{
    for (size_t i = 0; i < s->op->example_count; i++)
        try_example(s, &s->op->examples[i]);
}
