/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/moments.h"

#include <math.h>

enum { FEWEST = 64 };
static const double standard_errors = 6.0;

typedef struct moments {
    double mean, deviation;
    double of_mean, of_deviation; /* their standard errors */
    size_t finite;
} moments;

/* Of the finite elements. The standard error of a standard deviation is by its fourth moment: Rao 1973, Linear
 * Statistical Inference and Its Applications, 6h.2. */
static moments moments_of(const void *array, proof_kind kind, size_t count)
{
    moments m = {0};
    for (size_t i = 0; i < count; i++) {
        const double x = rung_proof_load(array, kind, i);
        m.finite += isfinite(x);
        m.mean += isfinite(x) ? x : 0.0;
    }
    if (m.finite == 0)
        return m;
    const double n = (double)m.finite;
    m.mean /= n;
    double second = 0.0, fourth = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double away = rung_proof_load(array, kind, i) - m.mean;
        if (!isfinite(away))
            continue;
        second += away * away / n;
        fourth += away * away * away * away / n;
    }
    m.deviation = sqrt(second);
    m.of_mean = sqrt(second / n);
    m.of_deviation = second > 0.0 ? sqrt(fmax(fourth - second * second, 0.0) / (4.0 * second * n)) : 0.0;
    return m;
}

static void compare_one(proof_stand *s, size_t arg, const char *what, double got, double want, double error,
                        const proof_wanted *w)
{
    const double allowed = w->times * (standard_errors * error + w->tolerance.rel * fabs(want) + w->tolerance.abs);
    const double away = fabs(got - want);
    if (w->worst != NULL && allowed > 0.0 && away / allowed > *w->worst)
        *w->worst = away / allowed;
    if (!(away <= allowed))
        rung_proof_fail(s->journal, "the %s of %s is %.9g, not %.9g by %s (allowed: %.3g away)", what,
                        s->op->args[arg].name, got, want, w->by, allowed);
}

void rung_proof_compare_moments(proof_stand *s, size_t arg, const void *got, const proof_wanted *w)
{
    const size_t count = s->count[arg];
    const moments g = moments_of(got, rung_proof_kind_of(&s->op->args[arg]), count);
    const moments want = moments_of(w->data, w->kind, count);
    if (g.finite != want.finite)
        rung_proof_fail(s->journal, "%zu of %zu elements of %s are finite, not %zu as by %s", g.finite, count,
                        s->op->args[arg].name, want.finite, w->by);
    else if (g.finite >= FEWEST) {
        compare_one(s, arg, "mean", g.mean, want.mean, hypot(g.of_mean, want.of_mean), w);
        compare_one(s, arg, "standard deviation", g.deviation, want.deviation, hypot(g.of_deviation, want.of_deviation),
                    w);
    }
}
