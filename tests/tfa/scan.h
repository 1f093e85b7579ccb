/* SPDX-License-Identifier: Apache-2.0
 *
 * scan.h: scans with known factors, for the tests of the fit.
 */
#ifndef RUNG_TESTS_TFA_SCAN_H
#define RUNG_TESTS_TFA_SCAN_H

#include <stdint.h>

#include "tfa.h"

typedef struct recipe {
    size_t size[3]; /* voxels */
    double voxel;   /* mm */
    double angle;   /* of the lattice about its third axis, radians */
    size_t volumes;
    size_t factors;
    double widths; /* of all factors, in voxels; 0: between 1.6 and 3.4 */
    double noise;  /* weights have a standard deviation of 2 */
    double drift;  /* from -drift to drift over the volumes, in all voxels */
    uint64_t seed;
} recipe;

typedef struct synthetic {
    rung_tfa_scan scan;
    double *truth; /* [factors, 4] */
    size_t factors;
} synthetic;

/* Voxels within an ellipsoid; factors in its inner part, at least 1.2 times the sum of their widths apart; weights are
 * random walks without their mean. */
synthetic synthetic_new(const recipe *of);
/* The same with factors at theta [factors, 4], of which the one before `silent` has no weight; 0: all have. */
synthetic synthetic_at(const recipe *of, const double *theta, size_t silent);
void synthetic_free(synthetic *s);

/* The distance of every true centre from the nearest fitted one, in voxels: the farthest and the mean. */
void synthetic_errors(const synthetic *s, const rung_tfa_result *result, double *worst, double *mean);

/* Uniform from 0 to 1, and about normal. */
double random_uniform(uint64_t *state);
double random_normal(uint64_t *state);

/* The processor's platform; the test fails when there is none. */
rung_platform *open_cpu(const char *chain);

#endif
