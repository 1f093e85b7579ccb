/* SPDX-License-Identifier: Apache-2.0
 *
 * residual_energy: e[i] = sum over t of (x - f w)^2.
 */
#include <math.h>

#include "call.h"
#include "expected.h"
#include "parity.h"

/* A residual r has terms of absolute sum s, so r is uncertain by a part of s, and r^2 by that part of 2 |r| s. */
static double scale_of(const float *x, const double *f, const double *w, size_t k, size_t t, double rel)
{
    double scale = 0.0;
    for (size_t q = 0; q < t; q++) {
        double residual = x[q], terms = fabs(residual);
        for (size_t j = 0; j < k; j++) {
            residual -= f[j] * w[j * t + q];
            terms += fabs(f[j] * w[j * t + q]);
        }
        scale += residual * residual + 2.0 * fabs(residual) * terms + rel * terms * terms;
    }
    return scale;
}

static void compare(parity *p, size_t n, size_t k, size_t t, int place, int special)
{
    float *x = guarded_place(0, n * t, sizeof *x, place);
    double *f = guarded_place(1, n * k, sizeof *f, guarded_next(place, 1));
    double *w = guarded_place(2, k * t, sizeof *w, guarded_next(place, 2));
    double *e = guarded_place(3, n, sizeof *e, guarded_next(place, 3));
    double *want = guarded_place(4, n, sizeof *want, AT_END);
    parity_case(p, "n=%zu k=%zu t=%zu place=%d special=%d", n, k, t, place, special);
    parity_fill_float(p, x, n * t);
    parity_fill(p, f, n * k);
    parity_fill(p, w, k * t);
    for (size_t i = 0; i < n; i++)
        e[i] = want[i] = NAN;
    if (special >= 0 && special < 3 && n * t > 0)
        x[n * t / 2] = (float)parity_specials[special];
    if (special >= 0 && n * k > 0)
        f[n * k - 1] = parity_specials[(special + 1) % PARITY_SPECIALS];
    parity_expect(p, call_residual_energy(p->reference, want, x, f, w, n, k, t) == RUNG_OK, "the reference failed");
    parity_expect(p, call_residual_energy(p->candidate, e, x, f, w, n, k, t) == RUNG_OK, "the call failed");
    for (size_t i = 0; i < n; i++)
        parity_close(p, "e", i, e[i], want[i], scale_of(x + i * t, f + i * k, w, k, t, p->rel));
    parity_expect(p, guarded_intact(), "wrote outside of an array");
}

/* X = F W exactly, in numbers that every order of summation keeps exact: the energy is 0. */
static void compare_exact(parity *p)
{
    enum { N = 9, K = 5, T = 37 };
    static float x[N * T];
    static double f[N * K], w[K * T], e[N];
    parity_case(p, "exact model");
    for (size_t i = 0; i < (size_t)N * K; i++)
        f[i] = (double)(i % 7) - 3.0;
    for (size_t i = 0; i < (size_t)K * T; i++)
        w[i] = (double)(i % 11) - 5.0;
    for (size_t i = 0; i < N; i++) {
        for (size_t q = 0; q < T; q++) {
            double sum = 0.0;
            for (size_t j = 0; j < K; j++)
                sum += f[i * K + j] * w[j * T + q];
            x[i * T + q] = (float)sum;
        }
    }
    parity_expect(p, call_residual_energy(p->candidate, e, x, f, w, N, K, T) == RUNG_OK, "the call failed");
    for (size_t i = 0; i < N; i++)
        parity_expect(p, e[i] == 0.0, "the energy of an exact model is not 0");
}

static void compare_expected(parity *p)
{
    double e[EXPECTED_RESIDUAL_N];
    parity_case(p, "expected values");
    parity_expect(p,
                  call_residual_energy(p->candidate, e, expected_residual_x, expected_residual_f, expected_residual_w,
                                       EXPECTED_RESIDUAL_N, EXPECTED_RESIDUAL_K, EXPECTED_RESIDUAL_T) == RUNG_OK,
                  "the call failed");
    for (size_t i = 0; i < EXPECTED_RESIDUAL_N; i++)
        parity_close(p, "e", i, e[i], expected_residual_e[i],
                     scale_of(expected_residual_x + i * EXPECTED_RESIDUAL_T,
                              expected_residual_f + i * EXPECTED_RESIDUAL_K, expected_residual_w, EXPECTED_RESIDUAL_K,
                              EXPECTED_RESIDUAL_T, p->rel));
}

void test_residual_energy(parity *p)
{
    compare_expected(p);
    compare_exact(p);
    unsigned turn = 0;
    for (size_t i = 0; i < PARITY_SMALL; i++) {
        for (size_t j = 0; j < PARITY_SMALL; j++) {
            for (size_t q = 0; q < PARITY_SMALL; q++, turn++) {
                if (!parity_skip(p))
                    compare(p, parity_sizes[i], parity_sizes[j], parity_sizes[q],
                            turn % 2 ? AT_END : (int)(turn / 2 % 8), -1);
            }
        }
    }
    for (size_t i = PARITY_SMALL; i < PARITY_SIZES; i++) {
        compare(p, parity_sizes[i], 20, 33, AT_END, -1);
        compare(p, 7, parity_sizes[i], 20, AT_END, -1);
        compare(p, 17, 20, parity_sizes[i], AT_END, -1);
        compare(p, parity_sizes[i], 20, 300, (int)(i % 8), -1);
    }
    for (int special = 0; special < PARITY_SPECIALS; special++)
        for (size_t i = 1; i < PARITY_SMALL; i++)
            if (!parity_skip(p))
                compare(p, parity_sizes[i], parity_sizes[PARITY_SMALL - i], parity_sizes[(3 * i) % PARITY_SMALL],
                        AT_END, special);
}
