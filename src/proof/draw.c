/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/draw.h"

#include <math.h>

#include "proof/shape.h"

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

static void draw_floats(const rung_proof_arg *a, size_t last, size_t count, proof_random *r, void *to)
{
    const proof_kind kind = rung_proof_kind_of(a);
    for (size_t i = 0; i < count; i++) {
        double low = -1.0, high = 1.0;
        if (a->intervals > 0) {
            const double *pair = a->interval + 2 * (a->intervals == 1 ? 0 : i % last % a->intervals);
            low = pair[0];
            high = pair[1];
        }
        rung_proof_store(to, kind, i, rung_proof_random_between(r, low, high));
    }
}

/* One of 8 is a bound. */
static void draw_integers(const rung_proof_arg *a, size_t last, size_t count, proof_random *r, void *to)
{
    const proof_limits limits = rung_proof_limits_of(a->type);
    for (size_t i = 0; i < count; i++) {
        double low = limits.low, high = limits.high;
        if (a->intervals > 0) {
            const double *pair = a->interval + 2 * (a->intervals == 1 ? 0 : i % last % a->intervals);
            low = ceil(fmax(pair[0], low));
            high = floor(fmin(pair[1], high));
        }
        const size_t turn = rung_proof_random_below(r, 16);
        const double whole = floor(rung_proof_random_between(r, low, high + 1.0));
        rung_proof_store(to, a->type, i, turn == 0 ? low : turn == 1 ? high : fmin(fmax(whole, low), high));
    }
}

/* A diagonal from 1 to 2, and the squares of some random rows, each of which is drawn anew for every element of it. */
static void draw_positive_definite(proof_kind kind, size_t k, proof_random *r, void *to)
{
    enum { ROWS = 3 };
    for (size_t i = 0; i < k * k; i++)
        rung_proof_store(to, kind, i, i / k == i % k ? rung_proof_random_between(r, 1.0, 2.0) : 0.0);
    for (unsigned row = 0; row < ROWS; row++) {
        const proof_random start = *r;
        proof_random down = start;
        for (size_t i = 0; i < k; i++) {
            const double left = rung_proof_random_between(&down, -0.5, 0.5);
            *r = start;
            for (size_t j = 0; j <= i; j++) {
                const double right = rung_proof_random_between(r, -0.5, 0.5);
                const double sum = rung_proof_load(to, kind, i * k + j) + left * right;
                rung_proof_store(to, kind, i * k + j, sum);
                rung_proof_store(to, kind, j * k + i, sum);
            }
        }
    }
}

void rung_proof_draw_array(const rung_proof_op *op, size_t arg, const rung_value *values, proof_random *r, void *to)
{
    const rung_proof_arg *a = &op->args[arg];
    const size_t count = rung_proof_elements(op, arg, values);
    if (count == 0)
        return;
    const size_t last = a->axes > 0 ? rung_proof_axis_length(&a->shape[a->axes - 1], values) : 1;
    if (a->values == RUNG_PROOF_POSITIVE_DEFINITE)
        draw_positive_definite(a->type, last, r, to);
    else if (rung_proof_kind_floats(rung_proof_kind_of(a)))
        draw_floats(a, last, count, r, to);
    else
        draw_integers(a, last, count, r, to);
}

/* ---- scalars ----------------------------------------------------------------------------------------------------- */

static bool bounded_below(const rung_proof_arg *a)
{
    return a->has_low && isfinite(a->low);
}

static bool bounded_above(const rung_proof_arg *a)
{
    return a->has_high && isfinite(a->high);
}

static double draw_between_bounds(const rung_proof_arg *a, proof_random *r)
{
    const bool floats = rung_proof_kind_floats(a->type);
    const double reach = floats ? 2.0 : 16.0; /* from one bound, or on both sides of 0 */
    double low = bounded_below(a) ? a->low : bounded_above(a) ? a->high - reach : -reach;
    double high = bounded_above(a) ? a->high : bounded_below(a) ? a->low + reach : reach;
    if (floats)
        return rung_proof_random_between(r, low, high);
    low = fmax(low, rung_proof_limits_of(a->type).low);
    high = fmin(high, rung_proof_limits_of(a->type).high);
    return fmin(floor(rung_proof_random_between(r, ceil(low), floor(high) + 1.0)), floor(high));
}

size_t rung_proof_levels(const rung_proof_arg *arg)
{
    return (size_t)arg->tries + bounded_below(arg) + bounded_above(arg) + 1;
}

double rung_proof_level(const rung_proof_arg *arg, size_t level, proof_random *r)
{
    if (level < arg->tries)
        return arg->try_values[level];
    level -= arg->tries;
    if (bounded_below(arg) && level-- == 0)
        return arg->low;
    if (bounded_above(arg) && level-- == 0)
        return arg->high;
    return draw_between_bounds(arg, r);
}

double rung_proof_draw_scalar(const rung_proof_arg *arg, proof_random *r)
{
    const double value = rung_proof_level(arg, rung_proof_random_below(r, rung_proof_levels(arg) + 1), r);
    return isfinite(value) ? value : draw_between_bounds(arg, r);
}

bool rung_proof_in_range(const rung_proof_arg *arg, double value)
{
    if (isnan(value))
        return !(arg->has_low || arg->has_high || arg->not_nan);
    return !(arg->has_low && value < arg->low) && !(arg->has_high && value > arg->high);
}

/* ---- values of their own kind ------------------------------------------------------------------------------------ */

double rung_proof_special(proof_kind kind, size_t which)
{
    const proof_limits limits = rung_proof_limits_of(kind);
    const double values[PROOF_SPECIALS] = {
        NAN, INFINITY, -INFINITY, 0.0, -0.0, limits.tiny, -0.375 * limits.normal, limits.normal,
    };
    return values[which % PROOF_SPECIALS];
}

double rung_proof_huge(proof_kind kind, size_t which)
{
    const double largest = rung_proof_limits_of(kind).high;
    const double values[PROOF_HUGES] = {largest, -largest, largest / 2.0};
    return values[which % PROOF_HUGES];
}
