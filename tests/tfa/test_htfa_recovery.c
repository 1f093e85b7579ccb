/* SPDX-License-Identifier: Apache-2.0
 *
 * test_htfa_recovery.c: several subjects with known factors: the template, what more subjects do to it, and subjects
 * that have less to say.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "subjects.h"

static const size_t all[MOST_SUBJECTS] = {0, 1, 2, 3, 4, 5};

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Every subject's factors are in the template's order. */
static void assert_one_order(const rung_htfa_result *r, double within)
{
    for (size_t i = 0; i < r->subjects; i++)
        for (size_t a = 0; a < r->factors; a++)
            assert_true(distance(r->subject[i]->theta + 4 * a, r->theta + 4 * a) < within);
}

static void assert_sane(const rung_htfa_result *r)
{
    assert_true(r->converged);
    for (size_t a = 0; a < r->factors; a++) {
        double sum = 0.0;
        for (size_t i = 0; i < r->subjects; i++) {
            double share = r->share[i * r->factors + a];
            assert_true(share >= 0.0 && share <= 1.0 + 1e-9);
            sum += share;
        }
        assert_true(fabs(sum - 1.0) < 1e-9);
        assert_true(r->error[2 * a] > 0.0 && r->error[2 * a + 1] > 0.0);
        assert_true(r->subjects == 1 || (r->spread[2 * a] >= 0.0 && r->spread[2 * a + 1] >= 0.0));
    }
    for (size_t i = 0; i < r->subjects; i++)
        assert_true(r->noise[i] > 0.0 && r->subject[i]->r2 > 0.0);
}

/* The same factors in all: each subject more brings the template nearer, to within the standard error that it has. */
static void more_subjects_never_harm(void **state)
{
    (void)state;
    subjects s = subjects_new(&(subjects_recipe){4, 0.0, 1.0, 0, 0, 1});
    double mean[5], worst[5], single = HUGE_VAL;
    for (size_t i = 0; i < s.count; i++) {
        rung_htfa_result *r = subjects_fit(&s, &all[i], 1, 0);
        centre_errors(r->theta, s.theta, &mean[0], &worst[0]);
        single = fmin(single, mean[0]);
        rung_htfa_result_free(r);
    }
    for (size_t count = 1; count <= s.count; count++) {
        rung_htfa_result *r = subjects_fit(&s, all, count, 0);
        double error = 0.0;
        for (size_t a = 0; a < FACTORS; a++)
            error += sqrt(3.0) * r->error[2 * a] / FACTORS;
        centre_errors(r->theta, s.theta, &mean[count], &worst[count]);
        print_message("%zu subjects: template mean %.4f, worst %.4f mm, standard error %.4f mm, %u rounds\n", count,
                      mean[count], worst[count], error, r->rounds);
        assert_sane(r);
        assert_one_order(r, 1.0);
        for (size_t fewer = 1; fewer < count; fewer++)
            assert_true(mean[count] <= mean[fewer] + 0.5 * error);
        assert_true(mean[count] <= single + 0.5 * error);
        assert_true(mean[count] <= 2.0 * error);
        rung_htfa_result_free(r);
    }
    assert_true(mean[4] < 0.75 * mean[1]);
    subjects_free(&s);
}

/* Where subjects differ, the template is the mean of where their factors are, and the spread that of the centres. */
static void jitter(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        double jitter = 0.5 * ldexp(1.0, i), truth[4 * FACTORS] = {0.0}, mean, worst;
        subjects s = subjects_new(&(subjects_recipe){6, jitter, 0.7, 0, 0, 2});
        rung_htfa_result *r = subjects_fit(&s, all, s.count, 0);
        for (size_t j = 0; j < s.count; j++) /* back in the common order */
            for (size_t a = 0; a < FACTORS; a++)
                for (size_t p = 0; p < 4; p++)
                    truth[4 * ((a * (1 + 2 * (j % 2)) + j) % FACTORS) + p] +=
                        s.one[j].truth[4 * a + p] / (double)s.count;
        centre_errors(r->theta, truth, &mean, &worst);
        print_message("jitter %.1f mm: template mean %.4f, worst %.4f mm, spreads %.2f %.2f %.2f %.2f mm\n", jitter,
                      mean, worst, r->spread[0], r->spread[2], r->spread[4], r->spread[6]);
        assert_sane(r);
        assert_true(worst < 0.15);
        for (size_t a = 0; a < FACTORS; a++)
            assert_true(r->spread[2 * a] > 0.5 * jitter && r->spread[2 * a] < 1.7 * jitter);
        for (size_t j = 0; j < s.count; j++) {
            centre_errors(r->subject[j]->theta, s.one[j].truth, &mean, &worst);
            assert_true(worst < 0.3);
        }
        rung_htfa_result_free(r);
        subjects_free(&s);
    }
}

/* One subject has six times the noise: it has a small share, and the template is as good as without it; the subject
 * itself gains from the others. */
