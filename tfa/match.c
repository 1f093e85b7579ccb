/* SPDX-License-Identifier: Apache-2.0
 *
 * match.c: which factor of one subject is which of another's. Subjects' fits are brought into the order of the one that
 * agrees best with all others; the template begins, factor by factor, at the member that agrees best with the others.
 */
#include "group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What it costs when one of two factors is nothing but noise: less than two different sources, more than two factors
 * that are somewhat apart. */
static const double absent = 0.4, absent_and_apart = 0.05;

/* Squared distance of two spheres in units of their widths, which count as at least a voxel. */
static double apart(const tfa_group *group, const double *a, const double *b)
{
    double square = 0.0, voxel = group->voxel;
    double wa = hypot(a[3], voxel), wb = hypot(b[3], voxel), ratio = log(wa / wb);
    for (size_t p = 0; p < 3; p++)
        square += (a[p] - b[p]) * (a[p] - b[p]);
    return square / (wa * wa + wb * wb) + ratio * ratio;
}

double rung_tfa_unlike(const tfa_group *group, const double *a, const double *b)
{
    double d = apart(group, a, b);
    return d / (1.0 + d);
}

static double cost_of(const tfa_group *group, const tfa_member *a, const tfa_member *b)
{
    double both = a->present * b->present, unlike = rung_tfa_unlike(group, a->theta, b->theta);
    return both * unlike + (1.0 - both) * (absent + absent_and_apart * unlike);
}

/* order [k]: the factor of subject `to` that is each one of `from`; *sum is what that costs. */
static int pair(const tfa_group *group, size_t from, size_t to, double *cost, size_t *order, double *sum)
{
    size_t k = group->k;
    for (size_t a = 0; a < k; a++)
        for (size_t b = 0; b < k; b++)
            cost[a * k + b] = cost_of(group, group->member + from * k + a, group->member + to * k + b);
    int status = rung_tfa_assign(cost, k, order);
    *sum = 0.0;
    for (size_t a = 0; status == RUNG_OK && a < k; a++)
        *sum += cost[a * k + order[a]];
    return status;
}

/* The subject whose factors cost least when paired with those of all others; factors that are noise count against it.
 */
static int find_reference(const tfa_group *group, double *cost, size_t *order, double *sums, size_t *reference)
{
    size_t s = group->s, k = group->k;
    int status = RUNG_OK;
    for (size_t i = 0; i < s; i++) {
        sums[i] = 0.0;
        for (size_t a = 0; a < k; a++)
            sums[i] += 1.0 - group->member[i * k + a].present;
    }
    for (size_t i = 0; status == RUNG_OK && i < s; i++) {
        for (size_t j = 0; status == RUNG_OK && j < i; j++) {
            double sum;
            status = pair(group, i, j, cost, order, &sum);
            sums[i] += sum;
            sums[j] += sum;
        }
    }
    *reference = 0;
    for (size_t i = 1; i < s; i++)
        if (sums[i] < sums[*reference])
            *reference = i;
    return status;
}

/* The member of factor a that the others, and its own strength, speak for most. */
static const tfa_member *most_typical(const tfa_group *group, size_t a)
{
    const tfa_member *best = group->member + a;
    double most = -1.0;
    for (size_t i = 0; i < group->s; i++) {
        const tfa_member *one = group->member + i * group->k + a;
        double votes = 0.0;
        for (size_t j = 0; j < group->s; j++) {
            const tfa_member *other = group->member + j * group->k + a;
            votes += other->present * (1.0 - rung_tfa_unlike(group, one->theta, other->theta));
        }
        if (votes > most) {
            most = votes;
            best = one;
        }
    }
    return best;
}

int rung_tfa_match(tfa_group *group)
{
    size_t s = group->s, k = group->k, reference = 0;
    double *cost = malloc((k * k + s) * sizeof(double)), sum;
    size_t *order = malloc(k * sizeof *order);
    tfa_member *sorted = malloc(k * sizeof *sorted);
    int status = cost != NULL && order != NULL && sorted != NULL ? RUNG_OK : RUNG_ERR_MEMORY;
    if (status == RUNG_OK)
        status = find_reference(group, cost, order, cost + k * k, &reference);
    for (size_t i = 0; status == RUNG_OK && i < s; i++) {
        if (i == reference)
            continue;
        status = pair(group, reference, i, cost, order, &sum);
        for (size_t a = 0; status == RUNG_OK && a < k; a++)
            sorted[a] = group->member[i * k + order[a]];
        if (status == RUNG_OK)
            memcpy(group->member + i * k, sorted, k * sizeof *sorted);
    }
    for (size_t a = 0; status == RUNG_OK && a < k; a++)
        memcpy(group->common[a].theta, most_typical(group, a)->theta, sizeof group->common[a].theta);
    free(cost);
    free(order);
    free(sorted);
    return status;
}

/* Spheres that are no farther apart than their widths are the same factor; 1.4 times that, and they are not. */
void rung_tfa_judge(tfa_group *group)
{
    for (size_t i = 0; i < group->s * group->k; i++) {
        tfa_member *member = group->member + i;
        double near = 2.0 - apart(group, member->theta, group->common[i % group->k].theta);
        member->trust = member->present * fmin(fmax(near, 0.0), 1.0);
    }
}
