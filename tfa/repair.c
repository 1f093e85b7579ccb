/* SPDX-License-Identifier: Apache-2.0
 *
 * repair.c: a start from peaks can leave two factors on one source and none on another. As long as the residual has a
 * peak that noise does not explain, factors are taken out and started anew at the strongest peak that is then left: the
 * one that explains least, the weaker one of the two that are most alike, and the one nearest to the peak. And as long
 * as a factor looks like two sources, it is split, instead of the one that explains least.
 */
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct repair {
    tfa_engine *engine;
    const tfa_data *data;
    float *r;
    tfa_model trial;
    double *loss, *score, *direction;
    unsigned tried;
} repair;

static int refine(repair *state, tfa_model *model, unsigned steps, double tol)
{
    tfa_marquardt options = {.max_iter = steps, .tol = tol, .exact = true};
    return rung_tfa_marquardt_run(state->engine, state->data, model, &options);
}

/* The strongest peak of the residual of `model`, refined; gain 0 when there is none. */
static int strongest(repair *state, const tfa_model *model, tfa_peak *peak)
{
    tfa_data left = *state->data;
    left.x = state->r;
    size_t count = 0;
    *peak = (tfa_peak){.gain = 0.0};
    int status = rung_tfa_model_residual(state->engine, state->data, model, state->r);
    if (status == RUNG_OK)
        status = rung_tfa_detect(state->engine, &left, peak, 1, &count);
    if (status == RUNG_OK && count == 1)
        status = rung_tfa_peak_refine(state->engine, &left, peak);
    return status;
}

/* The variance left over, per number of the data. */
static double noise_of(const repair *state, const tfa_model *model)
{
    double t = (double)state->data->t, v = (double)state->data->v;
    double freedom = v > (double)model->k ? v - (double)model->k : 1.0;
    return model->objective / (freedom * t);
}

double rung_tfa_best_of_noise(double noise, double t)
{
    return noise * (t + 7.0 * sqrt(2.0 * t) + 25.0);
}

static size_t least(const double *loss, size_t k)
{
    size_t best = 0;
    for (size_t i = 1; i < k; i++)
        if ((float)loss[i] < (float)loss[best])
            best = i;
    return best;
}

static size_t most_alike(const tfa_model *model, const double *loss)
{
    size_t k = model->k, best = 0;
    double most = -1.0;
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < i; j++) {
            double product = model->gram[i * k + i] * model->gram[j * k + j];
            double alike = product > 0.0 ? model->gram[i * k + j] / sqrt(product) : 0.0;
            if ((float)alike > (float)most) {
                most = alike;
                best = loss[i] < loss[j] ? i : j;
            }
        }
    }
    return best;
}

static size_t nearest(const tfa_model *model, const tfa_peak *peak)
{
    size_t best = 0;
    double least_of_all = HUGE_VAL;
    for (size_t i = 0; i < model->k; i++) {
        double sum = 0.0;
        for (size_t p = 0; p < 3; p++)
            sum += (model->theta[4 * i + p] - peak->theta[p]) * (model->theta[4 * i + p] - peak->theta[p]);
        if (sum < least_of_all) {
            least_of_all = sum;
            best = i;
        }
    }
    return best;
}

/* trial: the model without factor `which`. */
static void leave_out(repair *state, const tfa_model *model, size_t which)
{
    tfa_model *trial = &state->trial;
    rung_tfa_model_copy(trial, model, state->engine);
    trial->k--;
    memmove(trial->theta + 4 * which, trial->theta + 4 * (which + 1), 4 * (trial->k - which) * sizeof(double));
}

/* trial: the model with factor `which` started anew. */
static int exchange(repair *state, const tfa_model *model, size_t which)
{
    tfa_model *trial = &state->trial;
    tfa_peak peak = {.gain = 0.0};
    leave_out(state, model, which);
    int status = RUNG_OK;
    if (trial->k > 0) {
        status = refine(state, trial, 4, 0.03);
        if (status == RUNG_OK)
            status = strongest(state, trial, &peak);
    }
    if (status != RUNG_OK || peak.gain <= 0.0) {
        rung_tfa_model_copy(trial, model, state->engine);
        return status;
    }
    memcpy(trial->theta + 4 * trial->k++, peak.theta, sizeof peak.theta);
    return refine(state, trial, 12, 0.01);
}

/* trial: the model with factor `which` made two, apart along the direction, instead of factor `instead`. */
static int split(repair *state, const tfa_model *model, size_t which, const double *direction, size_t instead)
{
    tfa_model *trial = &state->trial;
    double length = 0.0, width = model->theta[4 * which + 3];
    for (size_t p = 0; p < 4; p++)
        length += direction[p] * direction[p];
    double by = 0.5 * width / sqrt(length);
    leave_out(state, model, instead);
    double *one = trial->theta + 4 * (which > instead ? which - 1 : which), *two = trial->theta + 4 * trial->k++;
    for (size_t p = 0; p < 4; p++) {
        two[p] = one[p] - by * direction[p];
        one[p] += by * direction[p];
    }
    rung_tfa_confine(state->engine, one);
    rung_tfa_confine(state->engine, two);
    return refine(state, trial, 20, 0.01);
}

