/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_sde_step. The tolerance is that of the float outputs, one rounding; the double ones are held to 1e-12.
 */
#include <math.h>
#include <string.h>

#include "call.h"
#include "expected.h"
#include "flow_loop.h"
#include "parity.h"

static const double half_ln_2pi = 0.918938533204672741780;

/* One call. */
typedef struct sde {
    const float *x, *v, *noise, *sample;
    size_t n;
    double sigma_t, sigma_n, noise_scale;
} sde;

/* What it answers. */
typedef struct drawn {
    float *y, *mean;
    double log_prob, e;
} drawn;

static void call(parity *p, const rung_ctx *cx, const sde *s, drawn *to)
{
    to->log_prob = to->e = NAN;
    for (size_t i = 0; i < s->n; i++)
        to->y[i] = to->mean[i] = -7.0F;
    parity_expect(p,
                  call_flow_sde_step(cx, to->y, to->mean, &to->log_prob, &to->e, s->x, s->v, s->noise, s->sample, s->n,
                                     s->sigma_t, s->sigma_n, s->noise_scale) == RUNG_OK,
                  "the call failed");
}

/* A double output: a value whose terms add up to `scale` at most. */
static void close_double(parity *p, const char *what, double got, double want, double scale)
{
    parity_close(p, what, 0, got, want, scale * (1e-12 / p->rel));
}

/* mean = of_x x + of_v v, as the reference has it. */
typedef struct drift {
    double of_x, of_v;
} drift;

static drift drift_of(parity *p, const sde *s)
{
    const float one = 1.0F, zero = 0.0F;
    float y, of_x, of_v;
    sde unit = {&one, &zero, NULL, NULL, 1, s->sigma_t, s->sigma_n, s->noise_scale};
    call(p, p->reference, &unit, &(drawn){.y = &y, .mean = &of_x});
    unit.x = &zero;
    unit.v = &one;
    call(p, p->reference, &unit, &(drawn){.y = &y, .mean = &of_v});
    return (drift){of_x, of_v};
}

/* Holds `got` to `want`. The double arithmetic behind an element may differ by the last bits of the terms of the mean,
 * which cancel, and which are divided by e in log_prob. */
static void compare_drawn(parity *p, const sde *s, const drawn *got, const drawn *want)
{
    const drift a = drift_of(p, s);
    double scale = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const double terms = (fabs(a.of_x) + 2.0) * fabs(s->x[i]) + (fabs(a.of_v) + 1.0) * fabs(s->v[i]);
        const double y = want->y[i], mean = want->mean[i];
        parity_close(p, "y", i, got->y[i], y, s->sample != NULL ? fabs(y) : fabs(y) + 1e-8 * terms);
        parity_close(p, "mean", i, got->mean[i], mean, fabs(mean) + 1e-8 * terms);
        scale += (fabs(y - mean) + p->rel * fabs(mean)) / want->e * ((fabs(y - mean) + terms) / want->e) / (double)s->n;
    }
    close_double(p, "e", got->e, want->e, want->e);
    close_double(p, "log_prob", got->log_prob, want->log_prob, scale + fabs(log(want->e)) + 1.0);
}

/* ---- both cells ---------------------------------------------------------------------------------------------------
 */

enum { NOTHING, NOISE, SAMPLE, BOTH, GIVEN };

static void compare(parity *p, const double shown[3], size_t n, int given, int place, int special)
{
    float *x = guarded_place(0, n, sizeof *x, place);
    float *v = guarded_place(1, n, sizeof *v, guarded_next(place, 1));
    float *noise = guarded_place(2, n, sizeof *noise, guarded_next(place, 2));
    float *sample = guarded_place(3, n, sizeof *sample, guarded_next(place, 3));
    drawn got = {.y = guarded_place(4, n, sizeof(float), guarded_next(place, 4)),
                 .mean = guarded_place(5, n, sizeof(float), guarded_next(place, 5))};
    drawn want = {.y = guarded_place(6, n, sizeof(float), AT_END), .mean = guarded_place(7, n, sizeof(float), AT_END)};
    parity_case(p, "n=%zu sigma %g to %g scale %g given=%d place=%d special=%d", n, shown[0], shown[1], shown[2], given,
                place, special);
    parity_fill_float(p, x, n);
    parity_fill_float(p, v, n);
    parity_fill_float(p, noise, n);
    parity_fill_float(p, sample, n);
    if (special >= 0 && n > 0) {
        float *const arrays[] = {x, v, noise, sample};
        arrays[special % 4][n / 2] = (float)parity_specials[special / 4];
    }
    sde s = {x, v, given & NOISE ? noise : NULL, given & SAMPLE ? sample : NULL, n, shown[0], shown[1], shown[2]};
    call(p, p->reference, &s, &want);
    call(p, p->candidate, &s, &got);
    compare_drawn(p, &s, &got, &want);
    for (size_t i = 0; i < n && s.sample != NULL; i++)
        parity_same(p, "y", i, got.y[i], sample[i]);
    parity_expect(p, guarded_intact(), "wrote outside of an array");
}

