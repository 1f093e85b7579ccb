/* SPDX-License-Identifier: Apache-2.0
 *
 * test_inputs.c: what cannot be fitted is refused with a text; what is odd but possible is fitted; fits can be stopped.
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

static const recipe plain = {{10, 10, 10}, 3.0, 0.0, 20, 2, 0.0, 0.3, 0.0, 21};

static int set_up(void **state)
{
    *state = open_cpu("cpu");
    return 0;
}

static int tear_down(void **state)
{
    rung_platform_close(*state);
    return 0;
}

static rung_tfa_status fit(rung_platform *platform, rung_tfa_scan scan, const rung_tfa_options *options)
{
    rung_tfa_result *result = (rung_tfa_result *)&plain; /* anything but NULL */
    rung_tfa_error error;
    rung_tfa_status status = rung_tfa_fit(platform, &scan, options, &result, &error);
    assert_int_equal(status, error.status);
    assert_true((status == RUNG_TFA_OK) == (result != NULL));
    assert_true((status == RUNG_TFA_OK) == (error.text[0] == '\0'));
    for (size_t i = 0; result != NULL && i < result->factors * result->volumes; i++)
        assert_true(isfinite(result->weights[i]));
    for (size_t i = 0; result != NULL && i < 4 * result->factors; i++)
        assert_true(isfinite(result->theta[i]));
    rung_tfa_result_free(result);
    return status;
}

static void bad_options(void **state)
{
    synthetic s = synthetic_new(&plain);
    for (int i = 0; i < 11; i++) {
        rung_tfa_options o = rung_tfa_options_default();
        o.factors = i == 0 ? 0 : i == 1 ? 1001 : 2;
        o.max_iter = i == 2 ? 0 : 100;
        o.tol = i == 3 ? 0.0 : i == 4 ? NAN : 1e-4;
        o.detrend = i == 5 ? 4 : 1;
        o.ridge = i == 6 ? -1.0 : i == 7 ? NAN : 1e-5;
        o.width_min = i == 8 ? 5.0 : i == 9 ? -1.0 : 0.0;
        o.width_max = i == 8 ? 4.0 : i == 10 ? NAN : 0.0;
        assert_int_equal(fit(*state, s.scan, &o), RUNG_TFA_ERR_ARGUMENT);
    }
    synthetic_free(&s);
}

static void bad_scans(void **state)
{
    synthetic s = synthetic_new(&plain);
    rung_tfa_options o = rung_tfa_options_default();
    rung_tfa_scan scan = s.scan;
    o.factors = 2;
    scan.voxels = 1;
    assert_int_equal(fit(*state, scan, &o), RUNG_TFA_ERR_ARGUMENT);
    scan.voxels = 0;
    assert_int_equal(fit(*state, scan, &o), RUNG_TFA_ERR_ARGUMENT);
    scan = s.scan;
    scan.volumes = 2;
    assert_int_equal(fit(*state, scan, &o), RUNG_TFA_ERR_ARGUMENT);
    scan.volumes = SIZE_MAX / 2;
    assert_int_equal(fit(*state, scan, &o), RUNG_TFA_ERR_ARGUMENT);
    scan = s.scan;
    scan.x = NULL;
    assert_int_equal(fit(*state, scan, &o), RUNG_TFA_ERR_ARGUMENT);
    scan = s.scan;
    scan.voxel_mm = -1.0;
    assert_int_equal(fit(*state, scan, &o), RUNG_TFA_ERR_ARGUMENT);
    scan = s.scan;
    float *values = scan.x, keep = values[77];
    values[77] = NAN;
    assert_int_equal(fit(*state, scan, &o), RUNG_TFA_ERR_ARGUMENT);
    values[77] = INFINITY;
    assert_int_equal(fit(*state, scan, &o), RUNG_TFA_ERR_ARGUMENT);
    values[77] = keep;
    double *positions = (double *)scan.xyz, place = positions[5];
    positions[5] = NAN;
    assert_int_equal(fit(*state, scan, &o), RUNG_TFA_ERR_ARGUMENT);
    positions[5] = place;
    for (size_t i = 0; i < scan.voxels * scan.volumes; i++)
        values[i] = 3.0F;
    assert_int_equal(fit(*state, scan, &o), RUNG_TFA_ERR_ARGUMENT);
    rung_tfa_result *result;
    assert_int_equal(rung_tfa_fit(NULL, &scan, &o, &result, NULL), RUNG_TFA_ERR_ARGUMENT);
    assert_int_equal(rung_tfa_fit(*state, NULL, &o, &result, NULL), RUNG_TFA_ERR_ARGUMENT);
    assert_int_equal(rung_tfa_fit(*state, &scan, NULL, &result, NULL), RUNG_TFA_ERR_ARGUMENT);
    assert_int_equal(rung_tfa_fit(*state, &scan, &o, NULL, NULL), RUNG_TFA_ERR_ARGUMENT);
    synthetic_free(&s);
}

