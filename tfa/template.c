/* SPDX-License-Identifier: Apache-2.0
 *
 * template.c: the template from the subjects' estimates e_i with covariances C_i. With S = diag(a^2, a^2, a^2, b^2), a
 * and b being a factor's spreads, e_i ~ Normal(mean, S + C_i). For given spreads the mean is the weighted one,
 *     mean = (sum W_i)^-1 sum W_i e_i,    W_i = trust_i (S + C_i)^-1
 * and the spreads maximise the restricted likelihood of the estimates (Patterson and Thompson 1971,
 * doi:10.1093/biomet/58.3.545) times a weak prior: scaled inverse chi-squared, worth the estimates of two subjects,
 * about the spreads that all factors have together.
 */
#include "group.h"

#include <math.h>
#include <string.h>

/* How many subjects the prior of the spreads is worth. */
static const double prior_subjects = 2.0;

/* Bounds of the spreads: voxels, and sides of the box around all voxels. */
static const double least_spread = 1e-4, largest_spread = 1.0;

enum { GRID = 16, SECTIONS = 20, SWEEPS = 3 };

typedef struct summary {
    double mean[4];
    double inverse[16]; /* of the mean's covariance */
    double likelihood;  /* logarithm, but for a constant */
    bool any;           /* some subject is trusted */
} summary;

/* w [4, 4] = (S + C)^-1; returns the logarithm of the determinant of S + C. */
static bool weigh(const tfa_member *member, const double *spread, double *w, double *log_det)
{
    double l[16];
    memcpy(l, member->cov, sizeof l);
    for (size_t p = 0; p < 4; p++)
        l[5 * p] += spread[p / 3] * spread[p / 3];
    if (!rung_tfa_cholesky4(l, 0.0))
        return false;
    *log_det = 0.0;
    for (size_t p = 0; p < 4; p++) {
        double unit[4] = {0.0, 0.0, 0.0, 0.0}, column[4];
        unit[p] = 1.0;
        rung_tfa_solve4(l, unit, column);
        for (size_t q = 0; q < 4; q++)
            w[4 * q + p] = column[q];
        *log_det += 2.0 * log(l[5 * p]);
    }
    return true;
}

static double product(const double *w, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t p = 0; p < 4; p++)
        for (size_t q = 0; q < 4; q++)
            sum += a[p] * w[4 * p + q] * b[q];
    return sum;
}

/* Factor a with these spreads. Sums are about where the template is, so that none is a small difference of large ones.
 */
static summary sum_up(const tfa_group *group, size_t a, const double *spread)
{
    const double *origin = group->common[a].theta;
    summary s = {.any = false};
    double right[4] = {0.0, 0.0, 0.0, 0.0}, l[16], w[16], log_det;
    for (size_t i = 0; i < group->s; i++) {
        const tfa_member *m = group->member + i * group->k + a;
        double away[4];
        if (!(m->trust > 0.0) || !weigh(m, spread, w, &log_det))
            continue;
        s.any = true;
        for (size_t p = 0; p < 4; p++)
            away[p] = m->estimate[p] - origin[p];
        for (size_t p = 0; p < 4; p++)
            for (size_t q = 0; q < 4; q++) {
                s.inverse[4 * p + q] += m->trust * w[4 * p + q];
                right[p] += m->trust * w[4 * p + q] * away[q];
            }
        s.likelihood -= 0.5 * m->trust * (log_det + product(w, away, away));
    }
    memcpy(l, s.inverse, sizeof l);
    s.any = s.any && rung_tfa_cholesky4(l, 0.0);
    if (!s.any)
        return s;
    rung_tfa_solve4(l, right, s.mean);
    for (size_t p = 0; p < 4; p++) {
        s.likelihood += 0.5 * s.mean[p] * right[p] - log(l[5 * p]);
        s.mean[p] += origin[p];
    }
    return s;
}

/* What the spreads are judged by: those of one factor, or with `a` = k of all together. about [2]: the prior's
 * spreads; NULL: none. */
static double judge(const tfa_group *group, size_t a, const double *spread, const double *about)
{
    double sum = 0.0;
    for (size_t b = a < group->k ? a : 0; b < (a < group->k ? a + 1 : group->k); b++) {
        summary s = sum_up(group, b, spread);
        sum += s.any ? s.likelihood : 0.0;
    }
    for (size_t p = 0; about != NULL && p < 2; p++) {
        double count = prior_subjects * (p == 0 ? 3.0 : 1.0), ratio = about[p] / spread[p];
        sum -= count * (log(spread[p]) + 0.5 * ratio * ratio);
    }
    return sum;
}

