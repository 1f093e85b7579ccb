/* SPDX-License-Identifier: Apache-2.0
 *
 * test_htfa_parts.c: assignment, matching and the template, on numbers made for them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "scan.h"

static double cheapest(const double *cost, size_t n, size_t row, unsigned used)
{
    double best = row == n ? 0.0 : HUGE_VAL;
    for (size_t j = 0; row < n && j < n; j++)
        if (!(used >> j & 1U))
            best = fmin(best, cost[row * n + j] + cheapest(cost, n, row + 1, used | 1U << j));
    return best;
}

static void assignment(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (size_t n = 1; n <= 7; n++) {
        for (int round = 0; round < 20; round++) {
            double cost[49], sum = 0.0;
            size_t column[7];
            unsigned used = 0;
            for (size_t i = 0; i < n * n; i++) /* with many ties, and negative ones */
                cost[i] = round % 2 ? random_uniform(&seed) : floor(4.0 * random_uniform(&seed)) - 1.0;
            assert_int_equal(rung_tfa_assign(cost, n, column), RUNG_OK);
            for (size_t i = 0; i < n; i++) {
                assert_true(column[i] < n);
                used |= 1U << column[i];
                sum += cost[i * n + column[i]];
            }
            assert_int_equal(used, (1U << n) - 1U);
            assert_true(fabs(sum - cheapest(cost, n, 0, 0)) < 1e-12);
        }
    }
}

enum { S = 3, K = 3 };

typedef struct made {
    tfa_group group;
    tfa_member member[S * K];
    tfa_common common[K];
} made;

static void make(made *m)
{
    memset(m, 0, sizeof *m);
    m->group = (tfa_group){.s = S, .k = K, .member = m->member, .common = m->common, .voxel = 2.0, .extent = 100.0};
}

static void put(tfa_member *member, double x, double width, double present)
{
    memcpy(member->theta, (double[4]){x, 0.0, 0.0, width}, sizeof member->theta);
    memcpy(member->estimate, member->theta, sizeof member->theta);
    for (size_t p = 0; p < 4; p++)
        member->cov[5 * p] = 0.01;
    member->present = present;
}

/* Sources at 0, 30 and 60: one subject has lost the second, another one the third, and noise stands elsewhere. */
static void matching(void **state)
{
    (void)state;
    made m;
    make(&m);
    put(&m.member[0], 61.0, 4.0, 1.0);
    put(&m.member[1], 1.0, 4.0, 1.0);
    put(&m.member[2], 95.0, 1.0, 0.0);
    put(&m.member[3], -20.0, 1.0, 0.0);
    put(&m.member[4], 30.0, 5.0, 1.0);
    put(&m.member[5], 0.0, 4.0, 1.0);
    put(&m.member[6], 29.0, 5.0, 1.0);
    put(&m.member[7], 59.0, 4.0, 1.0);
    put(&m.member[8], -1.0, 4.0, 1.0);
    assert_int_equal(rung_tfa_match(&m.group), RUNG_OK);
    rung_tfa_judge(&m.group);
    unsigned found = 0;
    for (size_t a = 0; a < K; a++) {
        size_t source = (size_t)rint(m.common[a].theta[0] / 30.0);
        assert_true(source < 3 && fabs(m.common[a].theta[0] - 30.0 * (double)source) <= 1.0);
        found |= 1U << source;
        for (size_t i = 0; i < S; i++) {
            const tfa_member *one = &m.member[i * K + a];
            assert_true(one->trust == one->present);
            if (one->present > 0.0)
                assert_true(fabs(one->theta[0] - 30.0 * (double)source) <= 1.0);
        }
    }
    assert_int_equal(found, 7);
}