/* Few voxels, a single slice, a line, voxels that coincide, more factors than there are sources, nothing but noise. */
static void odd_scans(void **state)
{
    rung_tfa_options o = rung_tfa_options_default();
    float x[40 * 8];
    double xyz[40 * 3];
    for (int shape = 0; shape < 5; shape++) {
        size_t v = shape == 4 ? 3 : 40;
        for (size_t i = 0; i < v; i++) {
            size_t row = i / 8;
            xyz[3 * i] = shape == 3 ? 1.0 : (double)(i % 8);
            xyz[3 * i + 1] = shape == 1 ? 0.0 : shape == 3 ? 2.0 : (double)row;
            xyz[3 * i + 2] = shape == 0 ? (double)(i % 3) : 0.0;
            for (size_t p = 0; p < 8; p++)
                x[i * 8 + p] = (float)(((i * 37 + p * 101 + i * p * 13) % 97) / 97.0);
        }
        o.factors = 3;
        rung_tfa_scan scan = {.x = x, .xyz = xyz, .voxels = v, .volumes = 8};
        assert_int_equal(fit(*state, scan, &o), RUNG_TFA_OK);
    }
    synthetic s = synthetic_new(&(recipe){{12, 12, 12}, 3.0, 0.0, 20, 1, 0.0, 0.0, 0.0, 22});
    o.factors = 4;
    assert_int_equal(fit(*state, s.scan, &o), RUNG_TFA_OK);
    synthetic_free(&s);
    s = synthetic_new(&(recipe){{12, 12, 12}, 3.0, 0.0, 3, 2, 0.0, 0.5, 0.0, 23});
    assert_int_equal(fit(*state, s.scan, &o), RUNG_TFA_OK);
    synthetic_free(&s);
}

/* Cubes to look for peaks in would be without number between voxels that are this far apart. */
static void voxels_far_apart(void **state)
{
    rung_tfa_options o = rung_tfa_options_default();
    double xyz[30 * 3];
    float x[30 * 8];
    o.factors = 2;
    for (int shape = 0; shape < 6; shape++) {
        for (size_t i = 0; i < 30; i++) {
            for (size_t p = 0; p < 3; p++)
                xyz[3 * i + p] = p <= (size_t)shape % 3 ? 1e12 * (double)((i * (7 + 4 * p)) % 30) : 0.0;
            for (size_t p = 0; p < 8; p++)
                x[i * 8 + p] = (float)(((i * 37 + p * 101 + i * p * 13) % 97) / 97.0);
        }
        rung_tfa_scan scan = {.x = x, .xyz = xyz, .voxels = 30, .volumes = 8, .voxel_mm = shape < 3 ? 3.0 : 1e-30};
        assert_int_equal(fit(*state, scan, &o), RUNG_TFA_OK);
    }
    rung_tfa_scan scan = {.x = x, .xyz = xyz, .voxels = 30, .volumes = 8, .voxel_mm = 3.0};
    xyz[4] = 1e200;
    assert_int_equal(fit(*state, scan, &o), RUNG_TFA_ERR_ARGUMENT);
    xyz[4] = 0.0;
    scan.voxel_mm = 1e-310;
    assert_int_equal(fit(*state, scan, &o), RUNG_TFA_ERR_ARGUMENT);
}

/* Units do not matter, however far from 1 values are: their squares are no numbers of single precision. */
static void any_unit(void **state)
{
    static const recipe several = {{16, 16, 16}, 3.0, 0.0, 40, 8, 0.0, 0.5, 0.0, 24};
    double expected[4 * 8] = {0.0};
    for (int power = 0; power >= -90; power = power == 0 ? 90 : power - 180) {
        synthetic s = synthetic_new(&several);
        rung_tfa_options o = rung_tfa_options_default();
        rung_tfa_result *result;
        o.factors = several.factors;
        for (size_t i = 0; i < s.scan.voxels * s.scan.volumes; i++)
            s.scan.x[i] = ldexpf(s.scan.x[i], power);
        assert_int_equal(rung_tfa_fit(*state, &s.scan, &o, &result, NULL), RUNG_TFA_OK);
        if (power == 0)
            memcpy(expected, result->theta, sizeof expected);
        assert_memory_equal(result->theta, expected, sizeof expected);
        double largest = 0.0;
        for (size_t i = 0; i < result->factors * result->volumes; i++)
            largest = fmax(largest, fabs(ldexp(result->weights[i], -power)));
        assert_true(largest > 1.0 && largest < 20.0);
        rung_tfa_result_free(result);
        synthetic_free(&s);
    }
}

