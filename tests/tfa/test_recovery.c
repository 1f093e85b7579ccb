/* SPDX-License-Identifier: Apache-2.0
 *
 * test_recovery.c: scans with known factors: centres within a tenth of a voxel, none lost.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "scan.h"

static void recover(const recipe *of, unsigned detrend, double limit)
{
    rung_platform *platform = open_cpu("cpu");
    synthetic s = synthetic_new(of);
    rung_tfa_options options = rung_tfa_options_default();
    rung_tfa_result *result;
    rung_tfa_error error;
    double worst, mean;
    options.factors = of->factors;
    options.detrend = detrend;
    int status = rung_tfa_fit(platform, &s.scan, &options, &result, &error);
    if (status != RUNG_TFA_OK)
        print_message("%s\n", error.text);
    assert_int_equal(status, RUNG_TFA_OK);
    synthetic_errors(&s, result, &worst, &mean);
    print_message("%zu factors, %zu voxels, %zu volumes: worst %.3f, mean %.3f voxels, R^2 %.4f, %u steps\n",
                  of->factors, s.scan.voxels, of->volumes, worst, mean, result->r2, result->iterations);
    assert_true(worst <= limit);
    assert_true(result->converged);
    assert_true(result->r2 > 0.0 && result->r2 <= 1.0);
    for (size_t i = 1; i < result->trace_length; i++)
        assert_true(result->trace[i] <= result->trace[i - 1] + 1e-7);
    for (size_t k = 1; k < result->factors; k++)
        assert_true(result->explained[k] <= result->explained[k - 1] * (1.0 + 1e-6));
    rung_tfa_result_free(result);
    synthetic_free(&s);
    rung_platform_close(platform);
}

static void one_factor(void **state)
{
    (void)state;
    recover(&(recipe){{12, 12, 12}, 2.0, 0.0, 40, 1, 0.0, 0.5, 0.0, 1}, 1, 0.1);
}

static void eight_factors(void **state)
{
    (void)state;
    recover(&(recipe){{24, 28, 24}, 3.0, 0.0, 60, 8, 0.0, 0.5, 0.0, 2}, 1, 0.1);
}

static void oblique(void **state)
{
    (void)state;
    recover(&(recipe){{20, 24, 18}, 2.5, 0.4, 60, 5, 0.0, 0.5, 0.0, 3}, 1, 0.1);
}

static void more_noise_than_signal(void **state)
{
    (void)state;
    recover(&(recipe){{22, 22, 22}, 3.0, 0.1, 80, 6, 0.0, 1.5, 0.0, 4}, 1, 0.2);
}

static void drift(void **state)
{
    (void)state;
    recover(&(recipe){{20, 20, 20}, 3.0, 0.0, 60, 5, 0.0, 0.5, 0.5, 5}, 1, 0.1);
    recover(&(recipe){{20, 20, 20}, 3.0, 0.0, 60, 5, 0.0, 0.5, 0.5, 5}, 3, 0.1);
}

static void mean_only(void **state)
{
    (void)state;
    recover(&(recipe){{20, 20, 20}, 3.0, 0.0, 60, 5, 0.0, 0.5, 0.0, 6}, 0, 0.1);
}

static void narrower_than_a_voxel(void **state)
{
    (void)state;
    recover(&(recipe){{12, 12, 12}, 10.0, 0.0, 100, 4, 0.45, 0.1, 0.0, 7}, 1, 0.1);
}

/* Many volumes: the start is made on a projection of time, the fit in the span of the weights. */
static void many_volumes(void **state)
{
    (void)state;
    recover(&(recipe){{28, 28, 28}, 3.0, 0.0, 320, 12, 0.0, 1.0, 0.2, 8}, 1, 0.1);
}

static void without_noise(void **state)
{
    (void)state;
    recover(&(recipe){{14, 14, 14}, 3.0, 0.0, 30, 3, 0.0, 0.0, 0.0, 9}, 1, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_factor),    cmocka_unit_test(eight_factors),
        cmocka_unit_test(oblique),       cmocka_unit_test(more_noise_than_signal),
        cmocka_unit_test(drift),         cmocka_unit_test(mean_only),
        cmocka_unit_test(many_volumes),  cmocka_unit_test(narrower_than_a_voxel),
        cmocka_unit_test(without_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
