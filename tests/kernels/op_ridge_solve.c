/* SPDX-License-Identifier: Apache-2.0
 *
 * ridge_solve: well-conditioned systems against the reference; what is not positive definite must be refused.
 */
#include <math.h>
#include <string.h>

#include "call.h"
#include "expected.h"
#include "parity.h"

static double largest(const double *v, size_t count)
{
    double most = 0.0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(v[i]));
    return most;
}

static void compare_solution(parity *p, const double *got, const double *want, size_t count)
{
    double scale = largest(want, count);
    for (size_t i = 0; i < count; i++)
        parity_close(p, "w", i, got[i], want[i], scale);
}

/* What stands above the diagonal is not specified. */
static void compare_lower(parity *p, const double *got, const double *want, size_t k)
{
    double scale = largest(want, k * k);
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j <= i; j++)
            parity_close(p, "chol", i * k + j, got[i * k + j], want[i * k + j], scale);
}

/* gram = M^T M / k + I, with M of k random rows. */
static void make_gram(parity *p, double *gram, double *m, size_t k)
{
    parity_fill(p, m, k * k);
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < k; j++) {
            double sum = 0.0;
            for (size_t q = 0; q < k; q++)
                sum += m[q * k + i] * m[q * k + j];
            gram[i * k + j] = sum / (double)k + (i == j ? 1.0 : 0.0);
        }
    }
}

static void compare(parity *p, size_t k, size_t t, double lambda, int place)
{
    double *gram = guarded_place(0, k * k, sizeof *gram, place);
    double *rhs = guarded_place(1, k * t, sizeof *rhs, guarded_next(place, 1));
    double *w = guarded_place(2, k * t, sizeof *w, guarded_next(place, 2));
    double *chol = guarded_place(3, k * k, sizeof *chol, guarded_next(place, 3));
    double *want_w = guarded_place(4, k * t, sizeof *want_w, AT_END);
    double *want_chol = guarded_place(5, k * k, sizeof *want_chol, AT_END);
    parity_case(p, "k=%zu t=%zu lambda=%g place=%d", k, t, lambda, place);
    make_gram(p, gram, chol, k);
    parity_fill(p, rhs, k * t);
    for (size_t i = 0; i < k * t; i++)
        w[i] = NAN;
    for (size_t i = 0; i < k * k; i++)
        chol[i] = NAN;
    parity_expect(p, call_ridge_solve(p->reference, want_w, want_chol, gram, rhs, lambda, k, t) == RUNG_OK,
                  "the reference failed");
    parity_expect(p, call_ridge_solve(p->candidate, w, chol, gram, rhs, lambda, k, t) == RUNG_OK, "the call failed");
    compare_solution(p, w, want_w, k * t);
    compare_lower(p, chol, want_chol, k);
    parity_expect(p, guarded_intact(), "wrote outside of an array");
}

/* A kernel that is launched cannot answer: what it has for a solution is not a number, throughout. */
static bool is_refused(const parity *p, rung_status status, const double *w, size_t count, double last_of_chol)
{
    if (p->candidate->memory == RUNG_MEMORY_HOST)
        return status == RUNG_ERR_NUMERIC;
    for (size_t i = 0; i < count; i++)
        if (!isnan(w[i]))
            return false;
    return status == RUNG_OK && isnan(last_of_chol);
}

static void compare_refused(parity *p)
{
    enum { K = 41, T = 3 }; /* beyond any tile of the kernels */
    static double gram[K * K], rhs[K * T], w[K * T], chol[K * K];
    const double diagonals[] = {-1.0, 0.0, NAN, INFINITY};
    const size_t places[] = {0, 4, 15, 16, K - 1};
    for (size_t q = 0; q < sizeof diagonals / sizeof diagonals[0]; q++) {
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            parity_case(p, "diagonal element %zu is %g", places[i], diagonals[q]);
            make_gram(p, gram, chol, K);
            parity_fill(p, rhs, (size_t)K * T);
            parity_fill(p, w, (size_t)K * T);
            gram[places[i] * K + places[i]] = diagonals[q];
            const rung_status status = call_ridge_solve(p->candidate, w, chol, gram, rhs, 0.0, K, T);
            parity_expect(p, is_refused(p, status, w, (size_t)K * T, chol[K * K - 1]), "not refused");
        }
    }
}

static void compare_expected(parity *p)
{
    double w[EXPECTED_RIDGE_K * EXPECTED_RIDGE_T], chol[EXPECTED_RIDGE_K * EXPECTED_RIDGE_K];
    parity_case(p, "expected values");
    parity_expect(p,
                  call_ridge_solve(p->candidate, w, chol, expected_ridge_gram, expected_ridge_rhs,
                                   EXPECTED_RIDGE_LAMBDA, EXPECTED_RIDGE_K, EXPECTED_RIDGE_T) == RUNG_OK,
                  "the call failed");
    compare_solution(p, w, expected_ridge_w, EXPECTED_RIDGE_K * EXPECTED_RIDGE_T);
    compare_lower(p, chol, expected_ridge_chol, EXPECTED_RIDGE_K);
}

void test_ridge_solve(parity *p)
{
    compare_expected(p);
    compare_refused(p);
    unsigned turn = 0;
    for (size_t i = 0; i < PARITY_SIZES - 1; i++)
        for (size_t j = 0; j < PARITY_SMALL; j++, turn++)
            if (!parity_skip(p))
                compare(p, parity_sizes[i], parity_sizes[j], turn % 3 ? 0.25 : 0.0,
                        turn % 2 ? AT_END : (int)(turn / 2 % 8));
}
