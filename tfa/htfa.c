/* SPDX-License-Identifier: Apache-2.0
 *
 * htfa.c: rung_htfa_fit from end to end: each subject by itself, one order of factors, a template; then in rounds every
 * subject with the template as its prior, and the template anew.
 */
#include "htfa.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"
#include "rk/rk.h"

/* Rounds in which subjects are also started from the template. */
enum { RESTARTS = 3 };

typedef struct subject {
    tfa_fit fit;
    float *x;
    size_t index; /* the caller's */
    double noise; /* variance per number of the scaled data */
    unsigned steps;
} subject;

typedef struct job {
    const rung_htfa_options *options;
    tfa_group group;
    subject *subject; /* [s], in an order of their own: see by_content */
    tfa_prior prior;
    double *mean, *weight, *start, *kept; /* [k, 4] */
    rung_htfa_progress progress;
    size_t failed; /* the caller's index of the subject that is at work */
} job;

rung_htfa_options rung_htfa_options_default(void)
{
    return (rung_htfa_options){.fit = rung_tfa_options_default(), .max_rounds = 30, .template_tol = 1e-4};
}

static rung_tfa_status fail(rung_htfa_error *error, rung_tfa_status status, size_t who, const char *text)
{
    if (error != NULL) {
        error->status = status;
        error->subject = who;
        (void)snprintf(error->text, sizeof error->text, "%s", text);
    }
    return status;
}

