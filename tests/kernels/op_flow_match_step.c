/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_match_step: the same bits on every cell, in one step and after whole loops.
 */
#include <math.h>
#include <string.h>

#include "call.h"
#include "expected.h"
#include "flow_loop.h"
#include "parity.h"

static void compare_all(parity *p, const float *got, const float *want, size_t count)
{
    for (size_t i = 0; i < count; i++)
        parity_same(p, "y", i, got[i], want[i]);
}

static void compare(parity *p, size_t n, double sigma_t, double sigma_n, int place, int special)
{
    float *x = guarded_place(0, n, sizeof *x, place);
    float *v = guarded_place(1, n, sizeof *v, guarded_next(place, 1));
    float *y = guarded_place(2, n, sizeof *y, guarded_next(place, 2));
    float *want = guarded_place(3, n, sizeof *want, AT_END);
    parity_case(p, "n=%zu sigma %g to %g place=%d special=%d", n, sigma_t, sigma_n, place, special);
    parity_fill_float(p, x, n);
    parity_fill_float(p, v, n);
    if (special >= 0 && n > 0) {
        x[n / 2] = (float)parity_specials[special];
        v[n - 1] = (float)parity_specials[(special + 1) % PARITY_SPECIALS];
        v[n / 3] = 0x1p-149F; /* dt times it is lost, or the last denormal again */
        x[n / 3] = 0.0F;
    }
    for (size_t i = 0; i < n; i++)
        y[i] = want[i] = -7.0F;
    parity_expect(p, call_flow_match_step(p->reference, want, x, v, n, sigma_t, sigma_n) == RUNG_OK,
                  "the reference failed");
    parity_expect(p, call_flow_match_step(p->candidate, y, x, v, n, sigma_t, sigma_n) == RUNG_OK, "the call failed");
    compare_all(p, y, want, n);
    parity_expect(p, guarded_intact(), "wrote outside of an array");
}

/* The values differ from what a fused multiply-add makes of the same input, which the case itself makes sure of. */
static void compare_expected(parity *p)
{
    float y[EXPECTED_MATCH_N];
    for (size_t c = 0; c < EXPECTED_MATCH_CASES; c++) {
        const double *sigma = expected_match_sigmas + 2 * c;
        const float *want = expected_match_y + c * EXPECTED_MATCH_N;
        parity_case(p, "expected values, sigma %g to %g", sigma[0], sigma[1]);
        parity_expect(p,
                      call_flow_match_step(p->candidate, y, expected_match_x, expected_match_v, EXPECTED_MATCH_N,
                                           sigma[0], sigma[1]) == RUNG_OK,
                      "the call failed");
        compare_all(p, y, want, EXPECTED_MATCH_N);
        size_t fused = 0;
        for (size_t i = 0; i < EXPECTED_MATCH_N; i++)
            fused += fmaf((float)(sigma[1] - sigma[0]), expected_match_v[i], expected_match_x[i]) != want[i];
        parity_expect(p, fused > 0, "a fused multiply-add would pass");
    }
}

/* No step leaves the sample as it is, to the bit: where v is finite, and but for the sign of a zero. */
static void compare_no_step(parity *p)
{
    enum { N = 333 };
    float x[N], v[N], y[N];
    parity_fill_float(p, x, N);
    parity_fill_float(p, v, N);
    x[0] = INFINITY;
    x[1] = -INFINITY;
    x[2] = 0x1p-149F;
    x[3] = 0.0F;
    v[4] = 0x1.fffffep127F;
    const double sigmas[] = {0.0, 0x1p-1074, 1.0 / 3.0, 1.0};
    for (size_t s = 0; s < sizeof sigmas / sizeof sigmas[0]; s++) {
        parity_case(p, "no step at sigma %g", sigmas[s]);
        parity_expect(p, call_flow_match_step(p->candidate, y, x, v, N, sigmas[s], sigmas[s]) == RUNG_OK,
                      "the call failed");
        compare_all(p, y, x, N);
    }
}

static void compare_refused(parity *p)
{
    const double bad[] = {NAN, -0x1p-1074, 1.0 + 0x1p-52, INFINITY};
    const float x = 1.0F, v = 1.0F;
    float y = -7.0F;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        parity_case(p, "a sigma of %g", bad[i]);
        parity_expect(p, call_flow_match_step(p->candidate, &y, &x, &v, 1, bad[i], 0.5) == RUNG_ERR_ARGUMENT,
                      "sigma_t was not refused");
        parity_expect(p, call_flow_match_step(p->candidate, &y, &x, &v, 1, 0.5, bad[i]) == RUNG_ERR_ARGUMENT,
                      "sigma_n was not refused");
        parity_same(p, "y", 0, y, -7.0F);
    }
}

/* Runs the loop on both cells, each on what it made itself, and compares them after every step; x holds the start, and
 * then what the candidate ends with. */
static void compare_loop(parity *p, float *x, size_t n)
{
    static float v[FLOW_LARGE], y[FLOW_LARGE], want_x[FLOW_LARGE], want_v[FLOW_LARGE], want[FLOW_LARGE];
    memcpy(want_x, x, n * sizeof *x);
    for (size_t i = 0; i < FLOW_STEPS; i++) {
        const double sigma_t = flow_sigma(i), sigma_n = flow_sigma(i + 1);
        parity_case(p, "loop of n=%zu, step %zu, sigma %g to %g", n, i, sigma_t, sigma_n);
        flow_velocity(v, x, n);
        flow_velocity(want_v, want_x, n);
        parity_expect(p, call_flow_match_step(p->reference, want, want_x, want_v, n, sigma_t, sigma_n) == RUNG_OK,
                      "the reference failed");
        parity_expect(p, call_flow_match_step(p->candidate, y, x, v, n, sigma_t, sigma_n) == RUNG_OK,
                      "the call failed");
        compare_all(p, y, want, n);
        memcpy(x, y, n * sizeof *x);
        memcpy(want_x, want, n * sizeof *x);
    }
}

static void compare_loops(parity *p)
{
    static float x[FLOW_LARGE];
    parity_fill_float(p, x, FLOW_LARGE);
    compare_loop(p, x, FLOW_LARGE);
    for (size_t i = 1; i < FLOW_LARGE; i++)
        parity_expect(p, isfinite(x[i]) && x[i] != x[i - 1], "the loop ends in nothing that tells cells apart");

    memcpy(x, expected_loop_x, sizeof expected_loop_x);
    compare_loop(p, x, EXPECTED_LOOP_N);
    parity_case(p, "expected end of a loop");
    compare_all(p, x, expected_loop_y, EXPECTED_LOOP_N);
}

void test_flow_match_step(parity *p)
{
    static const double sigmas[][2] = {{1.0, 0.96}, {0.5, 0.5}, {0.2, 0.3}, {1.0, 0.0}, {0x1p-1074, 0.0}};
    enum { SIGMAS = sizeof sigmas / sizeof sigmas[0] };
    compare_expected(p);
    compare_no_step(p);
    compare_refused(p);
    compare_loops(p);
    for (size_t i = 0; i < PARITY_SIZES; i++)
        for (size_t s = 0; s < SIGMAS; s++)
            for (int place = AT_END; place < 8; place++)
                if (!parity_skip(p))
                    compare(p, parity_sizes[i], sigmas[s][0], sigmas[s][1], place, -1);
    for (int special = 0; special < PARITY_SPECIALS; special++)
        for (size_t i = 0; i < PARITY_SIZES; i++)
            if (!parity_skip(p))
                compare(p, parity_sizes[i], sigmas[i % SIGMAS][0], sigmas[i % SIGMAS][1], AT_END, special);
}
