/* SPDX-License-Identifier: Apache-2.0
 *
 * fit.c: the stages of a fit from end to end: checks, trends, start, repair, joint fit, result.
 */
#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rk/rk.h"

/* Numbers in a scan up to which the start is not worth a projection. */
enum { SMALL_SCAN = 3000000 };

/* Start and repair, on x itself or, when there are many volumes, on a random projection of time. */
static int find_places(tfa_fit *f)
{
    size_t v = f->data.v, t = f->data.t, k = f->options->factors, r = k + 40;
    tfa_data data = f->data;
    int status = RUNG_OK;
    if (2 * t > 3 * r && v * t > SMALL_SCAN) {
        double *q = malloc(r * t * sizeof(double));
        f->projected = malloc(v * r * sizeof(float));
        if (q == NULL || f->projected == NULL) {
            free(q);
            return RUNG_ERR_MEMORY;
        }
        rung_tfa_random_rows(q, r, t, f->options->seed);
        status = rung_tfa_project(&f->engine, &f->data, q, r, f->projected);
        free(q);
        data.x = f->projected;
        data.t = r;
        if (status == RUNG_OK)
            status = rung_tfa_total(&f->engine, &data, &data.total);
    }
    f->left = malloc(v * data.t * sizeof(float));
    if (f->left == NULL)
        return RUNG_ERR_MEMORY;
    if (status == RUNG_OK)
        status = rung_tfa_start(&f->engine, &data, &f->model, k, f->left);
    if (status == RUNG_OK)
        status = rung_tfa_repair(&f->engine, &data, &f->model, f->left);
    free(f->left);
    f->left = NULL;
    return status;
}

static int fit_jointly(tfa_fit *f)
{
    size_t m = f->options->detrend;
    double used = 0.0;
    int status = rung_tfa_final_run(&f->engine, &f->data, &f->model, &f->final, f->options->tol);
    if (status != RUNG_OK || m == 0)
        return status;
    status = rung_tfa_take_in_trends(f);
    for (size_t j = 0; j < m; j++)
        used += f->weight[j];
    if (status == RUNG_OK && used > 0.0)
        return rung_tfa_final_run(&f->engine, &f->data, &f->model, &f->final, f->options->tol);
    f->data.trend = NULL;
    f->data.m = 0;
    f->data.total = f->energy_x;
    return status;
}

/* Room for the joint fit, and its counts. */
static int begin_final(tfa_fit *f)
{
    if (f->projected == NULL && 4 * f->options->factors < f->data.t)
        f->projected = malloc(f->data.v * f->options->factors * sizeof(float));
    f->final.room = f->projected; /* NULL is fine: slower */
    if (f->final.trace == NULL)
        f->final.trace = malloc((f->options->max_iter + 1) * sizeof(double));
    f->final.max_iter = f->options->max_iter;
    f->final.energy_x = f->energy_x;
    f->final.iterations = 0;
    return f->final.trace == NULL ? RUNG_ERR_MEMORY : RUNG_OK;
}

static void free_room(tfa_fit *f)
{
    free(f->projected);
    f->projected = f->final.room = NULL;
}

const char *rung_tfa_fit_begin(tfa_fit *f, rung_platform *platform, const rung_tfa_scan *scan,
                               const rung_tfa_options *options)
{
    *f = (tfa_fit){.options = options};
    rung_status usable = rung_tfa_platform_check(platform, options->variant, NULL);
    if (usable == RUNG_ERR_ARGUMENT)
        return "the platform is not one of rk_registry";
    const char *wrong = rung_tfa_options_check(options);
    if (wrong == NULL)
        wrong = rung_tfa_check_scan(scan, options);
    if (wrong != NULL)
        return wrong;
    if (usable == RUNG_ERR_UNAVAILABLE)
        return "no op has a kernel of this variant on this platform";
    rung_tfa_engine_choose(&f->engine, platform,
                           options->variant); /* an op without a kernel is named when it is called */
    f->engine.threads = options->threads > 0 ? options->threads : rung_tfa_cpus();
    f->engine.threads = f->engine.threads > TFA_STRIPS ? TFA_STRIPS : f->engine.threads;
    f->engine.ridge = options->ridge;
    f->engine.progress = options->progress;
    f->engine.user = options->user;
    rung_tfa_set_bounds(&f->engine, scan, options);
    f->data = (tfa_data){.x = scan->x, .xyz = scan->xyz, .v = scan->voxels, .t = scan->volumes};
    return NULL;
}

