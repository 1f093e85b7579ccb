/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_nt_f32 and gemm_nt_bf16: C = alpha A B^T + beta C in float, of floats or of bfloat16 numbers.
 */
#include <math.h>
#include <string.h>

#include "call.h"
#include "expected.h"
#include "parity.h"

typedef struct product {
    bool bf16; /* A and B: the upper halves of floats */
    size_t m, n, k;
    float alpha, beta;
} product;

static uint16_t upper_half(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static size_t element_size(const product *g)
{
    return g->bf16 ? sizeof(uint16_t) : sizeof(float);
}

static void set(const product *g, void *to, size_t at, float value)
{
    if (g->bf16)
        ((uint16_t *)to)[at] = upper_half(value);
    else
        ((float *)to)[at] = value;
}

static double get(const product *g, const void *from, size_t at)
{
    if (!g->bf16)
        return ((const float *)from)[at];
    const uint32_t bits = (uint32_t)((const uint16_t *)from)[at] << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static rung_status call(const rung_ctx *cx, const product *g, float *c, const void *a, const void *b)
{
    if (g->bf16)
        return call_gemm_nt_bf16(cx, c, a, b, g->m, g->n, g->k, g->alpha, g->beta);
    return call_gemm_nt_f32(cx, c, a, b, g->m, g->n, g->k, g->alpha, g->beta);
}

/* Sum of the absolute values of the terms of C[i, j]. */
static double scale_of(const product *g, const void *a, const void *b, double before, size_t i, size_t j)
{
    double sum = 0.0;
    for (size_t p = 0; p < g->k; p++)
        sum += fabs(get(g, a, i * g->k + p) * get(g, b, j * g->k + p));
    return fabs((double)g->alpha) * sum + (g->beta == 0.0F ? 0.0 : fabs((double)g->beta * before));
}

static void compare(parity *p, const product *g, int place, int special)
{
    size_t m = g->m, n = g->n, k = g->k, count = m * n;
    void *a = guarded_place(0, m * k, element_size(g), place);
    void *b = guarded_place(1, n * k, element_size(g), guarded_next(place, 3));
    float *c = guarded_place(2, count, sizeof *c, guarded_next(place, 5));
    float *want = guarded_place(3, count, sizeof *want, AT_END);
    float *before = guarded_place(4, count, sizeof *before, AT_END);
    parity_case(p, "m=%zu n=%zu k=%zu alpha=%g beta=%g place=%d special=%d", m, n, k, (double)g->alpha, (double)g->beta,
                place, special);

    for (size_t i = 0; i < m * k; i++)
        set(g, a, i, (float)parity_random(p));
    for (size_t i = 0; i < n * k; i++)
        set(g, b, i, (float)parity_random(p));
    parity_fill_float(p, before, count);
    if (special >= 0 && m * k > 0)
        set(g, a, m * k / 2, (float)parity_specials[special]);
    if (special >= 0 && n * k > 0)
        set(g, b, n * k / 3, (float)parity_specials[(special + 3) % PARITY_SPECIALS]);
    for (size_t i = 0; i < count; i++)
        want[i] = c[i] = g->beta == 0.0F ? NAN : before[i]; /* with beta == 0, what C held must not matter */

    parity_expect(p, call(p->reference, g, want, a, b) == RUNG_OK, "the reference failed");
    parity_expect(p, call(p->candidate, g, c, a, b) == RUNG_OK, "the call failed");
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            parity_close(p, "c", i * n + j, (double)c[i * n + j], (double)want[i * n + j],
                         scale_of(g, a, b, (double)before[i * n + j], i, j));
    parity_expect(p, guarded_intact(), "wrote outside of an array");
}

static void compare_expected(parity *p, bool bf16)
{
    const product g = {bf16,
                       EXPECTED_NARROW_M,
                       EXPECTED_NARROW_N,
                       EXPECTED_NARROW_K,
                       (float)EXPECTED_NARROW_ALPHA,
                       (float)EXPECTED_NARROW_BETA};
    float a[EXPECTED_NARROW_M * EXPECTED_NARROW_K], b[EXPECTED_NARROW_N * EXPECTED_NARROW_K];
    float c[EXPECTED_NARROW_M * EXPECTED_NARROW_N];
    for (size_t i = 0; i < g.m * g.k; i++)
        set(&g, a, i, expected_narrow_a[i]);
    for (size_t i = 0; i < g.n * g.k; i++)
        set(&g, b, i, expected_narrow_b[i]);
    memcpy(c, expected_narrow_c, sizeof c);
    parity_case(p, "expected values");
    parity_expect(p, call(p->candidate, &g, c, a, b) == RUNG_OK, "the call failed");
    for (size_t i = 0; i < g.m; i++)
        for (size_t j = 0; j < g.n; j++)
            parity_close(p, "c", i * g.n + j, (double)c[i * g.n + j], expected_narrow_out[i * g.n + j],
                         scale_of(&g, a, b, (double)expected_narrow_c[i * g.n + j], i, j));
}

static void test(parity *p, bool bf16)
{
    static const float betas[] = {0.0F, 1.0F, -0.5F};
    compare_expected(p, bf16);
    product g = {.bf16 = bf16};
    unsigned turn = 0;
    for (size_t i = 0; i < PARITY_SIZES; i++) { /* all sizes, each in every role */
        for (size_t role = 0; role < 3; role++, turn++) {
            static const size_t small[] = {0, 5, 20, 33};
            const size_t other = small[turn % 4], third = small[(turn / 4 + 1) % 4];
            g.m = role == 0 ? parity_sizes[i] : other;
            g.n = role == 1 ? parity_sizes[i] : role == 0 ? other : third;
            g.k = role == 2 ? parity_sizes[i] : third;
            g.alpha = turn % 2 ? 1.0F : -2.5F;
            g.beta = betas[turn % 3];
            compare(p, &g, turn % 4 < 2 ? AT_END : (int)(turn / 4 % 8), -1);
        }
    }
    static const size_t blocks[][3] = {{20, 20, 512}, {130, 131, 40}, {80, 83, 300}, {9, 13, 1032}, {257, 20, 64}};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0];
         i++) { /* beyond any block of the kernels; aligned and not */
        g.m = blocks[i][0], g.n = blocks[i][1], g.k = blocks[i][2];
        g.alpha = 0.75F, g.beta = 1.0F;
        compare(p, &g, 0, -1);
        g.alpha = 1.0F, g.beta = 0.0F;
        compare(p, &g, 3, -1);
    }
    g.alpha = 1.0F;
    for (int special = 0; special < PARITY_SPECIALS; special++) {
        for (size_t i = 1; i < PARITY_SMALL; i++) {
            g.m = parity_sizes[i], g.n = parity_sizes[PARITY_SMALL - i], g.k = parity_sizes[(3 * i) % PARITY_SMALL];
            g.beta = special % 2 ? 0.0F : 1.0F;
            if (!parity_skip(p))
                compare(p, &g, AT_END, special);
        }
    }
}

void test_gemm_nt_f32(parity *p)
{
    test(p, false);
}

void test_gemm_nt_bf16(parity *p)
{
    test(p, true);
}
