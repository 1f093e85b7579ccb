/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_tn and gemm_nt: C = alpha op(A) op(B) + beta C.
 */
#include <math.h>
#include <string.h>

#include "call.h"
#include "expected.h"
#include "parity.h"

typedef rung_status gemm_call(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m, size_t n,
                              size_t k, double alpha, double beta);

/* How A and B are stored: element (p, i) of A^T at a[p * m + i] for tn, at a[i * k + p] for nt; B likewise. */
typedef struct gemm {
    gemm_call *call;
    bool tn;
    size_t m, n, k;
} gemm;

static double element_a(const gemm *g, const double *a, size_t i, size_t p)
{
    return g->tn ? a[p * g->m + i] : a[i * g->k + p];
}

static double element_b(const gemm *g, const double *b, size_t j, size_t p)
{
    return g->tn ? b[p * g->n + j] : b[j * g->k + p];
}

/* Sum of the absolute values of the terms of C[i, j]. */
static double scale_of(const gemm *g, const double *a, const double *b, double c, size_t i, size_t j, double alpha,
                       double beta)
{
    double sum = 0.0;
    for (size_t p = 0; p < g->k; p++)
        sum += fabs(element_a(g, a, i, p) * element_b(g, b, j, p));
    return fabs(alpha) * sum + (beta == 0.0 ? 0.0 : fabs(beta * c));
}

/* Both cells on the same operands, in fresh arrays; `special` >= 0 puts special values into A and B. */
static void compare(parity *p, const gemm *g, double alpha, double beta, int place, int special)
{
    size_t m = g->m, n = g->n, k = g->k, count = m * n;
    double *a = guarded_place(0, m * k, sizeof *a, place);
    double *b = guarded_place(1, n * k, sizeof *b, guarded_next(place, 3));
    double *c = guarded_place(2, count, sizeof *c, guarded_next(place, 5));
    double *want = guarded_place(3, count, sizeof *want, AT_END);
    double *before = guarded_place(4, count, sizeof *before, AT_END);
    parity_case(p, "m=%zu n=%zu k=%zu alpha=%g beta=%g place=%d special=%d", m, n, k, alpha, beta, place, special);

    parity_fill(p, a, m * k);
    parity_fill(p, b, n * k);
    parity_fill(p, before, count);
    if (special >= 0 && m * k > 0)
        a[(m * k) / 2] = parity_specials[special];
    if (special >= 0 && n * k > 0)
        b[(n * k) / 3] = parity_specials[(special + 3) % PARITY_SPECIALS];
    for (size_t i = 0; i < count; i++)
        want[i] = c[i] = beta == 0.0 ? NAN : before[i]; /* with beta == 0, what C held must not matter */

    parity_expect(p, g->call(p->reference, want, a, b, m, n, k, alpha, beta) == RUNG_OK, "the reference failed");
    parity_expect(p, g->call(p->candidate, c, a, b, m, n, k, alpha, beta) == RUNG_OK, "the call failed");
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            parity_close(p, "c", i * n + j, c[i * n + j], want[i * n + j],
                         scale_of(g, a, b, before[i * n + j], i, j, alpha, beta));
    parity_expect(p, guarded_intact(), "wrote outside of an array");
}

static void compare_expected(parity *p, const gemm *g, const double *a, const double *b, const double *want)
{
    double c[EXPECTED_GEMM_M * EXPECTED_GEMM_N];
    memcpy(c, expected_gemm_c, sizeof c);
    parity_case(p, "expected values");
    parity_expect(p,
                  g->call(p->candidate, c, a, b, g->m, g->n, g->k, EXPECTED_GEMM_ALPHA, EXPECTED_GEMM_BETA) == RUNG_OK,
                  "the call failed");
    for (size_t i = 0; i < g->m; i++)
        for (size_t j = 0; j < g->n; j++)
            parity_close(
                p, "c", i * g->n + j, c[i * g->n + j], want[i * g->n + j],
                scale_of(g, a, b, expected_gemm_c[i * g->n + j], i, j, EXPECTED_GEMM_ALPHA, EXPECTED_GEMM_BETA));
}

