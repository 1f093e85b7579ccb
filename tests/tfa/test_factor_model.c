/* SPDX-License-Identifier: Apache-2.0
 *
 * TFA and HTFA as components of kind factor_model: the same answers as the functions that they stand for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "factor_model.h"
#include "rk/rk.h"
#include "scan.h"

static const recipe small = {.size = {16, 16, 14}, .voxel = 3, .volumes = 40, .factors = 2, .noise = 0.3, .seed = 5};

static rung_tfa_scan copy_of(const synthetic *s, float **x)
{
    size_t bytes = s->scan.voxels * s->scan.volumes * sizeof **x;
    *x = malloc(bytes);
    assert_non_null(*x);
    memcpy(*x, s->scan.x, bytes);
    rung_tfa_scan scan = s->scan;
    scan.x = *x;
    return scan;
}

static void tfa_is_what_rung_tfa_fit_is(void **state)
{
    (void)state;
    static const char *const platforms[] = {"cpu", "cpu/generic", "accel"};
    synthetic s = synthetic_new(&small);
    rung_tfa_options options = rung_tfa_options_default();
    options.factors = 2;
    for (size_t i = 0; i < sizeof platforms / sizeof *platforms; i++) {
        rung_platform *p;
        assert_int_equal(rung_platform_open(&rk_registry, platforms[i], 0, &p, NULL), RUNG_OK);
        rung_component *model;
        assert_int_equal(rung_component_build(p, &rung_tfa_spec, &options, 0, &model, NULL), RUNG_OK);
        assert_string_equal(rung_component_built_by(model)->device, "cpu");
        assert_ptr_equal(rung_component_platform(model), p);
        float *x;
        float *y;
        rung_tfa_scan first = copy_of(&s, &x);
        rung_tfa_scan second = copy_of(&s, &y);
        rung_tfa_result *wanted;
        rung_tfa_result *got;
        assert_int_equal(rung_tfa_fit(p, &first, &options, &wanted, NULL), RUNG_TFA_OK);
        assert_int_equal(rung_factor_model_fit(model, &second, &got, NULL), RUNG_TFA_OK);
        assert_memory_equal(got->theta, wanted->theta, 8 * sizeof(double));
        assert_memory_equal(got->weights, wanted->weights, 2 * got->volumes * sizeof(double));
        rung_tfa_result_free(wanted);
        rung_tfa_result_free(got);
        free(x);
        free(y);
        rung_component_destroy(model);
        rung_platform_close(p);
    }
    synthetic_free(&s);
}

static void htfa_on_the_platform_that_is_chosen(void **state)
{
    (void)state;
    synthetic s = synthetic_new(&small);
    rung_htfa_options options = rung_htfa_options_default();
    options.fit.factors = 2;
    rung_component *model;
    rung_error err;
    assert_int_equal(rung_component_build(NULL, &rung_htfa_spec, &options, 0, &model, &err), RUNG_OK);
    rung_platform *own = rung_component_platform(model);
    assert_string_equal(rung_platform_device(own, 0), "cpu");
    float *x[4];
    rung_tfa_scan scans[4];
    for (size_t i = 0; i < 4; i++)
        scans[i] = copy_of(&s, &x[i]);
    rung_htfa_result *wanted;
    rung_htfa_result *got;
    assert_int_equal(rung_htfa_fit(own, scans, 2, &options, &wanted, NULL), RUNG_TFA_OK);
    assert_int_equal(rung_factor_model_group(model, scans + 2, 2, &got, NULL), RUNG_TFA_OK);
    assert_memory_equal(got->theta, wanted->theta, 8 * sizeof(double));
    rung_htfa_result_free(wanted);
    rung_htfa_result_free(got);
    for (size_t i = 0; i < 4; i++)
        free(x[i]);
    rung_component_destroy(model);
    synthetic_free(&s);
}

static void without_an_instance_the_defaults(void **state)
{
    (void)state;
    rung_component *model;
    assert_int_equal(rung_component_build(NULL, &rung_tfa_spec, NULL, 0, &model, NULL), RUNG_OK);
    synthetic s = synthetic_new(&small);
    rung_tfa_result *result;
    assert_int_equal(rung_factor_model_fit(model, &s.scan, &result, NULL), RUNG_TFA_OK);
    assert_int_equal(result->factors, rung_tfa_options_default().factors);
    rung_tfa_result_free(result);
    synthetic_free(&s);
    rung_component_destroy(model);
}

static void refused(const rung_component_spec *spec, const void *options, rung_status status, const char *text)
{
    rung_component *model = NULL;
    rung_error err;
    assert_int_equal(rung_component_build(NULL, spec, options, 0, &model, &err), status);
    assert_string_equal(err.text, text);
    assert_null(model);
}

static void what_cannot_be_fitted_is_not_built(void **state)
{
    (void)state;
    rung_tfa_options options = rung_tfa_options_default();
    options.factors = 0;
    refused(&rung_tfa_spec, &options, RUNG_ERR_ARGUMENT,
            "factor_model tfa on cpu: the number of factors must be 1 to 1000");
    rung_htfa_options group = rung_htfa_options_default();
    group.max_rounds = 0;
    refused(&rung_htfa_spec, &group, RUNG_ERR_ARGUMENT, "factor_model htfa on cpu: max_rounds must be 1 to 1000000");
    const rung_component_spec other = {.kind = &rk_factor_model_kind, .id = "pca"};
    refused(&other, NULL, RUNG_ERR_UNKNOWN,
            "factor_model pca on cpu: there is no such factor model: only tfa and htfa");
    const rung_component_spec nameless = {.kind = &rk_factor_model_kind};
    refused(&nameless, NULL, RUNG_ERR_UNKNOWN,
            "factor_model ? on cpu: there is no such factor model: only tfa and htfa");
}

static void one_model_is_not_the_other(void **state)
{
    (void)state;
    rung_component *single;
    rung_component *group;
    assert_int_equal(rung_component_build(NULL, &rung_tfa_spec, NULL, 0, &single, NULL), RUNG_OK);
    assert_int_equal(rung_component_build(NULL, &rung_htfa_spec, NULL, 0, &group, NULL), RUNG_OK);
    rung_tfa_result *result = NULL;
    rung_tfa_error error;
    assert_int_equal(rung_factor_model_fit(group, NULL, &result, &error), RUNG_TFA_ERR_ARGUMENT);
    assert_string_equal(error.text, "this component is not the factor model tfa");
    assert_int_equal(rung_factor_model_fit(NULL, NULL, &result, NULL), RUNG_TFA_ERR_ARGUMENT);
    rung_htfa_result *of_group = NULL;
    rung_htfa_error group_error;
    assert_int_equal(rung_factor_model_group(single, NULL, 0, &of_group, &group_error), RUNG_TFA_ERR_ARGUMENT);
    assert_string_equal(group_error.text, "this component is not the factor model htfa");
    assert_int_equal(group_error.subject, RUNG_HTFA_NOBODY);
    rung_component_destroy(single);
    rung_component_destroy(group);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tfa_is_what_rung_tfa_fit_is),      cmocka_unit_test(htfa_on_the_platform_that_is_chosen),
        cmocka_unit_test(without_an_instance_the_defaults), cmocka_unit_test(what_cannot_be_fitted_is_not_built),
        cmocka_unit_test(one_model_is_not_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