/* There are as many places for a factor as voxels over the cube of its width, and the more places, the more of the
 * noise the best of them explains, by twice the logarithm in units of the noise's variance. Factors that found noise
 * are narrow: without this they would sometimes win over a source that overlaps with another. */
static double chance(const repair *state, const tfa_model *model, double noise)
{
    double sum = 0.0;
    for (size_t i = 0; i < model->k; i++)
        sum -= 6.0 * noise * log(fmax(model->theta[4 * i + 3] / state->engine->voxel, 0.5));
    return sum;
}

/* Takes the trial when it is better by more than `enough`. */
static int decide(repair *state, tfa_model *model, double noise, double enough, bool *better)
{
    double now = model->objective + chance(state, model, noise);
    if (now - state->trial.objective - chance(state, &state->trial, noise) > enough) {
        rung_tfa_model_copy(model, &state->trial, state->engine);
        *better = true;
    }
    return rung_tfa_report(state->engine, RUNG_TFA_STAGE_REPAIR, ++state->tried, 1.0);
}

/* Starts a factor anew at the residual's strongest peak. */
static int try_exchanges(repair *state, tfa_model *model, const tfa_peak *peak, double noise, double enough,
                         bool *better)
{
    size_t which[3] = {least(state->loss, model->k), most_alike(model, state->loss), nearest(model, peak)};
    int status = RUNG_OK;
    for (size_t i = 0; status == RUNG_OK && i < 3 && !*better; i++) {
        if ((i > 0 && which[i] == which[0]) || (i > 1 && which[i] == which[1]))
            continue;
        status = exchange(state, model, which[i]);
        if (status == RUNG_OK)
            status = decide(state, model, noise, enough, better);
    }
    return status;
}

/* Splits the factors that look most like two, instead of the one that explains least. state->r is the residual. */
static int try_splits(repair *state, tfa_model *model, double noise, double enough, bool *better)
{
    tfa_data left = *state->data;
    double t = (double)left.t, threshold = noise * (t + 4.0 * sqrt(t) + 4.0); /* by noise alone, on average */
    size_t instead = least(state->loss, model->k);
    if (state->loss[instead] > rung_tfa_best_of_noise(noise, t))
        threshold += noise * 3.0 * sqrt(2.0 * t); /* no factor to spare: only for a clear case */
    left.x = state->r;
    int status = rung_tfa_splits(state->engine, &left, model, state->score, state->direction);
    for (size_t tries = 0; status == RUNG_OK && tries < 3 && !*better && model->k > 1; tries++) {
        size_t which = 0;
        state->score[instead] = 0.0;
        for (size_t i = 1; i < model->k; i++)
            which = (float)state->score[i] > (float)state->score[which] ? i : which;
        if (state->score[which] < threshold)
            break;
        state->score[which] = 0.0;
        status = split(state, model, which, state->direction + 4 * which, instead);
        if (status == RUNG_OK)
            status = decide(state, model, noise, enough, better);
    }
    return status;
}

/* One round; *better says whether the model was changed. */
static int improve(repair *state, tfa_model *model, bool *better)
{
    tfa_peak peak;
    double t = (double)state->data->t, noise = noise_of(state, model), enough = noise * 0.02 * t;
    *better = false;
    enough = enough > 1e-9 * state->data->total ? enough : 1e-9 * state->data->total;
    int status = rung_tfa_model_losses(state->engine, state->data, model, state->loss);
    if (status == RUNG_OK)
        status = strongest(state, model, &peak);
    if (status == RUNG_OK && peak.gain > rung_tfa_best_of_noise(noise, t))
        status = try_exchanges(state, model, &peak, noise, enough, better);
    if (status == RUNG_OK && !*better)
        status = rung_tfa_model_residual(state->engine, state->data, model, state->r);
    if (status == RUNG_OK && !*better)
        status = try_splits(state, model, noise, enough, better);
    return status;
}

int rung_tfa_repair(tfa_engine *engine, const tfa_data *data, tfa_model *model, float *r)
{
    repair state = {.engine = engine, .data = data, .r = r};
    state.loss = malloc(6 * model->k * sizeof(double));
    int status = state.loss == NULL ? RUNG_ERR_MEMORY : rung_tfa_model_open(&state.trial, engine);
    if (status == RUNG_OK) {
        state.score = state.loss + model->k;
        state.direction = state.score + model->k;
        status = refine(&state, model, 20, 0.003);
    }
    bool better = true;
    for (size_t round = 0; status == RUNG_OK && better && round < model->k + 3; round++)
        status = improve(&state, model, &better);
    rung_tfa_model_close(&state.trial);
    free(state.loss);
    return status;
}
