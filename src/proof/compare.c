/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/compare.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "proof/moments.h"
#include "proof/shape.h"

/* A factor that is a denormal is known to some of its last bits, and so are all products of it: in terms of the
 * smallest number, what a sum may be off. */
static const double denormal_slack = 256.0;

bool rung_proof_is_specified(const proof_stand *s, size_t arg, size_t i)
{
    const rung_proof_arg *a = &s->op->args[arg];
    if (a->compare != RUNG_PROOF_LOWER)
        return true;
    const size_t k = rung_proof_axis_length(&a->shape[a->axes - 1], s->now->values);
    return i % k <= i / k;
}

static double largest_of(const proof_stand *s, size_t arg, const proof_wanted *w)
{
    double most = 0.0;
    for (size_t i = 0; i < s->count[arg]; i++) {
        const double size = fabs(rung_proof_load(w->data, w->kind, i));
        if (rung_proof_is_specified(s, arg, i) && isfinite(size) && size > most)
            most = size;
    }
    return most;
}

/* What rounding makes of numbers near the smallest one. */
static double underflow_of(const proof_stand *s, size_t arg, const proof_wanted *w)
{
    const double tiny = rung_proof_limits_of(rung_proof_kind_of(&s->op->args[arg])).tiny;
    if (s->now->round != PROOF_PLAIN && s->op->args[arg].scale != RUNG_PROOF_ELEMENT)
        return denormal_slack * tiny;
    return w->kind == PROOF_WIDE ? tiny : 0.0;
}

static void note_worst(const proof_wanted *w, double error, double allowed)
{
    if (w->worst == NULL || error == 0.0)
        return;
    const double part = allowed > 0.0 ? error / allowed : DBL_MAX;
    if (part > *w->worst)
        *w->worst = part < DBL_MAX ? part : DBL_MAX;
}

/* In words where it is the first one of the array. */
static void fail_at(proof_stand *s, size_t arg, size_t i, const proof_wanted *w, double got, double want,
                    double allowed, size_t *failed)
{
    if ((*failed)++ > 0) {
        rung_proof_fail_too(s->journal);
        return;
    }
    char away[48] = "";
    if (isfinite(want) && allowed > 0.0)
        (void)snprintf(away, sizeof away, " (allowed: %.3g away)", allowed);
    rung_proof_fail(s->journal, "%s[%zu] is %.17g, not %.17g by %s%s", s->op->args[arg].name, i, got, want, w->by,
                    away);
}

static void compare_exact(proof_stand *s, size_t arg, const void *got, const proof_wanted *w)
{
    const proof_kind kind = rung_proof_kind_of(&s->op->args[arg]);
    size_t failed = 0;
    for (size_t i = 0; i < s->count[arg]; i++) {
        if (rung_proof_same(got, w->data, kind, i) || !rung_proof_is_specified(s, arg, i))
            continue;
        const double g = rung_proof_load(got, kind, i), want = rung_proof_load(w->data, kind, i);
        note_worst(w, 1.0, 0.0);
        fail_at(s, arg, i, w, g, want, 0.0, &failed);
    }
}

/* A number that the type has no room for: what wide numbers still hold. */
static double in_type(double want, const proof_limits *limits)
{
    return want > limits->high ? INFINITY : want < limits->low ? -INFINITY : want;
}

/* The magnitude from which on a sum may overflow on the way: factors that are scalars may come before or after it. */
static double overflow_from(const proof_stand *s, const proof_limits *limits)
{
    double least = limits->high / 64.0;
    for (size_t i = 0; i < s->op->arg_count; i++) {
        const rung_proof_arg *a = &s->op->args[i];
        const double value =
            a->pointer || !rung_proof_kind_floats(a->type) ? 0.0 : rung_proof_scalar(&s->now->values[i], a->type);
        if (value != 0.0 && fabs(value) < 1.0)
            least *= fabs(value);
    }
    return least;
}