int rung_tfa_fit_own(tfa_fit *f, float *x)
{
    size_t v = f->data.v, t = f->data.t;
    int status = rung_tfa_engine_open(&f->engine, f->options->factors, t);
    if (status == RUNG_OK)
        status = rung_tfa_model_open(&f->model, &f->engine);
    double before = 0.0;
    if (status == RUNG_OK)
        status = rung_tfa_total(&f->engine, &f->data, &before);
    double square = before / ((double)v * (double)t);
    f->unit = square > 0.0 && isfinite(square) ? ldexp(1.0, -ilogb(sqrt(square))) : 1.0;
    before *= f->unit * f->unit;
    if (status == RUNG_OK)
        status = rung_tfa_take_out_trends(f, x);
    if (status == RUNG_OK)
        status = rung_tfa_total(&f->engine, &f->data, &f->energy_x);
    f->still = status == RUNG_OK && !(f->energy_x > 1e-20 * before); /* what rounding leaves of a constant is less */
    if (f->still)
        return RUNG_ERR_ARGUMENT;
    f->data.total = f->energy_x;
    if (status == RUNG_OK)
        status = find_places(f);
    if (status == RUNG_OK)
        status = begin_final(f);
    if (status == RUNG_OK)
        status = fit_jointly(f);
    free_room(f);
    return status;
}

int rung_tfa_fit_again(tfa_fit *f)
{
    int status = begin_final(f);
    if (status == RUNG_OK)
        status = rung_tfa_final_run(&f->engine, &f->data, &f->model, &f->final, f->options->tol);
    free_room(f);
    return status;
}

void rung_tfa_fit_end(tfa_fit *f)
{
    rung_tfa_engine_close(&f->engine);
    rung_tfa_model_close(&f->model);
    free(f->final.trace);
    free(f->polynomials);
    free(f->trend);
    free(f->smooth);
    free(f->projected);
}

rung_tfa_status rung_tfa_fit(rung_platform *platform, const rung_tfa_scan *scan, const rung_tfa_options *options,
                             rung_tfa_result **result, rung_tfa_error *error)
{
    rung_tfa_fail(error, RUNG_TFA_OK, "");
    if (result == NULL)
        return rung_tfa_fail(error, RUNG_TFA_ERR_ARGUMENT, "result is NULL");
    *result = NULL;
    if (platform == NULL || scan == NULL || options == NULL)
        return rung_tfa_fail(error, RUNG_TFA_ERR_ARGUMENT, "platform, scan or options are NULL");
    tfa_fit f;
    const char *wrong = rung_tfa_fit_begin(&f, platform, scan, options);
    if (wrong != NULL)
        return rung_tfa_fail(error, RUNG_TFA_ERR_ARGUMENT, wrong);
    int status = rung_tfa_fit_own(&f, scan->x);
    if (status == RUNG_OK)
        status = rung_tfa_write_result(&f, true, result);
    rung_tfa_fit_end(&f);
    if (status == RUNG_OK)
        return RUNG_TFA_OK;
    rung_tfa_result_free(*result);
    *result = NULL;
    return rung_tfa_fail_fit(error, &f, status);
}

rung_tfa_status rung_tfa_images(rung_platform *platform, uint32_t variant, const double *theta, size_t factors,
                                const double *xyz, size_t voxels, double *f, rung_tfa_error *error)
{
    rung_tfa_fail(error, RUNG_TFA_OK, "");
    if (platform == NULL)
        return rung_tfa_fail(error, RUNG_TFA_ERR_ARGUMENT, "platform is NULL");
    if (rung_platform_registry(platform) != &rk_registry)
        return rung_tfa_fail(error, RUNG_TFA_ERR_ARGUMENT, "the platform is not one of rk_registry");
    tfa_engine engine = {.threads = 1};
    rung_tfa_engine_choose(&engine, platform, variant);
    rung_status status = rk_rbf_factors(&engine.cx[RK_OP_RBF_FACTORS], f, NULL, xyz, theta, voxels, factors);
    return status == RUNG_OK ? RUNG_TFA_OK
                             : rung_tfa_fail_op(error, &engine, rung_tfa_op(&engine, "rbf_factors", status));
}