/* The best value of spread[p], the other one being kept: the best of a grid, then golden sections about it. */
static void search_one(const tfa_group *group, size_t a, double *spread, size_t p, const double *about)
{
    const double part = 0.3819660112501051;
    double bottom = log(least_spread * group->voxel), top = log(largest_spread * group->extent), best = -HUGE_VAL;
    double step = (top - bottom) / GRID, at = bottom;
    for (int i = 0; i <= GRID; i++) {
        spread[p] = exp(bottom + step * i);
        double value = judge(group, a, spread, about);
        if (value > best) {
            best = value;
            at = bottom + step * i;
        }
    }
    double low = fmax(at - step, bottom), high = fmin(at + step, top);
    double x = low + part * (high - low), y = high - part * (high - low), fx, fy;
    spread[p] = exp(x);
    fx = judge(group, a, spread, about);
    spread[p] = exp(y);
    fy = judge(group, a, spread, about);
    for (int i = 0; i < SECTIONS; i++) {
        bool left = fx >= fy;
        if (left) {
            high = y;
            y = x;
            fy = fx;
            x = low + part * (high - low);
        } else {
            low = x;
            x = y;
            fx = fy;
            y = high - part * (high - low);
        }
        spread[p] = exp(left ? x : y);
        *(left ? &fx : &fy) = judge(group, a, spread, about);
    }
    spread[p] = exp(fx >= fy ? x : y);
}

static void search(const tfa_group *group, size_t a, double *spread, const double *about)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (size_t p = 0; p < 2; p++)
            search_one(group, a, spread, p, about);
}

/* Standard errors, and who has how much of a share: tr (sum W)^-1 W_i over the four parameters. */
static void take(tfa_group *group, size_t a, const summary *s)
{
    tfa_common *common = group->common + a;
    double l[16], covariance[16], w[16], log_det;
    memcpy(l, s->inverse, sizeof l);
    if (!rung_tfa_cholesky4(l, 0.0))
        return;
    for (size_t p = 0; p < 4; p++) {
        double unit[4] = {0.0, 0.0, 0.0, 0.0};
        unit[p] = 1.0;
        rung_tfa_solve4(l, unit, covariance + 4 * p);
    }
    common->error[0] = sqrt((covariance[0] + covariance[5] + covariance[10]) / 3.0);
    common->error[1] = sqrt(covariance[15]);
    for (size_t i = 0; i < group->s; i++) {
        tfa_member *m = group->member + i * group->k + a;
        m->share = 0.0;
        if (!(m->trust > 0.0) || !weigh(m, common->spread, w, &log_det))
            continue;
        for (size_t p = 0; p < 16; p++)
            m->share += 0.25 * m->trust * covariance[p] * w[p];
    }
}

static void forget(tfa_group *group, size_t a)
{
    tfa_common *common = group->common + a;
    common->error[0] = common->error[1] = NAN;
    for (size_t i = 0; i < group->s; i++)
        group->member[i * group->k + a].share = 0.0;
}

/* A mean weighted by matrices can lie outside of what is averaged. */
static double narrowest(const tfa_group *group, size_t a)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < group->s; i++)
        if (group->member[i * group->k + a].trust > 0.0)
            least = fmin(least, group->member[i * group->k + a].estimate[3]);
    return least;
}

size_t rung_tfa_trusted(const tfa_group *group, size_t a)
{
    size_t count = 0;
    for (size_t i = 0; i < group->s; i++)
        count += group->member[i * group->k + a].trust > 0.0;
    return count;
}

/* The spreads of all factors together; as wide as can be where no factor is that of two subjects, of which nothing can
 * be said. */
static void find_together(const tfa_group *group, double together[2])
{
    size_t most = 0;
    for (size_t a = 0; a < group->k; a++) {
        size_t trusted = rung_tfa_trusted(group, a);
        most = trusted > most ? trusted : most;
    }
    together[0] = together[1] = most > 1 ? group->voxel : largest_spread * group->extent;
    if (most > 1)
        search(group, group->k, together, NULL);
}

double rung_tfa_update_template(tfa_group *group)
{
    double together[2], moved = 0.0;
    find_together(group, together);
    for (size_t a = 0; a < group->k; a++) {
        tfa_common *common = group->common + a;
        memcpy(common->spread, together, sizeof together);
        if (rung_tfa_trusted(group, a) > 1)
            search(group, a, common->spread, together);
        summary s = sum_up(group, a, common->spread);
        if (!s.any) { /* in no subject more than noise: it stays where it is */
            forget(group, a);
            continue;
        }
        s.mean[3] = fmax(s.mean[3], narrowest(group, a));
        for (size_t p = 0; p < 4; p++)
            moved = fmax(moved, fabs(s.mean[p] - common->theta[p]));
        memcpy(common->theta, s.mean, sizeof s.mean);
        take(group, a, &s);
    }
    return moved / group->voxel;
}
