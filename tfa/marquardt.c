/* SPDX-License-Identifier: Apache-2.0
 *
 * marquardt.c: Levenberg-Marquardt steps within bounds: parameters at a bound that the gradient pushes against are
 * held, the step is projected onto the bounds (Kanzow, Yamashita and Fukushima 2004, doi:10.1016/j.cam.2004.02.013),
 * damping scales with the diagonal (Marquardt 1963) and follows the gain ratio (Nielsen 1999). The Hessian is Kaufman's
 * approximation or the exact one.
 */
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rk/rk.h"

enum { MOST_BLIND = 6 };

typedef struct search {
    tfa_normal normal;
    tfa_model trial;
    double *step, *solved, *rhs, *matrix, *chol, *scale;
    size_t *free_at;
    double mu, grow;
    unsigned blind; /* steps whose gain was too small to be seen */
} search;

static void search_close(search *s)
{
    rung_tfa_normal_close(&s->normal);
    rung_tfa_model_close(&s->trial);
    free(s->step);
    free(s->free_at);
}

static int search_open(search *s, const tfa_engine *engine)
{
    size_t n = 4 * engine->k;
    *s = (search){.mu = 1e-3, .grow = 2.0};
    s->step = malloc((4 * n + 2 * n * n) * sizeof(double));
    s->free_at = malloc(n * sizeof(size_t));
    int status = rung_tfa_normal_open(&s->normal, engine);
    if (status == RUNG_OK)
        status = rung_tfa_model_open(&s->trial, engine);
    if (status != RUNG_OK || s->step == NULL || s->free_at == NULL) {
        search_close(s);
        return RUNG_ERR_MEMORY;
    }
    s->solved = s->step + n;
    s->rhs = s->solved + n;
    s->scale = s->rhs + n;
    s->matrix = s->scale + n;
    s->chol = s->matrix + n * n;
    return RUNG_OK;
}

/* The parameters that may move: not held by a bound, and of some effect. */
static size_t find_free(const tfa_engine *engine, const tfa_model *model, search *s)
{
    size_t n = 4 * model->k, count = 0;
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = s->normal.diagonal[i] > most ? s->normal.diagonal[i] : most;
    for (size_t i = 0; i < n; i++) {
        double g = s->normal.g[i], at = model->theta[i], h = s->normal.diagonal[i];
        bool held = (g < 0.0 && at <= engine->low[i % 4]) || (g > 0.0 && at >= engine->high[i % 4]);
        s->scale[i] = h > 1e-14 * most ? 1.0 / sqrt(h) : 0.0;
        if (!held && s->scale[i] > 0.0)
            s->free_at[count++] = i;
    }
    return count;
}

/* step: the damped solution. A centre moves by at most its factor's width, a width by at most its half. */
static int solve_step(tfa_engine *engine, const tfa_model *model, search *s, size_t count)
{
    size_t n = 4 * model->k;
    for (size_t i = 0; i < count; i++) {
        size_t a = s->free_at[i];
        s->rhs[i] = s->normal.g[a] * s->scale[a];
        for (size_t j = 0; j < count; j++) {
            size_t b = s->free_at[j];
            s->matrix[i * count + j] = s->normal.h[a * n + b] * s->scale[a] * s->scale[b];
        }
    }
    for (;;) {
        rung_status status = rk_ridge_solve(&engine->cx[RK_OP_RIDGE_SOLVE], s->solved, s->chol, s->matrix, s->rhs,
                                            s->mu, count, count > 0 ? 1 : 0);
        if (status == RUNG_OK)
            break;
        if (status != RUNG_ERR_NUMERIC || s->mu > 1e12)
            return rung_tfa_op(engine, "ridge_solve", status);
        s->mu *= 4.0; /* no minimum in sight yet: more like a step along the gradient */
    }
    memset(s->step, 0, n * sizeof(double));
    for (size_t i = 0; i < count; i++)
        s->step[s->free_at[i]] = s->solved[i] * s->scale[s->free_at[i]];
    for (size_t k = 0; k < model->k; k++) {
        double *step = s->step + 4 * k, width = model->theta[4 * k + 3];
        double length = sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
        double by = fmax(length / width, fabs(step[3]) / (0.5 * width));
        for (size_t p = 0; by > 1.0 && p < 4; p++)
            step[p] /= by;
    }
    return RUNG_OK;
}

/* trial.theta; the step becomes what it is within the bounds. Returns the farthest move in voxels. */
static double take_step(const tfa_engine *engine, const tfa_model *model, search *s)
{
    double most = 0.0;
    s->trial.k = model->k;
    for (size_t k = 0; k < model->k; k++) {
        double *to = s->trial.theta + 4 * k;
        const double *from = model->theta + 4 * k;
        for (size_t p = 0; p < 4; p++)
            to[p] = from[p] + s->step[4 * k + p];
        rung_tfa_confine(engine, to);
        for (size_t p = 0; p < 4; p++) {
            s->step[4 * k + p] = to[p] - from[p];
            most = fmax(most, fabs(to[p] - from[p]));
        }
    }
    return most / engine->voxel;
}

