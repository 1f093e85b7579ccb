/* SPDX-License-Identifier: Apache-2.0
 *
 * test_parts.c: the smaller parts of the fit.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "internal.h"
#include "rk/rk.h"
#include "scan.h"

static void assert_orthonormal(const double *q, size_t rows, size_t t)
{
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (size_t p = 0; p < t; p++)
                sum += q[i * t + p] * q[j * t + p];
            assert_true(fabs(sum - (i == j ? 1.0 : 0.0)) < 1e-12);
        }
    }
}

static void orthonormal_rows(void **state)
{
    (void)state;
    double q[20 * 30], other[20 * 30], flat[4];
    rung_tfa_random_rows(q, 20, 30, 7);
    assert_orthonormal(q, 20, 30);
    rung_tfa_random_rows(other, 20, 30, 7);
    assert_memory_equal(q, other, sizeof q);
    rung_tfa_random_rows(other, 20, 30, 8);
    assert_memory_not_equal(q, other, sizeof q);
    rung_tfa_time_polynomials(q, 3, 30);
    assert_orthonormal(q, 4, 30);
    assert_true(q[30] < 0.0 && fabs(q[30] + q[59]) < 1e-12);
    memcpy(flat, (double[]){1.0, 1.0, 2.0, 2.0}, sizeof flat);
    rung_tfa_orthonormal_rows(flat, 2, 2);
    assert_true(flat[2] == 0.0 && flat[3] == 0.0);
}

/* A slice has no third direction: its column is 0, not noise. */
static void smooth_basis(void **state)
{
    (void)state;
    double xyz[6 * 3], smooth[6 * TFA_SMOOTH], columns[TFA_SMOOTH * 6];
    for (size_t i = 0; i < 6; i++) {
        xyz[3 * i] = (double)(i % 3);
        xyz[3 * i + 1] = (double)(i / 3);
        xyz[3 * i + 2] = 5.0;
    }
    rung_tfa_smooth_basis(smooth, xyz, 6);
    for (size_t i = 0; i < 6; i++)
        for (size_t c = 0; c < TFA_SMOOTH; c++)
            columns[c * 6 + i] = smooth[i * TFA_SMOOTH + c];
    assert_orthonormal(columns, 3, 6);
    for (size_t i = 0; i < 6; i++)
        assert_true(columns[18 + i] == 0.0);
}

static void ridge_solve(void **state)
{
    (void)state;
    rung_platform *platform = open_cpu("cpu");
    rung_ctx cx = rung_ctx_of(platform);
    /* (G + 1) w = p with G + 1 = L L', L = (2 0; 1 3), w = (1 2; -1 0) */
    double gram[4] = {3.0, 2.0, 2.0, 9.0}, rhs[4] = {2.0, 8.0, -8.0, 4.0}, w[4], chol[4];
    assert_int_equal(rk_ridge_solve(&cx, w, chol, gram, rhs, 1.0, 2, 2), RUNG_OK);
    const double want[4] = {1.0, 2.0, -1.0, 0.0}, factor[4] = {2.0, 0.0, 1.0, 3.0};
    for (size_t i = 0; i < 4; i++) {
        assert_true(fabs(w[i] - want[i]) < 1e-14);
        assert_true(fabs(chol[i] - factor[i]) < 1e-14);
    }
    gram[3] = -1.0;
    assert_int_equal(rk_ridge_solve(&cx, w, chol, gram, rhs, 0.0, 2, 2), RUNG_ERR_NUMERIC);
    rung_platform_close(platform);
}

static int add_one(void *user, size_t task, unsigned worker)
{
    (void)worker;
    ((int *)user)[task]++;
    return task == 60 ? 5 : 0;
}

static void parallel(void **state)
{
    (void)state;
    int done[64] = {0};
    assert_int_equal(rung_tfa_parallel(4, 60, add_one, done), 0);
    for (size_t i = 0; i < 60; i++)
        assert_int_equal(done[i], 1);
    assert_int_equal(rung_tfa_parallel(3, 64, add_one, done), 5);
    assert_int_equal(rung_tfa_parallel(0, 0, add_one, done), 0);
    assert_true(rung_tfa_cpus() >= 1);
}

/* A wide and a narrow source: both are the strongest peaks, in the right places. */
static void detection(void **state)
{
    (void)state;
    enum { SIDE = 20, V = SIDE * SIDE * SIDE, T = 20 };
    float *x = calloc((size_t)V * T, sizeof(float));
    double *xyz = malloc(3 * (size_t)V * sizeof(double));
    assert_non_null(x);
    assert_non_null(xyz);
    const double at[2][4] = {{12.0, 10.0, 12.0, 6.0}, {30.0, 28.0, 30.0, 1.0}};
    const double height[2] = {1.0, 8.0};
    for (size_t i = 0; i < V; i++) {
        double *r = xyz + 3 * i;
        r[0] = 2.0 * (double)(i % SIDE);
        r[1] = 2.0 * (double)(i / SIDE % SIDE);
        r[2] = 2.0 * (double)(i / SIDE / SIDE);
        for (size_t k = 0; k < 2; k++) {
            double q = 0.0;
            for (size_t p = 0; p < 3; p++)
                q += (r[p] - at[k][p]) * (r[p] - at[k][p]);
            for (size_t p = 0; p < T; p++)
                x[i * T + p] +=
                    (float)(height[k] * exp(-q / (2.0 * at[k][3] * at[k][3])) * cos((double)((k + 1) * (p + 1))));
        }
    }
    tfa_engine engine = {.threads = 2, .voxel = 2.0, .low = {-1.0, -1.0, -1.0, 0.5}, .high = {39.0, 39.0, 39.0, 38.0}};
    rung_platform *platform = open_cpu("cpu");
    rung_tfa_engine_choose(&engine, platform, RK_VARIANT_DEFAULT);
    assert_int_equal(rung_tfa_engine_open(&engine, 2, T), RUNG_OK);
    tfa_data data = {.x = x, .xyz = xyz, .v = V, .t = T};
    tfa_peak peaks[2];
    size_t count;
    assert_int_equal(rung_tfa_detect(&engine, &data, peaks, 2, &count), RUNG_OK);
    assert_int_equal(count, 2);
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(rung_tfa_peak_refine(&engine, &data, &peaks[k]), RUNG_OK);
        const double *want = at[k];
        for (size_t p = 0; p < 3; p++)
            assert_true(fabs(peaks[k].theta[p] - want[p]) < 0.5);
    }
    assert_true(peaks[0].gain > peaks[1].gain);
    rung_tfa_engine_close(&engine);
    rung_platform_close(platform);
    free(x);
    free(xyz);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orthonormal_rows), cmocka_unit_test(smooth_basis), cmocka_unit_test(ridge_solve),
        cmocka_unit_test(parallel),         cmocka_unit_test(detection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