/* Usual steps, and every bound: sigma_t at and near 1 and 0, no step, a step up, no noise. */
static const double steps[][3] = {
    {0.5, 0.45, 0.7},    {0.9, 0.8, 1.5},  {1.0, 0.98, 0.7},      {0.99995, 0.97, 0.7},
    {0.9999, 0.97, 0.7}, {0.02, 0.0, 0.7}, {5e-7, 0.0, 0.7},      {0.0, 0.0, 0.7},
    {0.4, 0.4, 0.7},     {0.4, 0.6, 0.7},  {0.4, 0.4 - 1e-13, 3}, {0.6, 0.5, 0.0},
    {0.6, 0.5, 1e-200},  {0.0, 1.0, 0.7},  {1.0, 0.0, 0.7},       {1.0, 1.0, 0.7},
};
enum { STEPS = sizeof steps / sizeof steps[0] };

enum { LARGE = 1050001 }; /* elements beyond any grid of the kernels */

static void compare_cells(parity *p)
{
    unsigned turn = 0;
    for (size_t i = 0; i < PARITY_SIZES; i++)
        for (size_t s = 0; s < STEPS; s++)
            for (int given = 0; given < GIVEN; given++, turn++)
                if (!parity_skip(p))
                    compare(p, steps[s], parity_sizes[i], given, turn % 2 ? AT_END : (int)(turn / 2 % 8), -1);
    for (int special = 0; special < 4 * PARITY_SPECIALS; special++)
        for (size_t s = 0; s < STEPS; s++)
            for (int given = 0; given < GIVEN; given++)
                if (!parity_skip(p))
                    compare(p, steps[s], 9, given, AT_END, special);
    compare(p, steps[0], FLOW_LARGE, NOISE, AT_END, -1);
    compare(p, steps[0], LARGE, NOISE, 0, -1);
}

static void compare_expected(parity *p)
{
    float y[EXPECTED_SDE_N], mean[EXPECTED_SDE_N], want_y[EXPECTED_SDE_N], want_mean[EXPECTED_SDE_N];
    for (size_t c = 0; c < EXPECTED_SDE_CASES; c++) {
        const double *shown = expected_sde_given + 4 * c;
        sde s = {expected_sde_x,
                 expected_sde_v,
                 shown[3] == NOISE ? expected_sde_noise : NULL,
                 shown[3] == SAMPLE ? expected_sde_sample : NULL,
                 EXPECTED_SDE_N,
                 shown[0],
                 shown[1],
                 shown[2]};
        drawn got = {.y = y, .mean = mean};
        drawn want = {.y = want_y, .mean = want_mean, .log_prob = expected_sde_log_prob[c], .e = expected_sde_e[c]};
        memcpy(want_y, expected_sde_y + c * EXPECTED_SDE_N, sizeof want_y);
        memcpy(want_mean, expected_sde_mean + c * EXPECTED_SDE_N, sizeof want_mean);
        parity_case(p, "expected values, case %zu", c);
        call(p, p->candidate, &s, &got);
        compare_drawn(p, &s, &got, &want);
    }
}

/* ---- properties ---------------------------------------------------------------------------------------------------
 */

enum { N = 61 };
typedef struct some {
    float x[N], v[N], noise[N], y[N], mean[N];
} some;

static sde some_step(parity *p, some *a, const double shown[3])
{
    parity_fill_float(p, a->x, N);
    parity_fill_float(p, a->v, N);
    parity_fill_float(p, a->noise, N);
    return (sde){a->x, a->v, a->noise, NULL, N, shown[0], shown[1], shown[2]};
}

