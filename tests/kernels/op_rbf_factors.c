/* SPDX-License-Identifier: Apache-2.0
 *
 * rbf_factors: element-wise, so every element is held to the relative tolerance itself.
 */
#include <math.h>

#include "call.h"
#include "expected.h"
#include "parity.h"

static void compare_all(parity *p, const char *what, const double *got, const double *want, size_t count)
{
    for (size_t i = 0; i < count; i++)
        parity_close(p, what, i, got[i], want[i], fabs(want[i]));
}

/* Both cells on xyz (slot 0) and theta (slot 1), with and without derivatives. */
static void compare(parity *p, const double *xyz, const double *theta, size_t n, size_t k, int place)
{
    double *f = guarded_place(2, n * k, sizeof *f, place);
    double *d = guarded_place(3, n * k * 4, sizeof *d, guarded_next(place, 3));
    double *want_f = guarded_place(4, n * k, sizeof *want_f, AT_END);
    double *want_d = guarded_place(5, n * k * 4, sizeof *want_d, AT_END);
    parity_expect(p, call_rbf_factors(p->reference, want_f, want_d, xyz, theta, n, k) == RUNG_OK,
                  "the reference failed");
    for (int derivatives = 0; derivatives < 2; derivatives++) {
        for (size_t i = 0; i < n * k; i++)
            f[i] = -7.0;
        for (size_t i = 0; i < n * k * 4; i++)
            d[i] = -7.0;
        parity_expect(p, call_rbf_factors(p->candidate, f, derivatives ? d : NULL, xyz, theta, n, k) == RUNG_OK,
                      "the call failed");
        compare_all(p, "f", f, want_f, n * k);
        if (derivatives)
            compare_all(p, "d", d, want_d, n * k * 4);
    }
    parity_expect(p, guarded_intact(), "wrote outside of an array");
}

static void compare_size(parity *p, size_t n, size_t k, int place)
{
    double *xyz = guarded_place(0, 3 * n, sizeof *xyz, guarded_next(place, 1));
    double *theta = guarded_place(1, 4 * k, sizeof *theta, guarded_next(place, 2));
    parity_case(p, "n=%zu k=%zu place=%d", n, k, place);
    for (size_t i = 0; i < 3 * n; i++)
        xyz[i] = 60.0 * parity_random(p);
    for (size_t i = 0; i < 4 * k; i++)
        theta[i] = i % 4 == 3 ? 21.0 + 20.0 * parity_random(p) : 60.0 * parity_random(p);
    compare(p, xyz, theta, n, k, place);
}

/* Arguments of exp from 0 to below the last denormal, evenly and then close to both ends. */
static void compare_range(parity *p)
{
    enum { N = 3000, K = 9 };
    double *xyz = guarded_place(0, 3 * (size_t)N, sizeof *xyz, AT_END);
    double *theta = guarded_place(1, 4 * (size_t)K, sizeof *theta, AT_END);
    parity_case(p, "the whole range of exp");
    for (size_t i = 0; i < N; i++) {
        double argument = i < 1000   ? 0.76 * (double)i
                          : i < 2000 ? exp(-0.05 * (double)(i - 1000))
                                     : 700.0 + 0.05 * (double)(i - 2000);
        xyz[3 * i] = sqrt(2.0 * argument);
        xyz[3 * i + 1] = xyz[3 * i + 2] = 0.0;
    }
    for (size_t j = 0; j < K; j++) {
        theta[4 * j] = theta[4 * j + 1] = theta[4 * j + 2] = 0.0;
        theta[4 * j + 3] = 1.0 + 0.001 * (double)j;
    }
    compare(p, xyz, theta, N, K, AT_END);
}

/* More factors of positions than any grid of the kernels has threads. */
static void compare_large(parity *p)
{
    enum { N = 62001, K = 17 };
    const size_t count = (size_t)N * K;
    double *xyz = guarded_place(0, 3 * (size_t)N, sizeof *xyz, 1);
    double *theta = guarded_place(1, 4 * (size_t)K, sizeof *theta, AT_END);
    double *f = guarded_place(2, count, sizeof *f, 1), *want = guarded_place(3, count, sizeof *want, AT_END);
    parity_case(p, "n=%d k=%d", N, K);
    for (size_t i = 0; i < 3 * (size_t)N; i++)
        xyz[i] = 60.0 * parity_random(p);
    for (size_t i = 0; i < 4 * (size_t)K; i++)
        theta[i] = i % 4 == 3 ? 21.0 + 20.0 * parity_random(p) : 60.0 * parity_random(p);
    parity_expect(p, call_rbf_factors(p->reference, want, NULL, xyz, theta, N, K) == RUNG_OK, "the reference failed");
    parity_expect(p, call_rbf_factors(p->candidate, f, NULL, xyz, theta, N, K) == RUNG_OK, "the call failed");
    compare_all(p, "f", f, want, count);
    parity_expect(p, guarded_intact(), "wrote outside of an array");
}

static void compare_special(parity *p, size_t n, size_t k)
{
    double *xyz = guarded_place(0, 3 * n, sizeof *xyz, AT_END);
    double *theta = guarded_place(1, 4 * k, sizeof *theta, AT_END);
    for (size_t special = 0; special < PARITY_SPECIALS; special++) {
        parity_case(p, "n=%zu k=%zu special=%zu", n, k, special);
        parity_fill(p, xyz, 3 * n);
        for (size_t i = 0; i < 4 * k; i++)
            theta[i] = i % 4 == 3 ? 1.5 + parity_random(p) : parity_random(p);
        xyz[(7 * special) % (3 * n)] = parity_specials[special];
        theta[4 * (special % k) + special % 3] = parity_specials[(special + 1) % PARITY_SPECIALS];
        if (special < 2)
            theta[4 * (k - 1) + 3] = parity_specials[special]; /* a width of NaN or infinity */
        compare(p, xyz, theta, n, k, AT_END);
    }
}

static void compare_expected(parity *p)
{
    double f[EXPECTED_RBF_N * EXPECTED_RBF_K], d[EXPECTED_RBF_N * EXPECTED_RBF_K * 4];
    parity_case(p, "expected values");
    parity_expect(p,
                  call_rbf_factors(p->candidate, f, d, expected_rbf_xyz, expected_rbf_theta, EXPECTED_RBF_N,
                                   EXPECTED_RBF_K) == RUNG_OK,
                  "the call failed");
    compare_all(p, "f", f, expected_rbf_f, EXPECTED_RBF_N * EXPECTED_RBF_K);
    compare_all(p, "d", d, expected_rbf_d, EXPECTED_RBF_N * EXPECTED_RBF_K * 4);
}

void test_rbf_factors(parity *p)
{
    compare_expected(p);
    compare_range(p);
    compare_large(p);
    unsigned turn = 0;
    for (size_t i = 0; i < PARITY_SIZES; i++)
        for (size_t j = 0; j < PARITY_SIZES - 1; j++, turn++)
            if (!parity_skip(p))
                compare_size(p, parity_sizes[i], parity_sizes[j], turn % 2 ? AT_END : (int)(turn / 2 % 8));
    for (size_t k = 1; k < 18; k++)
        compare_special(p, 5, k);
}
