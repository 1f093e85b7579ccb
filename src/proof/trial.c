/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/trial.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "proof/compare.h"
#include "proof/draw.h"
#include "proof/guard.h"
#include "proof/invoke.h"
#include "proof/shape.h"

enum {
    QUICK = 13,        /* of so many alike cases a quick proof takes one: no factor of what the cases loop over */
    LAUNCHED_AGAIN = 4 /* of so many calls on a device, one is repeated */
};

/* Of a case with sizes that nobody has named. */
static const double most_work = 2.56e7;

/* The work from which on the case goes without wide numbers. Where these are not the processor's own (AArch64: IEEE
 * binary128 by software) they cost some hundred times as much as double. */
static double most_wide_work(const proof_stand *s)
{
    const bool slow = LDBL_MANT_DIG > 64;
    if (s->quick)
        return slow ? 1e4 : 3e5;
    return slow ? 1e5 : 2e7;
}

/* ---- a case ------------------------------------------------------------------------------------------------------ */

static void draw_given(proof_stand *s)
{
    proof_case *c = s->now;
    for (size_t i = 0; i < s->op->arg_count; i++)
        if (s->op->args[i].pointer && (!s->op->args[i].optional || rung_proof_random_below(&s->random, 2) == 0))
            c->given |= 1u << i;
}

/* All at the end, all at the beginning, or each somewhere. */
static void draw_places(proof_stand *s)
{
    const size_t turn = rung_proof_random_below(&s->random, 4);
    for (size_t i = 0; i < s->op->arg_count; i++) {
        const size_t at = rung_proof_random_below(&s->random, PROOF_PLACES);
        s->now->place[i] = (int8_t)(turn < 2 ? PROOF_AT_END : turn == 2 ? PROOF_AT_START : (int)at);
    }
}

static bool all_exact(const proof_stand *s)
{
    bool exact = true;
    for (size_t i = 0; i < s->op->arg_count; i++)
        exact = exact && (s->exact[i] || !proof_is_written(&s->op->args[i]));
    return exact;
}

/* Whether a 0 has to be another number: what it makes of an infinity or of NaN is NaN by arithmetic, and 0 in BLAS,
 * which does not look at what is multiplied by it. Exact results leave no such choice. */
static bool must_not_vanish(const proof_stand *s, size_t scalar)
{
    return s->now->round != PROOF_PLAIN && rung_proof_kind_floats(s->op->args[scalar].type) &&
           !rung_proof_says_unread(s->op, scalar) && !all_exact(s);
}

static void draw_scalar(proof_stand *s, size_t scalar)
{
    const rung_proof_arg *a = &s->op->args[scalar];
    double value = rung_proof_draw_scalar(a, &s->random);
    for (unsigned turn = 0; turn < 16 && value == 0.0 && must_not_vanish(s, scalar); turn++)
        value = rung_proof_draw_scalar(a, &s->random);
    rung_proof_scalar_set(&s->now->values[scalar], a->type, value);
}

void rung_proof_begin_anyway(proof_stand *s, const char *about, proof_round round, const size_t *sizes)
{
    proof_case *c = s->now;
    s->journal->at_work = true;
    if (s->journal->seconds > 0)
        (void)alarm(s->journal->seconds);
    s->random = rung_proof_random_of(s->journal->seed, s->turn++);
    memset(c, 0, sizeof *c);
    (void)snprintf(c->about, sizeof c->about, "%s", about);
    c->round = round;
    memset(c->same_as, RUNG_PROOF_NO_ARG, sizeof c->same_as);
    for (size_t i = 0; i < s->op->arg_count; i++)
        if (!s->op->args[i].pointer)
            draw_scalar(s, i);
    for (size_t d = 0; d < s->op->dim_count; d++)
        c->values[s->op->dims[d]].size = sizes[d];
    draw_given(s);
    draw_places(s);
}

/* A size that its argument's range leaves out becomes one inside. */
static size_t in_range(const rung_proof_arg *a, size_t size)
{
    const size_t low = a->has_low && a->low > 0.0 ? (size_t)ceil(a->low) : 0;
    if (a->has_high && a->high < 0x1p63 && (double)size > a->high) {
        const size_t high = (size_t)fmax(floor(a->high), 0.0);
        return high < low ? low : low + size % (high - low + 1);
    }
    return size < low ? low + size : size;
}

/* Sizes in their ranges, of which one case does not take seconds: else the largest ones are halved. False: there are
 * none. */