static double largest(const float *v, size_t count)
{
    double most = 0.0;
    for (size_t i = 0; i < count; i++)
        if (fabs(v[i]) > most)
            most = fabs(v[i]);
    return most;
}

static double peak_of(double e)
{
    return -log(e) - half_ln_2pi;
}

/* The mean is the likeliest sample, as likely as e says. It is told in float, so its distance is not quite 0. */
static void compare_peak(parity *p, const double shown[3])
{
    some a;
    const float zeros[N] = {0.0F};
    float again[N], mean[N];
    sde s = some_step(p, &a, shown);
    drawn got = {.y = a.y, .mean = a.mean}, at_mean = {.y = again, .mean = mean};
    parity_case(p, "at the mean, sigma %g to %g scale %g", shown[0], shown[1], shown[2]);
    call(p, p->candidate, &s, &got);
    s.sample = a.mean;
    call(p, p->candidate, &s, &at_mean);
    const double peak = peak_of(at_mean.e), off = largest(a.mean, N) * 0x1p-24 / at_mean.e;
    parity_expect(p, at_mean.log_prob <= peak + 1e-12 * (fabs(peak) + 1.0), "likelier than the mean");
    parity_expect(p, at_mean.log_prob >= peak - 0.5 * off * off - 1e-12 * (fabs(peak) + 1.0), "the mean is unlikely");
    s = (sde){zeros, zeros, NULL, zeros, N, shown[0], shown[1], shown[2]};
    call(p, p->candidate, &s, &at_mean);
    close_double(p, "log_prob", at_mean.log_prob, peak_of(at_mean.e), fabs(log(at_mean.e)) + 1.0);
}

/* No noise is zero noise; and noise is not looked at where the sample is known. */
static void compare_noise(parity *p, const double shown[3])
{
    some a;
    float y[N], mean[N];
    const float zeros[N] = {0.0F};
    sde s = some_step(p, &a, shown);
    drawn with = {.y = a.y, .mean = a.mean}, without = {.y = y, .mean = mean};
    for (int sampled = 0; sampled < 2; sampled++) {
        parity_case(p, "%s, sigma %g to %g scale %g", sampled ? "noise beside a sample" : "zero noise and none",
                    shown[0], shown[1], shown[2]);
        s.sample = sampled ? a.x : NULL;
        s.noise = sampled ? a.noise : zeros;
        call(p, p->candidate, &s, &with);
        s.noise = NULL;
        call(p, p->candidate, &s, &without);
        for (size_t i = 0; i < N; i++) {
            parity_same(p, "y", i, y[i], a.y[i]);
            parity_same(p, "mean", i, mean[i], a.mean[i]);
            parity_same(p, "y", i, y[i], sampled ? a.x[i] : mean[i]);
        }
        parity_expect(p, with.log_prob == without.log_prob && with.e == without.e, "log_prob or e differs");
    }
}

/* What was drawn, given back as the sample, is as likely as it was: up to its rounding to float. */
static void compare_replay(parity *p, const double shown[3])
{
    some a;
    float again[N], mean[N];
    sde s = some_step(p, &a, shown);
    drawn first = {.y = a.y, .mean = a.mean}, second = {.y = again, .mean = mean};
    parity_case(p, "drawn and replayed, sigma %g to %g scale %g", shown[0], shown[1], shown[2]);
    call(p, p->candidate, &s, &first);
    double bound = 1e-12 * (fabs(log(first.e)) + 2.0);
    for (size_t i = 0; i < N; i++) {
        const double rounding = fabs(a.y[i]) * 0x1p-24 / first.e;
        bound += rounding * (fabs(a.noise[i]) + rounding) / N;
    }
    s.sample = a.y;
    call(p, p->candidate, &s, &second);
    parity_expect(p, fabs(first.log_prob - second.log_prob) <= bound, "another log_prob");
}