static int on_fit(const rung_tfa_progress *fit, void *user)
{
    job *j = user;
    j->progress.fit = *fit;
    return j->options->progress(&j->progress, j->options->user);
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

/* Subjects are worked on in an order that depends on their scans alone, so that sums over them have the same bits
 * whatever the order in which they are given. Equal ones are the same. */
static int by_content(const void *a, const void *b)
{
    const subject *x = a, *y = b;
    const tfa_data *p = &x->fit.data, *q = &y->fit.data;
    if (p->v != q->v)
        return p->v < q->v ? -1 : 1;
    if (p->t != q->t)
        return p->t < q->t ? -1 : 1;
    int order = compare(x->fit.engine.voxel, y->fit.engine.voxel);
    for (size_t i = 0; order == 0 && i < 3 * p->v; i++)
        order = compare(p->xyz[i], q->xyz[i]);
    for (size_t i = 0; order == 0 && i < p->v * p->t; i++)
        order = compare((double)x->x[i], (double)y->x[i]);
    return order;
}

static void begin_subject(job *j, size_t i)
{
    subject *s = j->subject + i;
    j->failed = j->progress.subject = s->index;
    j->progress.done = i;
}

/* Counts steps, and takes what the data say. */
static int finish_subject(job *j, size_t i)
{
    subject *s = j->subject + i;
    s->noise = rung_tfa_noise(&s->fit);
    return rung_tfa_observe(&s->fit, s->noise, j->group.member + i * j->group.k);
}

static int fit_alone(job *j)
{
    int status = RUNG_OK;
    for (size_t i = 0; status == RUNG_OK && i < j->group.s; i++) {
        subject *s = j->subject + i;
        begin_subject(j, i);
        status = rung_tfa_fit_own(&s->fit, s->x);
        s->steps = s->fit.final.iterations;
        if (status == RUNG_OK)
            status = finish_subject(j, i);
        rung_tfa_engine_close(&s->fit.engine);
    }
    return status;
}

/* One fit with the prior from theta [k, 4] on, which is then where it ended. */
static int fit_from(subject *s, double *theta, size_t k, double *objective)
{
    memcpy(s->fit.model.theta, theta, 4 * k * sizeof(double));
    for (size_t a = 0; a < k; a++)
        rung_tfa_confine(&s->fit.engine, s->fit.model.theta + 4 * a);
    int status = rung_tfa_fit_again(&s->fit);
    s->steps += s->fit.final.iterations;
    memcpy(theta, s->fit.model.theta, 4 * k * sizeof(double));
    *objective = s->fit.model.objective;
    return status;
}

/* The subject's factors given the template: from where they are, and, when some are not those of the template, also
 * with these at the template. */
static int fit_with_template(job *j, size_t i)
{
    size_t k = j->group.k;
    subject *s = j->subject + i;
    tfa_member *member = j->group.member + i * k;
    bool astray = false;
    double here, there;
    for (size_t a = 0; a < k; a++) {
        const tfa_common *common = j->group.common + a;
        memcpy(j->mean + 4 * a, common->theta, sizeof common->theta);
        /* A factor that the subject has, and that is not the template's, is not drawn there. */
        double drawn = 1.0 - member[a].present + member[a].trust;
        for (size_t p = 0; p < 4; p++)
            j->weight[4 * a + p] = drawn * s->noise / (common->spread[p / 3] * common->spread[p / 3]);
        memcpy(j->kept + 4 * a, member[a].theta, sizeof member[a].theta);
        memcpy(j->start + 4 * a, member[a].trust < 1.0 ? common->theta : member[a].theta, sizeof common->theta);
        astray = astray || member[a].trust < 1.0;
    }
    s->fit.data.prior = &j->prior;
    int status = fit_from(s, j->kept, k, &here);
    if (status == RUNG_OK && astray && j->progress.round <= RESTARTS) {
        status = fit_from(s, j->start, k, &there);
        if (status == RUNG_OK && !(there < here)) /* back to the better one */
            status = fit_from(s, j->kept, k, &here);
    }
    return status;
}

static int round_of_fits(job *j)
{
    int status = RUNG_OK;
    for (size_t i = 0; status == RUNG_OK && i < j->group.s; i++) {
        subject *s = j->subject + i;
        begin_subject(j, i);
        status = rung_tfa_engine_open(&s->fit.engine, j->group.k, s->fit.data.t);
        if (status == RUNG_OK)
            status = fit_with_template(j, i);
        if (status == RUNG_OK)
            status = finish_subject(j, i);
        rung_tfa_engine_close(&s->fit.engine);
        s->fit.data.prior = NULL;
    }
    return status;
}

/* With one subject the template is its fit. */
static void copy_only_one(tfa_group *group)
{
    for (size_t a = 0; a < group->k; a++) {
        tfa_member *m = group->member + a;
        memcpy(group->common[a].theta, m->theta, sizeof m->theta);
        group->common[a].spread[0] = group->common[a].spread[1] = NAN;
        group->common[a].error[0] = sqrt((m->cov[0] + m->cov[5] + m->cov[10]) / 3.0);
        group->common[a].error[1] = sqrt(m->cov[15]);
        m->share = 1.0;
    }
}

static int alternate(job *j, rung_htfa_result *result)
{
    int status = fit_alone(j);
    if (status != RUNG_OK || j->group.s == 1) {
        copy_only_one(&j->group);
        result->converged = status == RUNG_OK && j->subject[0].fit.final.converged;
        return status;
    }
    j->failed = RUNG_HTFA_NOBODY;
    status = rung_tfa_match(&j->group);
    if (status != RUNG_OK)
        return status;
    rung_tfa_judge(&j->group);
    rung_tfa_update_template(&j->group);
    while (status == RUNG_OK && !result->converged && result->rounds < j->options->max_rounds) {
        j->progress.round = ++result->rounds;
        status = round_of_fits(j);
        if (status != RUNG_OK)
            return status;
        rung_tfa_judge(&j->group);
        result->moved = j->progress.moved = rung_tfa_update_template(&j->group);
        result->converged = result->moved <= j->options->template_tol;
    }
    for (size_t i = 0; i < j->group.s; i++)
        result->converged = result->converged && j->subject[i].fit.final.converged;
    return status;
}

/* ---- the result -------------------------------------------------------------------------------------------------- */

static rung_htfa_result *result_new(size_t s, size_t k)
{
    rung_htfa_result *result = calloc(1, sizeof *result);
    if (result == NULL)
        return NULL;
    *result = (rung_htfa_result){.subjects = s, .factors = k};
    result->theta = malloc(4 * k * sizeof(double));
    result->spread = malloc(2 * k * sizeof(double));
    result->error = malloc(2 * k * sizeof(double));
    result->share = malloc(s * k * sizeof(double));
    result->noise = malloc(s * sizeof(double));
    result->subject = calloc(s, sizeof(rung_tfa_result *));
    if (result->theta == NULL || result->spread == NULL || result->error == NULL || result->share == NULL ||
        result->noise == NULL || result->subject == NULL) {
        rung_htfa_result_free(result);
        return NULL;
    }
    return result;
}

void rung_htfa_result_free(rung_htfa_result *result)
{
    if (result == NULL)
        return;
    free(result->theta);
    free(result->spread);
    free(result->error);
    free(result->share);
    free(result->noise);
    for (size_t i = 0; result->subject != NULL && i < result->subjects; i++)
        rung_tfa_result_free(result->subject[i]);
    free(result->subject);
    free(result);
}

/* ---- the call ---------------------------------------------------------------------------------------------------- */

static int write_subjects(job *j, rung_htfa_result *result)
{
    int status = RUNG_OK;
    for (size_t i = 0; status == RUNG_OK && i < j->group.s; i++) {
        subject *s = j->subject + i;
        j->failed = s->index;
        status = rung_tfa_engine_open(&s->fit.engine, j->group.k, s->fit.data.t);
        if (status == RUNG_OK)
            status = rung_tfa_write_result(&s->fit, false, &result->subject[s->index]);
        rung_tfa_engine_close(&s->fit.engine);
        if (status == RUNG_OK)
            result->subject[s->index]->iterations = s->steps;
        result->noise[s->index] = sqrt(s->noise) / s->fit.unit;
    }
    j->failed = RUNG_HTFA_NOBODY;
    return status;
}

static int write_result(job *j, rung_htfa_result *result)
{
    size_t k = j->group.k;
    int status = write_subjects(j, result);
    size_t *order = malloc(k * sizeof *order);
    double *explained = calloc(k, sizeof *explained);
    if (status == RUNG_OK)
        status = order != NULL && explained != NULL ? RUNG_OK : RUNG_ERR_MEMORY;
    for (size_t i = 0; status == RUNG_OK && i < j->group.s; i++)
        for (size_t a = 0; a < k; a++)
            explained[a] += result->subject[j->subject[i].index]->explained[a] / (double)j->group.s;
    if (status == RUNG_OK)
        status = rung_tfa_rank(explained, k, order);
    if (status == RUNG_OK) {
        for (size_t a = 0; a < k; a++) {
            const tfa_common *common = j->group.common + order[a];
            memcpy(result->theta + 4 * a, common->theta, sizeof common->theta);
            bool shared = rung_tfa_trusted(&j->group, order[a]) > 1;
            for (size_t p = 0; p < 2; p++)
                result->spread[2 * a + p] = shared ? common->spread[p] : NAN;
            memcpy(result->error + 2 * a, common->error, sizeof common->error);
            for (size_t i = 0; i < j->group.s; i++)
                result->share[j->subject[i].index * k + a] = j->group.member[i * k + order[a]].share;
        }
    }
    for (size_t i = 0; status == RUNG_OK && i < j->group.s; i++)
        status = rung_tfa_reorder(result->subject[i], order);
    free(order);
    free(explained);
    return status;
}

const char *rung_htfa_options_check(const rung_htfa_options *options)
{
    if (options->max_rounds < 1 || options->max_rounds > 1000000)
        return "max_rounds must be 1 to 1000000";
    if (!(options->template_tol > 0.0) || !isfinite(options->template_tol))
        return "template_tol must be above 0";
    return rung_tfa_options_check(&options->fit);
}

/* Room, and every subject's arguments. */
static rung_tfa_status begin(job *j, rung_platform *platform, const rung_tfa_scan *scans, rung_htfa_error *error)
{
    size_t s = j->group.s, k = j->options->fit.factors;
    j->group.k = k;
    j->subject = calloc(s, sizeof *j->subject);
    j->group.member = calloc(s * k, sizeof *j->group.member);
    j->group.common = calloc(k, sizeof *j->group.common);
    j->mean = malloc(16 * k * sizeof(double));
    if (j->subject == NULL || j->group.member == NULL || j->group.common == NULL || j->mean == NULL)
        return fail(error, RUNG_TFA_ERR_MEMORY, RUNG_HTFA_NOBODY, "out of memory");
    j->weight = j->mean + 4 * k;
    j->start = j->weight + 4 * k;
    j->kept = j->start + 4 * k;
    j->prior = (tfa_prior){.mean = j->mean, .weight = j->weight};
    for (size_t i = 0; i < s; i++) {
        tfa_fit *fit = &j->subject[i].fit;
        const char *wrong = rung_tfa_fit_begin(fit, platform, scans + i, &j->options->fit);
        if (wrong != NULL)
            return fail(error, RUNG_TFA_ERR_ARGUMENT, i, wrong);
        for (size_t other = 0; other < i; other++)
            if (scans[other].x == scans[i].x)
                return fail(error, RUNG_TFA_ERR_ARGUMENT, i, "two scans have the same memory");
        j->subject[i].x = scans[i].x;
        j->subject[i].index = i;
        fit->engine.progress = j->options->progress != NULL ? on_fit : NULL;
        fit->engine.user = j;
        j->group.voxel = i == 0 ? fit->engine.voxel : fmin(j->group.voxel, fit->engine.voxel);
        for (size_t p = 0; p < 3; p++)
            j->group.extent = fmax(j->group.extent, fit->engine.high[p] - fit->engine.low[p]);
    }
    qsort(j->subject, s, sizeof *j->subject, by_content);
    return RUNG_TFA_OK;
}

static void end(job *j)
{
    for (size_t i = 0; j->subject != NULL && i < j->group.s; i++)
        rung_tfa_fit_end(&j->subject[i].fit);
    free(j->subject);
    free(j->group.member);
    free(j->group.common);
    free(j->mean);
}

/* What went wrong with the subject that was at work. */
static rung_tfa_status fail_work(const job *j, int status, rung_htfa_error *error)
{
    rung_tfa_error text;
    if (status == TFA_STOPPED)
        return fail(error, RUNG_TFA_CANCELLED, RUNG_HTFA_NOBODY, "cancelled");
    for (size_t i = 0; i < j->group.s; i++)
        if (j->subject[i].index == j->failed)
            return fail(error, rung_tfa_fail_fit(&text, &j->subject[i].fit, status), j->failed, text.text);
    return fail(error, RUNG_TFA_ERR_MEMORY, RUNG_HTFA_NOBODY, "out of memory");
}

rung_tfa_status rung_htfa_fit(rung_platform *platform, const rung_tfa_scan *scans, size_t subjects,
                              const rung_htfa_options *options, rung_htfa_result **result, rung_htfa_error *error)
{
    fail(error, RUNG_TFA_OK, RUNG_HTFA_NOBODY, "");
    if (result == NULL)
        return fail(error, RUNG_TFA_ERR_ARGUMENT, RUNG_HTFA_NOBODY, "result is NULL");
    *result = NULL;
    if (platform == NULL || scans == NULL || options == NULL)
        return fail(error, RUNG_TFA_ERR_ARGUMENT, RUNG_HTFA_NOBODY, "platform, scans or options are NULL");
    if (subjects < 1 || subjects > PTRDIFF_MAX / sizeof(subject))
        return fail(error, RUNG_TFA_ERR_ARGUMENT, RUNG_HTFA_NOBODY, "there must be at least one scan");
    const char *wrong = rung_htfa_options_check(options);
    if (wrong != NULL)
        return fail(error, RUNG_TFA_ERR_ARGUMENT, RUNG_HTFA_NOBODY, wrong);

    job j = {.options = options, .group = {.s = subjects}, .failed = RUNG_HTFA_NOBODY};
    rung_tfa_status answer = begin(&j, platform, scans, error);
    if (answer == RUNG_TFA_OK) {
        int status = RUNG_ERR_MEMORY;
        rung_htfa_result *made = result_new(subjects, options->fit.factors);
        if (made != NULL)
            status = alternate(&j, made);
        if (status == RUNG_OK)
            status = write_result(&j, made);
        if (status == RUNG_OK) {
            *result = made;
        } else {
            answer = fail_work(&j, status, error);
            rung_htfa_result_free(made);
        }
    }
    end(&j);
    return answer;
}
