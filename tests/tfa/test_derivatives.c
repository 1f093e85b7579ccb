/* SPDX-License-Identifier: Apache-2.0
 *
 * test_derivatives.c: derivatives against differences: of the op rbf_factors, and of the objective with the weights
 * eliminated, whose gradient and exact Hessian the steps of the fit are made of.
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

static void op_derivatives(void **state)
{
    (void)state;
    rung_platform *platform = open_cpu("cpu");
    rung_ctx cx = rung_ctx_of(platform);
    double xyz[9] = {0.0, 0.0, 0.0, 1.0, -2.0, 0.5, 3.0, 1.0, -1.0};
    double theta[8] = {0.2, 0.1, -0.3, 1.5, 1.0, 1.0, 1.0, 0.7}, f[6], d[24], plus[6], minus[6], h = 1e-5;
    assert_int_equal(rk_rbf_factors(&cx, f, d, xyz, theta, 3, 2), RUNG_OK);
    for (size_t p = 0; p < 8; p++) {
        double at = theta[p];
        theta[p] = at + h;
        assert_int_equal(rk_rbf_factors(&cx, plus, NULL, xyz, theta, 3, 2), RUNG_OK);
        theta[p] = at - h;
        assert_int_equal(rk_rbf_factors(&cx, minus, NULL, xyz, theta, 3, 2), RUNG_OK);
        theta[p] = at;
        for (size_t i = 0; i < 3; i++) {
            double slope = (plus[2 * i + p / 4] - minus[2 * i + p / 4]) / (2.0 * h);
            assert_true(fabs(slope - d[4 * (2 * i + p / 4) + p % 4]) < 1e-9);
        }
    }
    rung_platform_close(platform);
}

typedef struct problem {
    tfa_engine engine;
    tfa_data data;
    tfa_model model;
    tfa_normal normal;
    double *trend, *smooth, smooth_trend[2 * TFA_SMOOTH];
} problem;

/* Two trends per voxel: a slope across the head, one factor's, and something without order. */
static void add_trends(problem *p)
{
    size_t v = p->data.v;
    p->trend = malloc(2 * v * sizeof(double));
    p->smooth = malloc(TFA_SMOOTH * v * sizeof(double));
    assert_non_null(p->trend);
    assert_non_null(p->smooth);
    rung_tfa_smooth_basis(p->smooth, p->data.xyz, v);
    for (size_t i = 0; i < v; i++) {
        const double *r = p->data.xyz + 3 * i, *c = p->model.theta;
        double q = (r[0] - c[0]) * (r[0] - c[0]) + (r[1] - c[1]) * (r[1] - c[1]) + (r[2] - c[2]) * (r[2] - c[2]);
        p->trend[2 * i] = 1.0 + 0.1 * r[0] + 3.0 * exp(-q / 30.0) + (double)(i * 31 % 17) / 17.0;
        p->trend[2 * i + 1] = (double)(i * 71 % 23) / 23.0 - 2.0 * exp(-q / 20.0);
        for (size_t j = 0; j < 2; j++) {
            p->data.total += p->trend[2 * i + j] * p->trend[2 * i + j];
            for (size_t s = 0; s < TFA_SMOOTH; s++)
                p->smooth_trend[2 * s + j] += p->smooth[TFA_SMOOTH * i + s] * p->trend[2 * i + j];
        }
    }
    for (size_t i = 0; i < (size_t)2 * TFA_SMOOTH; i++)
        p->data.total -= p->smooth_trend[i] * p->smooth_trend[i];
    p->data.trend = p->trend;
    p->data.smooth = p->smooth;
    p->data.smooth_trend = p->smooth_trend;
    p->data.m = 2;
}

static double objective(problem *p)
{
    assert_int_equal(rung_tfa_model_fit(&p->engine, &p->data, &p->model), RUNG_OK);
    return p->model.objective;
}

static void gradient(problem *p, double *g)
{
    objective(p);
    assert_int_equal(rung_tfa_normal_build(&p->engine, &p->data, &p->model, &p->normal, TFA_EXACT), RUNG_OK);
    memcpy(g, p->normal.g, 4 * p->model.k * sizeof(double));
}