static bool fit(const proof_stand *s, const size_t *sizes, size_t *fitted)
{
    const rung_proof_op *op = s->op;
    for (size_t d = 0; d < op->dim_count; d++)
        fitted[d] = in_range(&op->args[op->dims[d]], sizes[d]);
    while (rung_proof_work_at(op, fitted) > most_work) {
        size_t largest = op->dim_count;
        for (size_t d = 0; d < op->dim_count; d++) {
            const size_t half = fitted[d] / 2;
            if (half > 0 && rung_proof_in_range(&op->args[op->dims[d]], (double)half) &&
                (largest == op->dim_count || fitted[d] > fitted[largest]))
                largest = d;
        }
        if (largest == op->dim_count)
            return false;
        fitted[largest] /= 2;
    }
    return true;
}

bool rung_proof_begin_some(proof_stand *s, bool kept, const char *about, proof_round round, const size_t *sizes)
{
    size_t fitted[RUNG_PROOF_DIMS_MAX];
    if ((s->quick && !kept && s->turn % QUICK != 0) || !fit(s, sizes, fitted)) {
        s->turn++;
        return false;
    }
    rung_proof_begin_anyway(s, about, round, fitted);
    return true;
}

bool rung_proof_begin(proof_stand *s, const char *about, proof_round round, const size_t *sizes)
{
    return rung_proof_begin_some(s, false, about, round, sizes);
}

bool rung_proof_draw(proof_stand *s)
{
    for (size_t i = 0; i < s->op->arg_count; i++) {
        const rung_proof_arg *a = &s->op->args[i];
        if (!a->pointer)
            continue;
        const proof_kind kind = rung_proof_kind_of(a);
        s->count[i] = rung_proof_elements(s->op, i, s->now->values);
        void *to = rung_proof_room_for(s, &s->before[i], s->count[i] * rung_proof_kind_size(kind));
        if (to == NULL)
            return false;
        if (rung_proof_is_unread(s->op, i, s->now->values))
            rung_proof_fill_unwritten(to, kind, s->count[i]);
        else
            rung_proof_draw_array(s->op, i, s->now->values, &s->random, to);
    }
    return true;
}

bool rung_proof_aliased(const proof_case *c, size_t args, size_t arg)
{
    bool found = c->same_as[arg] != RUNG_PROOF_NO_ARG;
    for (size_t i = 0; i < args; i++)
        found = found || c->same_as[i] == arg;
    return found;
}

/* ---- its checks -------------------------------------------------------------------------------------------------- */

/* Results from the arrays of the call. */
static bool take_results(proof_stand *s)
{
    for (size_t i = 0; i < s->op->arg_count; i++) {
        if (!proof_is_result(s, i))
            continue;
        const size_t bytes = rung_proof_bytes_of(s, i);
        if (rung_proof_room_for(s, &s->got[i], bytes) == NULL)
            return false;
        memcpy(s->got[i].data, s->at[i].array, bytes);
    }
    return true;
}

static bool is_nan_throughout(const proof_stand *s, size_t arg)
{
    for (size_t i = 0; i < s->count[arg]; i++)
        if (!isnan(rung_proof_load(s->got[arg].data, rung_proof_kind_of(&s->op->args[arg]), i)))
            return false;
    return true;
}

/* What the reference refuses has to be refused: on a device by NaN, as nobody waits for an answer there. */
static void check_refused(proof_stand *s, rung_status status)
{
    if (status == RUNG_ERR_NUMERIC) {
        s->journal->checks++;
        return;
    }
    if (!s->launched || status != RUNG_OK) {
        rung_proof_expect(s->journal, false, "the reference refuses this with RUNG_ERR_NUMERIC, the cell does not");
        return;
    }
    bool any = false;
    for (size_t i = 0; i < s->op->arg_count; i++) {
        if (!proof_is_result(s, i) || !s->op->args[i].refused_as_nan)
            continue;
        any = true;
        s->journal->checks++;
        if (!is_nan_throughout(s, i))
            rung_proof_fail(s->journal, "the reference refuses this, and %s is not NaN throughout",
                            s->op->args[i].name);
    }
    rung_proof_expect(s->journal, any, "the reference refuses this, and the cell has no array that could tell");
}

