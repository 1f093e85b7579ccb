/* SPDX-License-Identifier: Apache-2.0 */
#include "parity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const op_test op_tests[] = {
    {"factor_gradient", NULL, 1e-13, 0.0, test_factor_gradient},
    {"flow_match_step", NULL, 0.0, 0.0, test_flow_match_step},
    {"flow_sde_step", NULL, 1.2e-7, 1.5e-45, test_flow_sde_step},
    {"gemm_nt", NULL, 1e-13, 0.0, test_gemm_nt},
    {"gemm_nt_bf16", NULL, 2e-5, 0.0, test_gemm_nt_bf16},
    {"gemm_nt_f32", NULL, 1e-5, 0.0, test_gemm_nt_f32},
    {"gemm_nt_f32", "tf32", 1e-3, 0.0, test_gemm_nt_f32},
    {"gemm_tn", NULL, 1e-13, 0.0, test_gemm_tn},
    {"rbf_factors", NULL, 1e-13, 1e-300, test_rbf_factors},
    {"residual_energy", NULL, 1e-12, 0.0, test_residual_energy},
    {"ridge_solve", NULL, 1e-10, 0.0, test_ridge_solve},
};
const size_t op_tests_count = sizeof op_tests / sizeof op_tests[0];

const op_test *op_test_find(const char *op, const char *variant)
{
    const op_test *found = NULL;
    for (size_t i = 0; i < op_tests_count; i++) {
        const op_test *test = &op_tests[i];
        if (strcmp(test->op, op) != 0)
            continue;
        if (test->variant == NULL)
            found = test;
        else if (strcmp(test->variant, variant) == 0)
            return test;
    }
    return found;
}

const size_t parity_sizes[PARITY_SIZES] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 127, 257};

const double parity_specials[PARITY_SPECIALS] = {NAN,  INFINITY,  -INFINITY,    0.0,
                                                 -0.0, 0x1p-1074, -0x1.8p-1040, 0x1p-1022};

enum { SHOWN_FAILURES = 8 };

bool parity_skip(parity *p)
{
    return p->turn++ % PARITY_BRIEF != 0 && p->brief;
}

void parity_case(parity *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(p->now, sizeof p->now, format, arguments);
    va_end(arguments);
}

void parity_expect(parity *p, bool holds, const char *what)
{
    p->checks++;
    if (!holds && p->failures++ < SHOWN_FAILURES)
        (void)fprintf(stderr, "%s: %s: %s\n", p->cell, p->now, what);
}

void parity_close(parity *p, const char *what, size_t index, double got, double want, double scale)
{
    bool same;
    if (isfinite(want))
        same = fabs(got - want) <= p->rel * scale + p->abs;
    else
        same = isnan(want) ? isnan(got) : got == want;
    p->checks++;
    if (!same && p->failures++ < SHOWN_FAILURES)
        (void)fprintf(stderr, "%s: %s: %s[%zu] is %.17g, not %.17g (scale %g)\n", p->cell, p->now, what, index, got,
                      want, scale);
}

void parity_same(parity *p, const char *what, size_t index, float got, float want)
{
    p->checks++;
    if (memcmp(&got, &want, sizeof got) != 0 && !(isnan(got) && isnan(want)) && p->failures++ < SHOWN_FAILURES)
        (void)fprintf(stderr, "%s: %s: %s[%zu] is %a, not %a\n", p->cell, p->now, what, index, (double)got,
                      (double)want);
}

double parity_random(parity *p)
{
    /* xorshift64*: Vigna 2016, doi:10.1145/2845077 */
    p->random ^= p->random >> 12;
    p->random ^= p->random << 25;
    p->random ^= p->random >> 27;
    return (double)((p->random * 0x2545f4914f6cdd1dULL) >> 11) * 0x1p-52 - 1.0;
}

void parity_fill(parity *p, double *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = parity_random(p);
}

void parity_fill_float(parity *p, float *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (float)parity_random(p);
}