static void noisy_subject(void **state)
{
    (void)state;
    subjects s = subjects_new(&(subjects_recipe){4, 0.0, 0.8, 3, 0, 3});
    static const size_t quiet[3] = {0, 1, 3}, noisy[1] = {2};
    double with, without, alone, within, worst;
    rung_htfa_result *r = subjects_fit(&s, quiet, 3, 0);
    centre_errors(r->theta, s.theta, &without, &worst);
    rung_htfa_result_free(r);
    r = subjects_fit(&s, noisy, 1, 0);
    centre_errors(r->theta, s.theta, &alone, &worst);
    rung_htfa_result_free(r);
    r = subjects_fit(&s, all, 4, 0);
    centre_errors(r->theta, s.theta, &with, &worst);
    centre_errors(r->subject[2]->theta, s.theta, &within, &worst);
    print_message(
        "template with the noisy subject %.4f, without it %.4f mm; the subject alone %.4f, with others %.4f mm\n", with,
        without, alone, within);
    assert_sane(r);
    assert_true(with <= without + 0.01);
    assert_true(within < 0.5 * alone);
    assert_true(r->noise[2] > 5.0 * r->noise[0]);
    for (size_t a = 0; a < FACTORS; a++)
        assert_true(r->share[2 * FACTORS + a] < 0.08);
    rung_htfa_result_free(r);
    subjects_free(&s);
}

/* One subject lies elsewhere in space: it keeps its own factors, the others theirs, and no spread is made up. */
static void subject_elsewhere(void **state)
{
    (void)state;
    subjects s = subjects_new(&(subjects_recipe){3, 0.0, 0.7, 0, 0, 6});
    double *moved = malloc(3 * s.one[2].scan.voxels * sizeof *moved), mean, worst;
    assert_non_null(moved);
    for (size_t i = 0; i < 3 * s.one[2].scan.voxels; i++)
        moved[i] = s.one[2].scan.xyz[i] + 500.0;
    const double *kept = s.one[2].scan.xyz;
    s.one[2].scan.xyz = moved;
    rung_htfa_result *alone = subjects_fit(&s, &all[2], 1, 0);
    for (size_t first = 0; first <= 1; first++) { /* with two that agree, and with one */
        rung_htfa_result *r = subjects_fit(&s, all + first, 3 - first, 0);
        size_t elsewhere = 2 - first;
        print_message("R2 elsewhere %.6f, alone %.6f\n", r->subject[elsewhere]->r2, alone->subject[0]->r2);
        assert_true(r->subject[elsewhere]->r2 > alone->subject[0]->r2 - 1e-6);
        if (first == 0) {
            centre_errors(r->theta, s.theta, &mean, &worst);
            assert_true(worst < 0.2);
        }
        for (size_t a = 0; a < FACTORS; a++) {
            assert_true(first == 0 ? r->share[elsewhere * FACTORS + a] == 0.0 : isnan(r->spread[2 * a]));
            assert_true(first == 0 ? r->spread[2 * a] >= 0.0 : isnan(r->spread[2 * a + 1]));
        }
        rung_htfa_result_free(r);
    }
    rung_htfa_result_free(alone);
    s.one[2].scan.xyz = kept;
    free(moved);
    subjects_free(&s);
}

/* One subject lacks a factor: its share in that one is nothing, and the template has all of them. */
static void missing_factor(void **state)
{
    (void)state;
    for (size_t who = 1; who <= 3; who++) {
        subjects s = subjects_new(&(subjects_recipe){3, 0.5, 0.7, 0, who, 4});
        rung_htfa_result *r = subjects_fit(&s, all, 3, 0);
        double mean, worst;
        size_t missing = 0;
        centre_errors(r->theta, s.theta, &mean, &worst);
        print_message("subject %zu lacks a factor: template mean %.3f, worst %.3f mm\n", who, mean, worst);
        assert_sane(r);
        assert_true(worst < 1.3);
        for (size_t a = 1; a < FACTORS; a++)
            missing =
                distance(r->theta + 4 * a, s.theta + 4) < distance(r->theta + 4 * missing, s.theta + 4) ? a : missing;
        for (size_t a = 0; a < FACTORS; a++) {
            double share = r->share[(who - 1) * FACTORS + a];
            assert_true(a == missing ? share < 0.02 : share > 0.2 && share < 0.45);
        }
        assert_true(r->subject[who - 1]->explained[missing] < 0.01);
        rung_htfa_result_free(r);
        subjects_free(&s);
    }
}

/* One subject: what rung_tfa_fit finds, to the bit. */
static void one_subject(void **state)
{
    (void)state;
    subjects s = subjects_new(&(subjects_recipe){1, 0.0, 1.0, 0, 0, 5});
    rung_htfa_result *r = subjects_fit(&s, all, 1, 0);
    rung_platform *platform = open_cpu("cpu");
    rung_tfa_options options = rung_tfa_options_default();
    rung_tfa_result *one;
    options.factors = FACTORS;
    assert_int_equal(rung_tfa_fit(platform, &s.one[0].scan, &options, &one, NULL), RUNG_TFA_OK);
    assert_memory_equal(r->theta, one->theta, sizeof s.theta);
    assert_memory_equal(r->subject[0]->theta, one->theta, sizeof s.theta);
    assert_memory_equal(r->subject[0]->weights, one->weights, one->factors * one->volumes * sizeof(double));
    assert_memory_equal(r->subject[0]->explained, one->explained, FACTORS * sizeof(double));
    assert_int_equal(r->subject[0]->iterations, one->iterations);
    assert_int_equal(r->rounds, 0);
    assert_true(r->converged && r->moved == 0.0);
    for (size_t a = 0; a < FACTORS; a++) {
        assert_true(isnan(r->spread[2 * a]) && isnan(r->spread[2 * a + 1]));
        assert_true(r->share[a] == 1.0 && r->error[2 * a] > 0.0);
    }
    rung_tfa_result_free(one);
    rung_platform_close(platform);
    rung_htfa_result_free(r);
    subjects_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_subjects_never_harm), cmocka_unit_test(jitter),         cmocka_unit_test(noisy_subject),
        cmocka_unit_test(subject_elsewhere),        cmocka_unit_test(missing_factor), cmocka_unit_test(one_subject),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