static void likeness(void **state)
{
    (void)state;
    made m;
    make(&m);
    const double a[4] = {0.0, 0.0, 0.0, 4.0}, near[4] = {2.0, 0.0, 0.0, 4.0}, far[4] = {40.0, 0.0, 0.0, 4.0},
                 wide[4] = {0.0, 0.0, 0.0, 40.0};
    assert_true(rung_tfa_unlike(&m.group, a, a) == 0.0);
    assert_true(rung_tfa_unlike(&m.group, a, near) < 0.2 &&
                rung_tfa_unlike(&m.group, a, near) == rung_tfa_unlike(&m.group, near, a));
    assert_true(rung_tfa_unlike(&m.group, a, far) > 0.9 && rung_tfa_unlike(&m.group, a, wide) > 0.8);
    put(&m.member[0], 40.0, 4.0, 1.0); /* far from the template, and then nearly at it */
    m.common[0].theta[3] = 4.0;
    rung_tfa_judge(&m.group);
    assert_true(m.member[0].trust == 0.0);
    put(&m.member[0], 1.0, 4.0, 0.5);
    rung_tfa_judge(&m.group);
    assert_true(m.member[0].trust == 0.5);
}

/* Estimates that agree with each other: the spreads are small, and each counts by its precision. */
static void precise_ones_count_more(void **state)
{
    (void)state;
    made m;
    make(&m);
    for (size_t i = 0; i < S; i++) {
        for (size_t a = 0; a < K; a++) {
            tfa_member *one = &m.member[i * K + a];
            put(one, 30.0 * (double)a + (i == 1 ? 0.05 : i == 2 ? -0.05 : 0.0), 4.0, 1.0);
            one->trust = 1.0;
            for (size_t p = 0; p < 4; p++)
                one->cov[5 * p] = i == 2 ? 9.0 : 0.01;
        }
    }
    rung_tfa_update_template(&m.group);
    for (size_t a = 0; a < K; a++) {
        assert_true(m.common[a].spread[0] < 0.05 && m.common[a].spread[1] < 0.05);
        assert_true(m.member[2 * K + a].share < 0.01);
        assert_true(fabs(m.member[a].share - 0.5) < 0.01);
        assert_true(fabs(m.common[a].theta[0] - 30.0 * (double)a - 0.025) < 0.002);
        assert_true(fabs(m.common[a].error[0] - 0.1 / sqrt(2.0)) < 0.01);
    }
}

/* Estimates that differ far more than their errors: all count alike, and the spread is theirs. Without trust none. */
static void spread_of_estimates(void **state)
{
    (void)state;
    made m;
    make(&m);
    for (size_t i = 0; i < S; i++) {
        for (size_t a = 0; a < K; a++) {
            tfa_member *one = &m.member[i * K + a];
            double away = 2.0 * ((double)i - 1.0);
            put(one, 30.0 * (double)a + away, 4.0 + 0.5 * away, 1.0);
            one->estimate[1] = a == 1 ? -away : away;
            one->estimate[2] = away;
            one->trust = a == 2 && i == 0 ? 0.0 : 1.0;
            for (size_t p = 0; p < 4; p++)
                one->cov[5 * p] = i == 2 ? 0.02 : 0.01;
        }
    }
    assert_true(rung_tfa_update_template(&m.group) > 10.0); /* it was at 0 */
    for (size_t a = 0; a < 2; a++) {
        assert_true(fabs(m.common[a].theta[0] - 30.0 * (double)a) < 0.02);
        assert_true(fabs(m.common[a].spread[0] - 2.0) < 0.35 && fabs(m.common[a].spread[1] - 1.0) < 0.3);
        for (size_t i = 0; i < S; i++)
            assert_true(fabs(m.member[i * K + a].share - 1.0 / 3.0) < 0.01);
    }
    assert_true(m.member[2].share == 0.0);
    assert_true(fabs(m.common[2].theta[0] - 61.0) < 0.02);
    assert_true(rung_tfa_update_template(&m.group) < 1e-3); /* nothing new */
    for (size_t i = 0; i < S; i++)
        m.member[i * K + 2].trust = 0.0;
    double before = m.common[2].theta[0];
    rung_tfa_update_template(&m.group);
    assert_true(m.common[2].theta[0] == before && isnan(m.common[2].error[0]) && m.member[2].share == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assignment),
        cmocka_unit_test(matching),
        cmocka_unit_test(likeness),
        cmocka_unit_test(precise_ones_count_more),
        cmocka_unit_test(spread_of_estimates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
