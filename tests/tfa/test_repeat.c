/* SPDX-License-Identifier: Apache-2.0
 *
 * test_repeat.c: the same bits for every number of threads and every time; the same to 1e-4 on the reference kernels
 * and on the variant.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rk/rk.h"
#include "scan.h"

static const recipe small = {{18, 20, 18}, 3.0, 0.2, 50, 5, 0.0, 0.7, 0.3, 11};
/* large enough for the projection of time */
static const recipe large = {{32, 32, 32}, 3.0, 0.0, 240, 6, 0.0, 0.7, 0.0, 12};

static rung_tfa_result *fit(const recipe *of, const char *chain, uint32_t variant, unsigned threads, uint64_t seed)
{
    rung_platform *platform = open_cpu(chain);
    synthetic s = synthetic_new(of);
    rung_tfa_options options = rung_tfa_options_default();
    rung_tfa_result *result;
    options.factors = of->factors;
    options.threads = threads;
    options.variant = variant;
    options.seed = seed;
    assert_int_equal(rung_tfa_fit(platform, &s.scan, &options, &result, NULL), RUNG_TFA_OK);
    synthetic_free(&s);
    rung_platform_close(platform);
    return result;
}

static void assert_same_bits(const rung_tfa_result *a, const rung_tfa_result *b)
{
    assert_memory_equal(a->theta, b->theta, 4 * a->factors * sizeof(double));
    assert_memory_equal(a->weights, b->weights, a->factors * a->volumes * sizeof(double));
    assert_memory_equal(a->residual, b->residual, a->voxels * sizeof(double));
    assert_int_equal(a->iterations, b->iterations);
    assert_true(a->r2 == b->r2);
}

static void assert_close(const rung_tfa_result *a, const rung_tfa_result *b)
{
    for (size_t i = 0; i < 4 * a->factors; i++)
        assert_true(fabs(a->theta[i] - b->theta[i]) <= 1e-4);
    for (size_t i = 0; i < a->factors * a->volumes; i++)
        assert_true(fabs(a->weights[i] - b->weights[i]) <= 1e-4 * (1.0 + fabs(a->weights[i])));
    assert_true(fabs(a->r2 - b->r2) <= 1e-6);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    const recipe *of[2] = {&small, &large};
    for (size_t i = 0; i < 2; i++) {
        rung_tfa_result *one = fit(of[i], "cpu", RK_VARIANT_DEFAULT, 1, 3);
        for (unsigned threads = 0; threads <= 5; threads++) {
            if (i == 1 && threads != 3)
                continue;
            rung_tfa_result *other = fit(of[i], "cpu", RK_VARIANT_DEFAULT, threads, 3);
            assert_same_bits(one, other);
            rung_tfa_result_free(other);
        }
        rung_tfa_result_free(one);
    }
}

static void reference_kernels_agree(void **state)
{
    (void)state;
    rung_tfa_result *best = fit(&small, "cpu", RK_VARIANT_DEFAULT, 0, 0);
    rung_tfa_result *reference = fit(&small, "cpu/generic", RK_VARIANT_DEFAULT, 0, 0);
    assert_close(best, reference);
    rung_tfa_result_free(best);
    rung_tfa_result_free(reference);
}

static void variant_agrees(void **state)
{
    (void)state;
    rung_platform *platform = open_cpu("cpu");
    rung_resolution found;
    assert_int_equal(rung_tfa_kernel(platform, RK_OP_RBF_FACTORS, RK_VARIANT_OPENBLAS, &found, NULL), RUNG_OK);
    assert_string_equal(found.cell.variant, "default");
    int built = rung_resolve(platform, RK_OP_GEMM_TN, RK_VARIANT_OPENBLAS, RUNG_MEMORY_HOST, &found, NULL) == RUNG_OK;
    rung_platform_close(platform);
    if (!built) {
        print_message("SKIPPED the fit with OpenBLAS: OpenBLAS is not built in\n");
        skip();
    }
    rung_tfa_result *plain = fit(&small, "cpu", RK_VARIANT_DEFAULT, 0, 0);
    rung_tfa_result *openblas = fit(&small, "cpu", RK_VARIANT_OPENBLAS, 0, 0);
    assert_close(plain, openblas);
    rung_tfa_result_free(plain);
    rung_tfa_result_free(openblas);
}

/* Another seed is another projection of time; the minimum that is found in the end is the same. */
static void seeds_agree(void **state)
{
    (void)state;
    rung_tfa_result *one = fit(&large, "cpu", RK_VARIANT_DEFAULT, 0, 0);
    rung_tfa_result *other = fit(&large, "cpu", RK_VARIANT_DEFAULT, 0, 99);
    assert_close(one, other);
    rung_tfa_result_free(one);
    rung_tfa_result_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(reference_kernels_agree),
        cmocka_unit_test(variant_agrees),
        cmocka_unit_test(seeds_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
