/* SPDX-License-Identifier: Apache-2.0
 *
 * factor_gradient: g[j, p] += sum over i of d[i, j, p] e[i, j].
 */
#include <math.h>
#include <string.h>

#include "call.h"
#include "expected.h"
#include "parity.h"

static double scale_of(const double *d, const double *e, double before, size_t n, size_t k, size_t at)
{
    double scale = fabs(before);
    for (size_t i = 0; i < n; i++)
        scale += fabs(d[4 * i * k + at] * e[i * k + at / 4]);
    return scale;
}

static void compare(parity *p, size_t n, size_t k, int place, int special)
{
    double *d = guarded_place(0, n * k * 4, sizeof *d, place);
    double *e = guarded_place(1, n * k, sizeof *e, guarded_next(place, 1));
    double *g = guarded_place(2, k * 4, sizeof *g, guarded_next(place, 2));
    double *want = guarded_place(3, k * 4, sizeof *want, AT_END);
    double *before = guarded_place(4, k * 4, sizeof *before, AT_END);
    parity_case(p, "n=%zu k=%zu place=%d special=%d", n, k, place, special);
    parity_fill(p, d, n * k * 4);
    parity_fill(p, e, n * k);
    parity_fill(p, before, k * 4);
    if (special >= 0 && n * k > 0) {
        d[n * k * 2] = parity_specials[special];
        e[n * k / 3] = parity_specials[(special + 2) % PARITY_SPECIALS];
    }
    if (k > 0) {
        memcpy(g, before, k * 4 * sizeof *g);
        memcpy(want, before, k * 4 * sizeof *want);
    }
    parity_expect(p, call_factor_gradient(p->reference, want, d, e, n, k) == RUNG_OK, "the reference failed");
    parity_expect(p, call_factor_gradient(p->candidate, g, d, e, n, k) == RUNG_OK, "the call failed");
    for (size_t at = 0; at < k * 4; at++)
        parity_close(p, "g", at, g[at], want[at], scale_of(d, e, before[at], n, k, at));
    parity_expect(p, guarded_intact(), "wrote outside of an array");
}

static void compare_expected(parity *p)
{
    double g[EXPECTED_GRADIENT_K * 4];
    memcpy(g, expected_gradient_before, sizeof g);
    parity_case(p, "expected values");
    parity_expect(p,
                  call_factor_gradient(p->candidate, g, expected_gradient_d, expected_gradient_e, EXPECTED_GRADIENT_N,
                                       EXPECTED_GRADIENT_K) == RUNG_OK,
                  "the call failed");
    for (size_t at = 0; at < EXPECTED_GRADIENT_K * 4; at++)
        parity_close(p, "g", at, g[at], expected_gradient_g[at],
                     scale_of(expected_gradient_d, expected_gradient_e, expected_gradient_before[at],
                              EXPECTED_GRADIENT_N, EXPECTED_GRADIENT_K, at));
}

/* The same bits in every run. */
static void compare_runs(parity *p)
{
    enum { N = 3001, K = 5 };
    double *d = guarded_place(0, (size_t)N * K * 4, sizeof *d, 1), *e = guarded_place(1, (size_t)N * K, sizeof *e, 2);
    double g[2][K * 4] = {{0.0}};
    parity_case(p, "twice, n=%d k=%d", N, K);
    parity_fill(p, d, (size_t)N * K * 4);
    parity_fill(p, e, (size_t)N * K);
    for (int run = 0; run < 2; run++)
        parity_expect(p, call_factor_gradient(p->candidate, g[run], d, e, N, K) == RUNG_OK, "the call failed");
    parity_expect(p, memcmp(g[0], g[1], sizeof g[0]) == 0, "another result");
}

void test_factor_gradient(parity *p)
{
    compare_runs(p);
    compare_expected(p);
    compare(p, 3001, 5, 1, -1); /* rows beyond any share of the kernels */
    unsigned turn = 0;
    for (size_t i = 0; i < PARITY_SIZES; i++)
        for (size_t j = 0; j < PARITY_SIZES - 1; j++, turn++)
            if (!parity_skip(p))
                compare(p, parity_sizes[i], parity_sizes[j], turn % 2 ? AT_END : (int)(turn / 2 % 8), -1);
    for (int special = 0; special < PARITY_SPECIALS; special++)
        for (size_t i = 1; i < PARITY_SMALL; i++)
            if (!parity_skip(p))
                compare(p, parity_sizes[i], parity_sizes[PARITY_SMALL - i], AT_END, special);
}