/* Whether a scalar is infinite that may be a factor of the terms of a sum, of which infinities of both signs are then
 * NaN, or of the sum. */
static bool has_infinite_factor(const proof_stand *s)
{
    for (size_t i = 0; i < s->op->arg_count; i++) {
        const rung_proof_arg *a = &s->op->args[i];
        if (!a->pointer && rung_proof_kind_floats(a->type) && !rung_proof_says_unread(s->op, i) &&
            isinf(rung_proof_scalar(&s->now->values[i], a->type)))
            return true;
    }
    return false;
}

/* Whether an element is what it should be, and how far it is away. */
static bool is_near(const proof_wanted *w, size_t i, double got, double want, double allowed)
{
    if (!isfinite(want))
        return isnan(want) ? isnan(got) : got == want;
    const double error = w->kind == PROOF_WIDE
                             ? (double)fabsl((rung_wide)got - rung_proof_load_wide(w->data, w->kind, i))
                             : fabs(got - want);
    if (isfinite(error))
        note_worst(w, error, allowed);
    return error <= allowed;
}

static void compare_near(proof_stand *s, size_t arg, const void *got, const proof_wanted *w)
{
    const rung_proof_arg *a = &s->op->args[arg];
    const proof_kind kind = rung_proof_kind_of(a);
    const proof_limits limits = rung_proof_limits_of(kind);
    const double largest = a->scale == RUNG_PROOF_LARGEST ? largest_of(s, arg, w) : 0.0;
    const double underflow = underflow_of(s, arg, w);
    const void *magnitude = a->scale == RUNG_PROOF_MAGNITUDE ? s->magnitude[arg].data : NULL;
    const bool may_overflow = magnitude != NULL && s->now->round == PROOF_HUGE;
    const bool any_infinite = magnitude != NULL && has_infinite_factor(s);
    const double too_large = overflow_from(s, &limits);
    size_t failed = 0;
    for (size_t i = 0; i < s->count[arg]; i++) {
        const double g = rung_proof_load(got, kind, i), want = in_type(rung_proof_load(w->data, w->kind, i), &limits);
        double scale = a->scale == RUNG_PROOF_LARGEST ? largest : fabs(want);
        if (magnitude != NULL)
            scale = fabs(rung_proof_load(magnitude, kind, i));
        if (!rung_proof_is_specified(s, arg, i) || (may_overflow && !(scale < too_large)))
            continue; /* the order of a sum is free, and with it, whether it overflows on the way */
        if (any_infinite && !isfinite(want) && !isfinite(g))
            continue;
        const double allowed = w->times * (w->tolerance.rel * scale + w->tolerance.abs) + underflow;
        if (!is_near(w, i, g, want, allowed))
            fail_at(s, arg, i, w, g, want, allowed, &failed);
    }
}

void rung_proof_compare_array(proof_stand *s, size_t arg, const void *got, const proof_wanted *w)
{
    s->journal->checks += s->count[arg];
    if (s->op->args[arg].compare == RUNG_PROOF_MOMENTS)
        rung_proof_compare_moments(s, arg, got, w);
    else if (w->exact)
        compare_exact(s, arg, got, w);
    else
        compare_near(s, arg, got, w);
}

void rung_proof_compare_bits(proof_stand *s, size_t arg, const void *first, const void *second, const char *what)
{
    const proof_kind kind = rung_proof_kind_of(&s->op->args[arg]);
    const size_t size = rung_proof_kind_size(kind);
    s->journal->checks++;
    if (memcmp(first, second, s->count[arg] * size) == 0)
        return;
    for (size_t i = 0; i < s->count[arg]; i++) {
        if (!rung_proof_is_specified(s, arg, i) ||
            memcmp((const char *)first + i * size, (const char *)second + i * size, size) == 0)
            continue;
        rung_proof_fail(s->journal, "%s[%zu] is %.17g %s, and was %.17g", s->op->args[arg].name, i,
                        rung_proof_load(second, kind, i), what, rung_proof_load(first, kind, i));
        return;
    }
}