static void compare_with_reference(proof_stand *s)
{
    if (s->magnitudes && !rung_proof_call_magnitude(s)) {
        if (s->journal->no_memory)
            return;
        rung_proof_fail(s->journal, "the reference does not take the absolute values of these arguments");
        return;
    }
    for (size_t i = 0; i < s->op->arg_count; i++) {
        if (!proof_is_result(s, i))
            continue;
        const proof_wanted wanted = {.by = "the reference",
                                     .data = s->want[i].data,
                                     .kind = rung_proof_kind_of(&s->op->args[i]),
                                     .tolerance = s->tolerance[i],
                                     .times = 1.0,
                                     .exact = s->exact[i],
                                     .worst = &s->journal->worst};
        rung_proof_compare_array(s, i, s->got[i].data, &wanted);
    }
}

static void compare_with_wide(proof_stand *s)
{
    if (s->now->round != PROOF_PLAIN || s->op->call_wide == NULL ||
        rung_proof_work_of(s->op, s->now->values) > most_wide_work(s) || rung_proof_call_wide(s) != RUNG_OK)
        return;
    s->journal->worst_wide = fmax(s->journal->worst_wide, 0.0);
    for (size_t i = 0; i < s->op->arg_count; i++) {
        const rung_proof_arg *a = &s->op->args[i];
        if (!proof_is_result(s, i) || (a->type != RUNG_PROOF_FLOAT && a->type != RUNG_PROOF_DOUBLE))
            continue;
        const proof_wanted wanted = {.by = "the reference in wide numbers",
                                     .data = s->wide[i].data,
                                     .kind = PROOF_WIDE,
                                     .tolerance = s->rounding[i],
                                     .times = 1.0,
                                     .worst = &s->journal->worst_wide};
        rung_proof_compare_array(s, i, s->got[i].data, &wanted);
    }
}

/* The same call, by way of the dispatch, the same bits. */
static void repeat(proof_stand *s, rung_status first)
{
    rung_proof_refill(s);
    const rung_status status = rung_proof_call_cell(s, false);
    rung_proof_check_memory(s);
    rung_proof_expect(s->journal, status == first, "the same call gives another answer");
    for (size_t i = 0; i < s->op->arg_count && status == RUNG_OK; i++)
        if (proof_is_result(s, i))
            rung_proof_compare_bits(s, i, s->got[i].data, s->at[i].array, "when the call is repeated");
}

bool rung_proof_try(proof_stand *s)
{
    for (size_t i = 0; i < s->op->arg_count; i++) /* what is read and written, and is another array as well */
        if (s->op->args[i].pointer && s->now->same_as[i] != RUNG_PROOF_NO_ARG && proof_is_read(&s->op->args[i]))
            memcpy(s->before[i].data, s->before[s->now->same_as[i]].data, rung_proof_bytes_of(s, i));
    s->journal->cases++;
    const rung_status expected = rung_proof_call_reference(s);
    if (expected == RUNG_ERR_MEMORY) {
        s->journal->no_memory = true;
        return false;
    }
    if (expected != RUNG_OK && expected != RUNG_ERR_NUMERIC && expected != RUNG_ERR_ARGUMENT) {
        rung_proof_fail(s->journal, "the reference answers: %s", rung_status_text(expected));
        return false;
    }
    if (!rung_proof_place(s))
        return false;
    if (expected == RUNG_ERR_ARGUMENT) { /* not called without the checks of its dispatch; nor is it one */
        if (rung_proof_call_cell(s, false) != expected)
            rung_proof_fail(s->journal, "the reference refuses this as a bad argument, the cell does not");
        rung_proof_check_memory(s);
        return false;
    }
    /* watched before it is not: a control state that it leaves changed would else be taken for the caller's */
    const rung_status status = rung_proof_call_cell(s, true);
    if (!take_results(s))
        return false;
    rung_proof_check_memory(s);
    const bool answered = expected == RUNG_OK && status == RUNG_OK;
    if (expected == RUNG_ERR_NUMERIC) {
        check_refused(s, status);
    } else if (status != RUNG_OK) {
        rung_proof_fail(s->journal, "the call answers: %s", rung_status_text(status));
    } else {
        compare_with_reference(s);
        compare_with_wide(s);
    }
    if (!s->launched || s->turn % LAUNCHED_AGAIN == 0)
        repeat(s, status);
    return answered;
}

void rung_proof_draw_and_try(proof_stand *s)
{
    if (rung_proof_draw(s))
        (void)rung_proof_try(s);
}

bool rung_proof_call_again(proof_stand *s)
{
    if (!rung_proof_place(s))
        return false;
    s->journal->cases++;
    const rung_status status = rung_proof_call_cell(s, false);
    rung_proof_check_memory(s);
    if (status != RUNG_OK)
        rung_proof_fail(s->journal, "the call answers: %s", rung_status_text(status));
    return status == RUNG_OK && take_results(s);
}