/* The same bits in every run. */
static void compare_runs(parity *p, gemm_call *call)
{
    enum { M = 9, N = 13, K = 5003 };
    double *a = guarded_place(0, (size_t)M * K, sizeof *a, 1), *b = guarded_place(1, (size_t)N * K, sizeof *b, 2);
    double c[2][M * N];
    parity_case(p, "twice, m=%d n=%d k=%d", M, N, K);
    parity_fill(p, a, (size_t)M * K);
    parity_fill(p, b, (size_t)N * K);
    for (int run = 0; run < 2; run++)
        parity_expect(p, call(p->candidate, c[run], a, b, M, N, K, 1.0, 0.0) == RUNG_OK, "the call failed");
    parity_expect(p, memcmp(c[0], c[1], sizeof c[0]) == 0, "another result");
}

static void test_gemm(parity *p, gemm_call *call, bool tn)
{
    gemm g = {.call = call, .tn = tn};
    unsigned turn = 0;
    compare_runs(p, call);
    for (size_t i = 0; i < PARITY_SMALL; i++) {
        for (size_t j = 0; j < PARITY_SMALL; j++) {
            for (size_t q = 0; q < PARITY_SMALL; q++) {
                static const double betas[] = {0.0, 1.0, -0.5};
                g.m = parity_sizes[i], g.n = parity_sizes[j], g.k = parity_sizes[q];
                if (!parity_skip(p))
                    compare(p, &g, turn % 2 ? 1.0 : -2.5, betas[turn % 3], turn % 4 < 2 ? AT_END : (int)(turn / 4 % 8),
                            -1);
                turn++;
            }
        }
    }
    for (size_t i = PARITY_SMALL; i < PARITY_SIZES; i++) { /* the large sizes, each in every role */
        for (size_t role = 0; role < 3; role++) {
            for (size_t other = 0; other < 3; other++) {
                static const size_t small[] = {5, 20, 33};
                g.m = role == 0 ? parity_sizes[i] : small[other];
                g.n = role == 1 ? parity_sizes[i] : small[(other + 1) % 3];
                g.k = role == 2 ? parity_sizes[i] : small[(other + 2) % 3];
                if (!parity_skip(p))
                    compare(p, &g, 1.0, turn % 2 ? 0.0 : 1.0, turn % 3 ? AT_END : (int)(turn % 8), -1);
                turn++;
            }
        }
    }
    static const size_t blocks[][3] = {{20, 20, 512}, {27, 30, 700},  {80, 83, 300}, {9, 13, 1031},
                                       {9, 13, 5003}, {257, 20, 300}, {1031, 70, 9}};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) { /* k, or m, beyond any block of the kernels */
        g.m = blocks[i][0], g.n = blocks[i][1], g.k = blocks[i][2];
        compare(p, &g, 0.75, 1.0, AT_END, -1);
        compare(p, &g, 1.0, 0.0, 3, -1);
    }
    for (int special = 0; special < PARITY_SPECIALS; special++) {
        for (size_t i = 1; i < PARITY_SMALL; i++) {
            g.m = parity_sizes[i], g.n = parity_sizes[PARITY_SMALL - i], g.k = parity_sizes[(3 * i) % PARITY_SMALL];
            if (!parity_skip(p))
                compare(p, &g, 1.0, special % 2 ? 0.0 : 1.0, AT_END, special);
        }
    }
}

void test_gemm_tn(parity *p)
{
    const gemm g = {.call = call_gemm_tn, .tn = true, .m = EXPECTED_GEMM_M, .n = EXPECTED_GEMM_N, .k = EXPECTED_GEMM_K};
    compare_expected(p, &g, expected_gemm_at, expected_gemm_b, expected_gemm_out);
    test_gemm(p, call_gemm_tn, true);
}

void test_gemm_nt(parity *p)
{
    const gemm g = {
        .call = call_gemm_nt, .tn = false, .m = EXPECTED_GEMM_M, .n = EXPECTED_GEMM_N, .k = EXPECTED_GEMM_K};
    compare_expected(p, &g, expected_gemm_a, expected_gemm_bt, expected_gemm_out);
    test_gemm(p, call_gemm_nt, false);
}