/* How much the quadratic model says that the objective falls. */
static double predicted(const tfa_model *model, const search *s)
{
    size_t n = 4 * model->k;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        double row = 0.0;
        for (size_t j = 0; j < n; j++)
            row += s->normal.h[i * n + j] * s->step[j];
        sum += s->step[i] * (2.0 * s->normal.g[i] - row);
    }
    return sum;
}

static void swap_models(tfa_model *a, tfa_model *b)
{
    tfa_model keep = *a;
    *a = *b;
    *b = keep;
}

/* A gain that is not worth a step: it corresponds to a three-millionth of the standard error of an estimate. Valleys
 * along which the data says nothing, as of a factor within a single voxel, end there. */
static double settled_at(const tfa_data *data, const tfa_model *model)
{
    double freedom = (double)data->v > (double)model->k ? (double)data->v - (double)model->k : 1.0;
    return 1e-13 * model->objective / (freedom * (double)(data->t + data->m));
}

/* Tries steps from the model, more and more damped, until one lowers the objective: *move is its size in voxels. 0 when
 * none does, however small: the model is at a minimum as far as arithmetic tells. *settled: the last step was expected
 * to gain next to nothing. */
static int improve(tfa_engine *engine, const tfa_data *data, tfa_model *model, search *s, double *move, bool *settled)
{
    size_t count = find_free(engine, model, s);
    for (;;) {
        int status = solve_step(engine, model, s, count);
        if (status != RUNG_OK)
            return status;
        *move = take_step(engine, model, s);
        if (*move == 0.0)
            return RUNG_OK;
        double expected = predicted(model, s);
        status = rung_tfa_model_fit(engine, data, &s->trial);
        if (status != RUNG_OK)
            return status;
        double gained = model->objective - s->trial.objective;
        *settled = fabs(expected) < settled_at(data, model);
        /* close to the minimum the gradient still tells where it is when the objective's last bits no longer do */
        bool blind = expected > 0.0 && expected < 1e-11 * data->total && gained > -1e-13 * data->total &&
                     gained <= 0.1 * expected && s->blind < MOST_BLIND;
        if (blind) {
            s->blind++;
            s->mu = fmax(s->mu / 3.0, 1e-12);
            swap_models(model, &s->trial);
            return RUNG_OK;
        }
        if (gained > 0.0) {
            double ratio = expected > 0.0 ? gained / expected : 1.0, x = 2.0 * fmin(ratio, 1.0) - 1.0;
            s->mu = fmax(s->mu * fmax(1.0 / 3.0, 1.0 - x * x * x), 1e-12);
            s->grow = 2.0;
            swap_models(model, &s->trial);
            return RUNG_OK;
        }
        if (fabs(expected) < 1e-13 * data->total || s->mu > 1e8) {
            *move = 0.0;
            return RUNG_OK;
        }
        s->mu *= s->grow;
        s->grow *= 2.0;
    }
}

static double fraction(const tfa_data *data, const tfa_model *model, const tfa_marquardt *options)
{
    return (options->energy - (data->total - model->objective)) / options->energy;
}

int rung_tfa_marquardt_run(tfa_engine *engine, const tfa_data *data, tfa_model *model, tfa_marquardt *options)
{
    search s;
    int status = search_open(&s, engine);
    if (status != RUNG_OK)
        return status;
    options->iterations = 0;
    options->converged = false;
    status = rung_tfa_model_fit(engine, data, model);
    while (status == RUNG_OK && !options->converged && options->iterations < options->max_iter) {
        double move = 0.0;
        bool settled = false;
        status = rung_tfa_normal_build(engine, data, model, &s.normal, options->exact ? TFA_EXACT : TFA_KAUFMAN);
        if (status == RUNG_OK)
            status = improve(engine, data, model, &s, &move, &settled);
        if (status != RUNG_OK)
            break;
        /* a small step says little while it is damped */
        options->converged = move == 0.0 || ((move < options->tol || settled) && s.mu < 0.01);
        if (move == 0.0)
            break;
        if (options->energy > 0.0) {
            double left = fraction(data, model, options);
            if (options->trace != NULL)
                options->trace[options->iterations] = left;
            status = rung_tfa_report(engine, RUNG_TFA_STAGE_FIT, options->done + options->iterations + 1, left);
        }
        options->iterations++;
    }
    search_close(&s);
    return status;
}
