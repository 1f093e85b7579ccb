/* SPDX-License-Identifier: Apache-2.0
 *
 * start.c: the first places of the factors. The strongest peaks of what is left are fitted one at a time, each to the
 * voxels about it, and taken out; then all factors so far are refined together, and what is left is looked at anew.
 */
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A local fit uses at most about this many voxels. */
enum { MOST_LOCAL = 6000 };

/* The rows within reach of the peak, every so many of them when there are too many. */
static int gather(const tfa_engine *engine, const tfa_data *data, const double *theta, tfa_data *local, float **x,
                  double **xyz)
{
    double reach = 3.2 * theta[3] + 1.5 * engine->voxel, reach2 = reach * reach;
    size_t inside = 0, n = 0, seen = 0;
    for (int fill = 0; fill < 2; fill++) {
        size_t every = fill ? inside / MOST_LOCAL + 1 : 1;
        for (size_t i = 0; i < data->v; i++) {
            const double *r = data->xyz + 3 * i;
            double a = r[0] - theta[0], b = r[1] - theta[1], c = r[2] - theta[2];
            if (a * a + b * b + c * c > reach2)
                continue;
            if (!fill) {
                inside++;
            } else if (seen++ % every == 0) {
                memcpy(*x + n * data->t, data->x + i * data->t, data->t * sizeof(float));
                memcpy(*xyz + 3 * n, r, 3 * sizeof(double));
                n++;
            }
        }
        if (!fill) {
            size_t most = inside < MOST_LOCAL ? inside : MOST_LOCAL;
            *x = malloc((most * data->t + 1) * sizeof(float));
            *xyz = malloc((3 * most + 1) * sizeof(double));
            if (*x == NULL || *xyz == NULL)
                return RUNG_ERR_MEMORY;
        }
    }
    *local = (tfa_data){.x = *x, .xyz = *xyz, .v = n, .t = data->t};
    return RUNG_OK;
}

int rung_tfa_peak_refine(tfa_engine *engine, const tfa_data *data, tfa_peak *peak)
{
    float *x = NULL;
    double *xyz = NULL;
    tfa_data local;
    tfa_model model = {0};
    tfa_marquardt options = {.max_iter = 12, .tol = 0.01};
    rung_tfa_confine(engine, peak->theta);
    int status = gather(engine, data, peak->theta, &local, &x, &xyz);
    if (status == RUNG_OK)
        status = rung_tfa_model_open(&model, engine);
    if (status == RUNG_OK)
        status = rung_tfa_total(engine, &local, &local.total);
    if (status == RUNG_OK) {
        model.k = 1;
        memcpy(model.theta, peak->theta, sizeof peak->theta);
        status = rung_tfa_marquardt_run(engine, &local, &model, &options);
    }
    if (status == RUNG_OK) {
        memcpy(peak->theta, model.theta, sizeof peak->theta);
        peak->gain = local.total - model.objective;
    }
    rung_tfa_model_close(&model);
    free(x);
    free(xyz);
    return status;
}

/* r -= what one factor at theta explains of it. */
static int take_out(tfa_engine *engine, const tfa_data *left, const double *theta, float *r)
{
    tfa_model one = {0};
    int status = rung_tfa_model_open(&one, engine);
    if (status == RUNG_OK) {
        one.k = 1;
        memcpy(one.theta, theta, 4 * sizeof(double));
        status = rung_tfa_model_fit(engine, left, &one);
    }
    if (status == RUNG_OK)
        status = rung_tfa_model_residual(engine, left, &one, r);
    rung_tfa_model_close(&one);
    return status;
}

/* Up to as many more factors as there are already, out of the residual. */
static int add_round(tfa_engine *engine, const tfa_data *left, tfa_model *model, size_t k, float *r, tfa_peak *peaks)
{
    size_t room = k - model->k, most = model->k > 0 ? model->k : 1, count = 0;
    most = most < room ? most : room;
    int status = rung_tfa_detect(engine, left, peaks, most, &count);
    for (size_t i = 0; status == RUNG_OK && i < count; i++) {
        if (i > 0 && peaks[i].gain < 0.25 * peaks[0].gain)
            break;
        status = rung_tfa_peak_refine(engine, left, &peaks[i]);
        if (status != RUNG_OK)
            break;
        status = take_out(engine, left, peaks[i].theta, r);
        memcpy(model->theta + 4 * model->k++, peaks[i].theta, sizeof peaks[i].theta);
    }
    if (status != RUNG_OK || count > 0)
        return status;
    /* nothing is left at all: the rest of the factors stand where the voxels do */
    while (model->k < k) {
        double *theta = model->theta + 4 * model->k;
        memcpy(theta, left->xyz + 3 * (model->k * left->v / k), 3 * sizeof(double));
        theta[3] = engine->voxel;
        rung_tfa_confine(engine, theta);
        model->k++;
    }
    return RUNG_OK;
}

int rung_tfa_start(tfa_engine *engine, const tfa_data *data, tfa_model *model, size_t k, float *r)
{
    tfa_data left = *data;
    left.x = r;
    left.trend = NULL;
    tfa_peak *peaks = malloc(k * sizeof *peaks);
    if (peaks == NULL)
        return RUNG_ERR_MEMORY;
    int status = RUNG_OK;
    if (model->k == 0)
        memcpy(r, data->x, data->v * data->t * sizeof(float));
    else
        status = rung_tfa_model_residual(engine, data, model, r);
    while (status == RUNG_OK && model->k < k) {
        tfa_marquardt options = {.max_iter = 6, .tol = 0.03};
        status = add_round(engine, &left, model, k, r, peaks);
        if (status == RUNG_OK && model->k > 1)
            status = rung_tfa_marquardt_run(engine, data, model, &options);
        else if (status == RUNG_OK)
            status = rung_tfa_model_fit(engine, data, model);
        if (status == RUNG_OK)
            status = rung_tfa_model_residual(engine, data, model, r);
        if (status == RUNG_OK)
            status = rung_tfa_report(engine, RUNG_TFA_STAGE_START, (unsigned)model->k, 1.0);
    }
    free(peaks);
    return status;
}