static void compacting(void **state)
{
    (void)state;
    float x[5 * 3] = {1, 2, 3, 4, 4, 4, NAN, 1, 2, 5, 6, 7, 1, INFINITY, 2};
    size_t index[5];
    assert_int_equal(rung_tfa_compact(x, 5, 3, index), 2);
    assert_int_equal(index[0], 0);
    assert_int_equal(index[1], 3);
    assert_true(x[3] == 5.0F && x[5] == 7.0F);
    assert_int_equal(rung_tfa_compact(x, 0, 3, index), 0);
}

typedef struct stop {
    unsigned at, calls;
    int stages;
} stop;

static int count_and_stop(const rung_tfa_progress *progress, void *user)
{
    stop *s = user;
    s->stages |= 1 << progress->stage;
    assert_true(progress->residual > 0.0 && progress->residual <= 1.0);
    return ++s->calls == s->at;
}

static void cancelling(void **state)
{
    for (unsigned at = 0; at <= 5; at++) {
        synthetic s = synthetic_new(&plain);
        stop user = {.at = at};
        rung_tfa_options o = rung_tfa_options_default();
        o.factors = 2;
        o.progress = count_and_stop;
        o.user = &user;
        rung_tfa_status status = fit(*state, s.scan, &o);
        if (at == 0) {
            assert_int_equal(status, RUNG_TFA_OK);
            assert_true(user.calls >= 2 && (user.stages & 1 << RUNG_TFA_STAGE_START) != 0);
        } else if (at <= 2) {
            assert_int_equal(status, RUNG_TFA_CANCELLED);
            assert_int_equal(user.calls, at);
        }
        synthetic_free(&s);
    }
}

static void one_step_only(void **state)
{
    synthetic s = synthetic_new(&plain);
    rung_tfa_options o = rung_tfa_options_default();
    rung_tfa_result *result;
    o.factors = 2;
    o.max_iter = 1;
    assert_int_equal(rung_tfa_fit(*state, &s.scan, &o, &result, NULL), RUNG_TFA_OK);
    assert_true(result->iterations <= 1);
    assert_true(result->trace_length <= 2);
    rung_tfa_result_free(result);
    synthetic_free(&s);
}

static void width_bounds(void **state)
{
    synthetic s = synthetic_new(&plain);
    rung_tfa_options o = rung_tfa_options_default();
    rung_tfa_result *result;
    o.factors = 2;
    o.width_min = 4.0;
    o.width_max = 4.5;
    assert_int_equal(rung_tfa_fit(*state, &s.scan, &o, &result, NULL), RUNG_TFA_OK);
    for (size_t k = 0; k < 2; k++)
        assert_true(result->theta[4 * k + 3] >= 4.0 && result->theta[4 * k + 3] <= 4.5);
    assert_int_equal(result->at_bound, 2);
    rung_tfa_result_free(result);
    synthetic_free(&s);
    s = synthetic_new(&plain);
    o.width_min = o.width_max = 0.0;
    assert_int_equal(rung_tfa_fit(*state, &s.scan, &o, &result, NULL), RUNG_TFA_OK);
    assert_int_equal(result->at_bound, 0);
    rung_tfa_result_free(result);
    synthetic_free(&s);
}

static void images(void **state)
{
    double theta[8] = {1.0, 2.0, 3.0, 2.0, 0.0, 0.0, 0.0, 1.0}, xyz[6] = {1.0, 2.0, 3.0, 1.0, 2.0, 5.0}, f[4];
    assert_int_equal(rung_tfa_images(*state, RK_VARIANT_OPENBLAS, theta, 2, xyz, 2, f, NULL), RUNG_TFA_OK);
    assert_true(f[0] == 1.0);
    assert_true(fabs(f[2] - exp(-0.5)) < 1e-12);
    assert_true(fabs(f[1] - exp(-7.0)) < 1e-12);
    assert_int_equal(rung_tfa_images(*state, 0, NULL, 2, xyz, 2, f, NULL), RUNG_TFA_ERR_KERNEL);
    for (int status = 0; status <= RUNG_TFA_CANCELLED + 1; status++)
        assert_non_null(rung_tfa_status_text((rung_tfa_status)status));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_options), cmocka_unit_test(bad_scans),    cmocka_unit_test(odd_scans),
        cmocka_unit_test(compacting),  cmocka_unit_test(cancelling),   cmocka_unit_test(one_step_only),
        cmocka_unit_test(images),      cmocka_unit_test(width_bounds), cmocka_unit_test(voxels_far_apart),
        cmocka_unit_test(any_unit),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
