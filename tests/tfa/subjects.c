/* SPDX-License-Identifier: Apache-2.0 */
#include "subjects.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double common[4 * FACTORS] = {-5.0, 4.0,   3.0, 7.0, 20.0, 5.0,  -6.0,  6.0,
                                           8.0,  -16.0, 8.0, 6.5, 6.0,  -2.0, -14.0, 5.5};

subjects subjects_new(const subjects_recipe *of)
{
    subjects s = {.count = of->count};
    uint64_t state = of->seed;
    memcpy(s.theta, common, sizeof common);
    for (size_t i = 0; i < of->count; i++) {
        double theta[4 * FACTORS];
        size_t silent = 0;
        for (size_t a = 0; a < FACTORS; a++) {
            size_t from = (a * (1 + 2 * (i % 2)) + i) % FACTORS; /* another order in every subject */
            silent = of->silent == i + 1 && from == 1 ? a + 1 : silent;
            for (size_t p = 0; p < 4; p++)
                theta[4 * a + p] =
                    common[4 * from + p] + of->jitter * (p == 3 ? 1.0 / 3.0 : 1.0) * random_normal(&state);
        }
        recipe one = {{20 + i % 3, 19 + i % 2, 18 + i % 4},
                      3.0 + 0.2 * (double)(i % 3),
                      0.3 * (double)i,
                      40 + 7 * i,
                      FACTORS,
                      0.0,
                      of->noise * (of->noisy == i + 1 ? 6.0 : 1.0),
                      0.0,
                      of->seed + 101 * (i + 1)};
        s.one[i] = synthetic_at(&one, theta, silent);
    }
    return s;
}

void subjects_free(subjects *s)
{
    for (size_t i = 0; i < s->count; i++)
        synthetic_free(&s->one[i]);
}

rung_htfa_result *subjects_fit(const subjects *s, const size_t *which, size_t count, unsigned threads)
{
    rung_platform *platform = open_cpu("cpu");
    rung_tfa_scan scans[MOST_SUBJECTS];
    rung_htfa_options options = rung_htfa_options_default();
    rung_htfa_result *result = NULL;
    rung_htfa_error error;
    options.fit.factors = FACTORS;
    options.fit.threads = threads;
    for (size_t i = 0; i < count; i++) {
        scans[i] = s->one[which[i]].scan;
        size_t bytes = scans[i].voxels * scans[i].volumes * sizeof(float);
        scans[i].x = malloc(bytes);
        assert_non_null(scans[i].x);
        memcpy(scans[i].x, s->one[which[i]].scan.x, bytes);
    }
    int status = rung_htfa_fit(platform, scans, count, &options, &result, &error);
    if (status != RUNG_TFA_OK)
        print_message("%s\n", error.text);
    assert_int_equal(status, RUNG_TFA_OK);
    for (size_t i = 0; i < count; i++)
        free(scans[i].x);
    rung_platform_close(platform);
    return result;
}

/* Distances for the best of the orders of factors from `a` on; used [FACTORS]: true ones that are taken. */
static double best_order(const double *theta, const double *truth, size_t a, unsigned used, double *worst)
{
    double best = HUGE_VAL;
    *worst = 0.0;
    if (a == FACTORS)
        return 0.0;
    for (size_t b = 0; b < FACTORS; b++) {
        double rest, square = 0.0;
        if (used >> b & 1U)
            continue;
        for (size_t p = 0; p < 3; p++)
            square += (theta[4 * a + p] - truth[4 * b + p]) * (theta[4 * a + p] - truth[4 * b + p]);
        double sum = sqrt(square) + best_order(theta, truth, a + 1, used | 1U << b, &rest);
        if (sum < best) {
            best = sum;
            *worst = fmax(sqrt(square), rest);
        }
    }
    return best;
}

void centre_errors(const double *theta, const double *truth, double *mean, double *worst)
{
    *mean = best_order(theta, truth, 0, 0, worst) / FACTORS;
}