static void check(problem *p)
{
    size_t n = 4 * p->model.k;
    double g[12], plus[12], minus[12], h[144], kaufman[144], most = 0.0, largest = 0.0;
    gradient(p, g);
    memcpy(h, p->normal.h, n * n * sizeof(double));
    assert_int_equal(rung_tfa_normal_build(&p->engine, &p->data, &p->model, &p->normal, TFA_KAUFMAN), RUNG_OK);
    memcpy(kaufman, p->normal.h, n * n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(g[i]));
        assert_true(fabs(p->normal.g[i] - g[i]) <= 1e-9 * (1.0 + fabs(g[i])));
        assert_true(fabs(kaufman[i * n + i] - p->normal.diagonal[i]) <= 1e-9 * kaufman[i * n + i]);
    }
    for (size_t i = 0; i < n * n; i++)
        largest = fmax(largest, fabs(h[i]));
    for (size_t i = 0; i < n; i++) {
        double at = p->model.theta[i], by = 1e-4;
        p->model.theta[i] = at + by;
        double up = objective(p);
        gradient(p, plus);
        p->model.theta[i] = at - by;
        double down = objective(p);
        gradient(p, minus);
        p->model.theta[i] = at;
        /* g is minus half the slope, h half the curvature */
        assert_true(fabs(-(up - down) / (4.0 * by) - g[i]) <= 1e-5 * most);
        for (size_t j = 0; j < n; j++) {
            assert_true(fabs((minus[j] - plus[j]) / (2.0 * by) - h[i * n + j]) <= 1e-5 * largest);
            assert_true(fabs(h[i * n + j] - h[j * n + i]) <= 1e-9 * largest);
        }
    }
}

static void objective_derivatives(void **state)
{
    (void)state;
    rung_platform *platform = open_cpu("cpu");
    synthetic s = synthetic_new(&(recipe){{12, 12, 12}, 2.0, 0.3, 20, 3, 0.0, 0.5, 0.0, 31});
    for (size_t i = 0; i < s.scan.voxels * s.scan.volumes; i++)
        s.scan.x[i] -= 100.0F;
    double mean[12], weight[12];
    tfa_prior prior = {.mean = mean, .weight = weight};
    for (int kind = 0; kind < 6; kind++) { /* with and without trends and a prior, with a small and a large ridge */
        problem p = {.engine = {.threads = 2, .ridge = kind % 2 ? 0.1 : 1e-5, .voxel = 2.0}};
        p.data = (tfa_data){.x = s.scan.x, .xyz = s.scan.xyz, .v = s.scan.voxels, .t = s.scan.volumes};
        rung_tfa_engine_choose(&p.engine, platform, RK_VARIANT_DEFAULT);
        assert_int_equal(rung_tfa_engine_open(&p.engine, 3, s.scan.volumes), RUNG_OK);
        assert_int_equal(rung_tfa_model_open(&p.model, &p.engine), RUNG_OK);
        assert_int_equal(rung_tfa_normal_open(&p.normal, &p.engine), RUNG_OK);
        assert_int_equal(rung_tfa_total(&p.engine, &p.data, &p.data.total), RUNG_OK);
        p.model.k = 3;
        memcpy(p.model.theta, s.truth, 12 * sizeof(double));
        for (size_t i = 0; i < 12; i++)
            p.model.theta[i] += i % 4 == 3 ? 0.4 : 0.7 - 0.2 * (double)i / 3.0;
        for (size_t i = 0; i < 12; i++) {
            mean[i] = s.truth[i] - 0.5;
            weight[i] = 200.0 * (double)(i + 1);
        }
        if (kind >= 2)
            add_trends(&p);
        p.data.prior = kind >= 4 ? &prior : NULL;
        check(&p);
        rung_tfa_normal_close(&p.normal);
        rung_tfa_model_close(&p.model);
        rung_tfa_engine_close(&p.engine);
        free(p.trend);
        free(p.smooth);
    }
    synthetic_free(&s);
    rung_platform_close(platform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(op_derivatives),
        cmocka_unit_test(objective_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