/* The less noise, the nearer the mean to flow_match_step: at 1/10 of the scale 1/100 of the way, down to rounding. */
static void compare_quiet(parity *p)
{
    some a;
    float match[N];
    double last = INFINITY;
    sde s = some_step(p, &a, steps[0]);
    drawn got = {.y = a.y, .mean = a.mean};
    parity_expect(p, call_flow_match_step(p->reference, match, a.x, a.v, N, s.sigma_t, s.sigma_n) == RUNG_OK,
                  "flow_match_step failed");
    const double rounding = 3.0 * 0x1p-24; /* of terms that are below 1 */
    for (s.noise_scale = 0.5; s.noise_scale > 1e-7; s.noise_scale /= 10.0) {
        parity_case(p, "noise_scale %g", s.noise_scale);
        call(p, p->candidate, &s, &got);
        double most = 0.0;
        for (size_t i = 0; i < N; i++) {
            most = fmax(most, fabs((double)a.mean[i] - match[i]));
            parity_expect(p, fabs((double)a.y[i] - a.mean[i]) <= got.e + rounding, "noise above e");
        }
        parity_expect(p, most <= 0.0101 * last + rounding, "mean does not tend to flow_match_step");
        last = most;
    }
    parity_expect(p, last <= rounding && got.e == 1e-6, "mean or e has not reached its limit");
}

/* The same bits in every run. */
static void compare_runs(parity *p)
{
    static float x[FLOW_LARGE], v[FLOW_LARGE], noise[FLOW_LARGE], y[FLOW_LARGE], mean[FLOW_LARGE];
    double log_prob[2];
    parity_case(p, "twice, n=%d", (int)FLOW_LARGE);
    parity_fill_float(p, x, FLOW_LARGE);
    parity_fill_float(p, v, FLOW_LARGE);
    parity_fill_float(p, noise, FLOW_LARGE);
    sde s = {x, v, noise, NULL, FLOW_LARGE, steps[0][0], steps[0][1], steps[0][2]};
    for (int run = 0; run < 2; run++) {
        drawn got = {.y = y, .mean = mean};
        call(p, p->candidate, &s, &got);
        log_prob[run] = got.log_prob;
    }
    parity_expect(p, memcmp(&log_prob[0], &log_prob[1], sizeof log_prob[0]) == 0, "another log_prob");
}

/* Nothing to draw: log_prob is 0, e is what it always is. */
static void compare_empty(parity *p)
{
    for (size_t i = 0; i < STEPS; i++) {
        double log_prob = NAN, e = NAN;
        float y, mean;
        const float x = 0.25F, v = 0.5F;
        parity_case(p, "n=0 sigma %g to %g scale %g", steps[i][0], steps[i][1], steps[i][2]);
        parity_expect(p,
                      call_flow_sde_step(p->candidate, NULL, NULL, &log_prob, &e, NULL, NULL, NULL, NULL, 0,
                                         steps[i][0], steps[i][1], steps[i][2]) == RUNG_OK,
                      "the call failed");
        sde one = {&x, &v, NULL, NULL, 1, steps[i][0], steps[i][1], steps[i][2]};
        drawn got = {.y = &y, .mean = &mean};
        call(p, p->candidate, &one, &got);
        parity_expect(p, log_prob == 0.0, "log_prob is not 0");
        parity_expect(p, e == got.e && e >= 1e-6, "e depends on n, or is below its bound");
    }
}

/* A sample that is drawn is as many standard deviations away as its noise says, however large the mean. */
static void compare_large_mean(parity *p)
{
    static const float sizes[] = {1.0F, 1e4F, 1e8F, 1e10F, 1e30F};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        float y, mean;
        const float v = 0.0F, noise = 1.0F;
        parity_case(p, "x=%g, e at its least", (double)sizes[i]);
        sde one = {&sizes[i], &v, &noise, NULL, 1, 0.0, 0.0, 0.7};
        drawn got = {.y = &y, .mean = &mean};
        call(p, p->candidate, &one, &got);
        close_double(p, "log_prob", got.log_prob, peak_of(1e-6) - 0.5, fabs(log(1e-6)) + 1.0);
    }
}

/* What the square of a scale would not fit into. */
static void compare_large_scale(parity *p)
{
    float y, mean;
    const float x = 0.0F, v = 0.0F;
    parity_case(p, "noise_scale=1e200");
    sde one = {&x, &v, NULL, NULL, 1, 0.5, 0.4, 1e200};
    drawn got = {.y = &y, .mean = &mean};
    call(p, p->candidate, &one, &got);
    close_double(p, "e", got.e, 1e200 * sqrt(0.1), 1e200);
}

