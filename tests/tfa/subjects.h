/* SPDX-License-Identifier: Apache-2.0
 *
 * subjects.h: scans of several subjects with known factors.
 */
#ifndef RUNG_TESTS_TFA_SUBJECTS_H
#define RUNG_TESTS_TFA_SUBJECTS_H

#include "htfa.h"
#include "scan.h"

enum { MOST_SUBJECTS = 6, FACTORS = 4 };

typedef struct subjects {
    size_t count;
    double theta[4 * FACTORS]; /* what they have in common */
    synthetic one[MOST_SUBJECTS];
} subjects;

typedef struct subjects_recipe {
    size_t count;
    double
        jitter; /* standard deviation of centres about the common ones along each axis, mm; a third of it for widths */
    double noise;
    size_t noisy;  /* the subject before this one has six times the noise; 0: none */
    size_t silent; /* the subject before this one lacks the second factor of the common ones; 0: none */
    uint64_t seed;
} subjects_recipe;

/* Every subject has a grid, an orientation, a number of volumes and an order of factors of its own. */
subjects subjects_new(const subjects_recipe *of);
void subjects_free(subjects *s);

/* Fits those of the subjects that `which` [count] names, in that order; the scans are copied first. Fails the test when
 * that fails. */
rung_htfa_result *subjects_fit(const subjects *s, const size_t *which, size_t count, unsigned threads);

/* Distances of centres theta [FACTORS, 4] to those of truth, for the best assignment, mm. */
void centre_errors(const double *theta, const double *truth, double *mean, double *worst);

#endif