static void compare_infinite_scale(parity *p)
{
    some a;
    parity_case(p, "an infinite noise_scale");
    sde s = some_step(p, &a, (const double[]){0.5, 0.4, INFINITY});
    drawn got = {.y = a.y, .mean = a.mean};
    call(p, p->candidate, &s, &got);
    for (size_t i = 0; i < N; i++)
        parity_expect(p, !isfinite(a.mean[i]), "a finite mean");
}

static void compare_refused(parity *p)
{
    static const double bad[][3] = {{NAN, 0.5, 0.7}, {-0x1p-1074, 0.5, 0.7}, {1.0 + 0x1p-52, 0.5, 0.7},
                                    {0.5, NAN, 0.7}, {0.5, -0.1, 0.7},       {0.5, INFINITY, 0.7},
                                    {0.5, 0.4, NAN}, {0.5, 0.4, -0x1p-1074}, {0.5, 0.4, -INFINITY}};
    const float x = 1.0F, v = 1.0F;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        float y = -7.0F, mean = -7.0F;
        double log_prob = -7.0, e = -7.0;
        parity_case(p, "refused: sigma %g to %g scale %g", bad[i][0], bad[i][1], bad[i][2]);
        parity_expect(p,
                      call_flow_sde_step(p->candidate, &y, &mean, &log_prob, &e, &x, &v, NULL, NULL, 1, bad[i][0],
                                         bad[i][1], bad[i][2]) == RUNG_ERR_ARGUMENT,
                      "not refused");
        parity_expect(p, y == -7.0F && mean == -7.0F && log_prob == -7.0 && e == -7.0, "written to");
    }
}

/* ---- a loop -------------------------------------------------------------------------------------------------------
 */

/* Each step is held to the tolerance on the reference's samples, and both cells go on from what they drew themselves.
 * `reach` is how far apart roundings can have brought the two: a step takes a difference times |of_x| + 5 |of_v| at
 * most, the slope of flow_velocity being 1 to the element itself and 4 to another, and adds a rounding of its own. */
static void compare_loop(parity *p)
{
    static float x[FLOW_LARGE], want_x[FLOW_LARGE], v[FLOW_LARGE], noise[FLOW_LARGE];
    static float y[FLOW_LARGE], mean[FLOW_LARGE], want_y[FLOW_LARGE], want_mean[FLOW_LARGE];
    drawn got = {.y = y, .mean = mean}, want = {.y = want_y, .mean = want_mean};
    double reach = 0.0;
    parity_fill_float(p, x, FLOW_LARGE);
    memcpy(want_x, x, sizeof x);
    for (size_t i = 0; i < FLOW_STEPS; i++) {
        parity_case(p, "loop, step %zu, sigma %g to %g", i, flow_sigma(i), flow_sigma(i + 1));
        parity_fill_float(p, noise, FLOW_LARGE);
        flow_velocity(v, want_x, FLOW_LARGE);
        sde s = {want_x, v, noise, NULL, FLOW_LARGE, flow_sigma(i), flow_sigma(i + 1), 0.7};
        call(p, p->reference, &s, &want);
        call(p, p->candidate, &s, &got);
        compare_drawn(p, &s, &got, &want);

        flow_velocity(v, x, FLOW_LARGE);
        s.x = x;
        call(p, p->candidate, &s, &got);
        const drift a = drift_of(p, &s);
        reach = reach * (fabs(a.of_x) + 5.0 * fabs(a.of_v)) + p->rel * largest(want_y, FLOW_LARGE);
        for (size_t j = 0; j < FLOW_LARGE; j++)
            parity_expect(p, fabs((double)y[j] - want_y[j]) <= reach, "further apart than roundings can bring it");
        memcpy(x, y, sizeof x);
        memcpy(want_x, want_y, sizeof x);
    }
    parity_expect(p, reach < 0.1 && isfinite(got.log_prob), "the loop ends in nothing that tells cells apart");
}

void test_flow_sde_step(parity *p)
{
    compare_expected(p);
    compare_cells(p);
    for (size_t i = 0; i < STEPS; i++) {
        compare_peak(p, steps[i]);
        compare_noise(p, steps[i]);
        compare_replay(p, steps[i]);
    }
    compare_quiet(p);
    compare_runs(p);
    compare_empty(p);
    compare_large_mean(p);
    compare_large_scale(p);
    compare_infinite_scale(p);
    compare_refused(p);
    compare_loop(p);
}
