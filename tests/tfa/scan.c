/* SPDX-License-Identifier: Apache-2.0 */
#include "scan.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rk/rk.h"

double random_uniform(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

/* About normal: the sum of twelve. */
double random_normal(uint64_t *state)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++)
        sum += random_uniform(state);
    return sum;
}

static void *room(size_t bytes)
{
    void *p = malloc(bytes + 1);
    if (p == NULL)
        abort();
    return p;
}

static void place(const recipe *of, const double *at, double *xyz)
{
    double c = cos(of->angle), s = sin(of->angle);
    xyz[0] = of->voxel * (c * at[0] - s * at[1]) + 7.0;
    xyz[1] = of->voxel * (s * at[0] + c * at[1]) - 3.0;
    xyz[2] = of->voxel * at[2];
}

static double norm_within(const recipe *of, const double *at, double part)
{
    double sum = 0.0;
    for (size_t p = 0; p < 3; p++) {
        double half = part * (double)(of->size[p] - 1) / 2.0;
        sum += at[p] * at[p] / (half * half);
    }
    return sum;
}

static size_t make_voxels(const recipe *of, double *xyz)
{
    size_t count = 0;
    for (size_t z = 0; z < of->size[2]; z++)
        for (size_t y = 0; y < of->size[1]; y++)
            for (size_t x = 0; x < of->size[0]; x++) {
                double at[3] = {(double)x - (double)(of->size[0] - 1) / 2.0,
                                (double)y - (double)(of->size[1] - 1) / 2.0,
                                (double)z - (double)(of->size[2] - 1) / 2.0};
                if (norm_within(of, at, 1.0) <= 1.0)
                    place(of, at, xyz + 3 * count++);
            }
    return count;
}

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static void make_factors(const recipe *of, double *truth, uint64_t *state)
{
    for (size_t k = 0; k < of->factors;) {
        double at[3], *theta = truth + 4 * k;
        for (size_t p = 0; p < 3; p++)
            at[p] = (random_uniform(state) - 0.5) * (double)(of->size[p] - 1);
        if (norm_within(of, at, 0.75) > 1.0)
            continue;
        place(of, at, theta);
        theta[3] = (of->widths > 0.0 ? of->widths : 1.6 + 1.8 * random_uniform(state)) * of->voxel;
        bool apart = true;
        for (size_t j = 0; j < k; j++)
            apart = apart && distance(theta, truth + 4 * j) > 1.2 * (theta[3] + truth[4 * j + 3]);
        k += apart ? 1 : 0;
    }
}

static void make_weights(const recipe *of, double *w, uint64_t *state)
{
    for (size_t k = 0; k < of->factors; k++) {
        double *row = w + k * of->volumes, mean = 0.0, square = 0.0, at = 0.0;
        for (size_t t = 0; t < of->volumes; t++) {
            at += random_normal(state);
            row[t] = at;
            mean += at / (double)of->volumes;
        }
        for (size_t t = 0; t < of->volumes; t++)
            square += (row[t] - mean) * (row[t] - mean) / (double)of->volumes;
        for (size_t t = 0; t < of->volumes; t++)
            row[t] = 2.0 * (row[t] - mean) / sqrt(square);
    }
}

static synthetic make(const recipe *of, const double *theta, size_t silent)
{
    uint64_t state = of->seed;
    size_t most = of->size[0] * of->size[1] * of->size[2], t = of->volumes;
    double *xyz = room(3 * most * sizeof(double)), *w = room(of->factors * t * sizeof(double));
    double *truth = room(4 * of->factors * sizeof(double));
    size_t v = make_voxels(of, xyz);
    float *x = room(v * t * sizeof(float));
    if (theta == NULL)
        make_factors(of, truth, &state);
    else
        memcpy(truth, theta, 4 * of->factors * sizeof(double));
    make_weights(of, w, &state);
    for (size_t p = 0; silent > 0 && p < t; p++)
        w[(silent - 1) * t + p] = 0.0;
    for (size_t i = 0; i < v; i++) {
        for (size_t p = 0; p < t; p++) {
            double value = 100.0 + of->noise * random_normal(&state);
            if (t > 1)
                value += of->drift * (2.0 * (double)p / (double)(t - 1) - 1.0);
            for (size_t k = 0; k < of->factors; k++) {
                double d = distance(xyz + 3 * i, truth + 4 * k) / truth[4 * k + 3];
                value += exp(-d * d / 2.0) * w[k * t + p];
            }
            x[i * t + p] = (float)value;
        }
    }
    free(w);
    return (synthetic){.scan = {.x = x, .xyz = xyz, .voxels = v, .volumes = t, .voxel_mm = of->voxel},
                       .truth = truth,
                       .factors = of->factors};
}

synthetic synthetic_new(const recipe *of)
{
    return make(of, NULL, 0);
}

synthetic synthetic_at(const recipe *of, const double *theta, size_t silent)
{
    return make(of, theta, silent);
}

void synthetic_free(synthetic *s)
{
    free(s->scan.x);
    free((void *)s->scan.xyz);
    free(s->truth);
}

void synthetic_errors(const synthetic *s, const rung_tfa_result *result, double *worst, double *mean)
{
    *worst = *mean = 0.0;
    for (size_t k = 0; k < s->factors; k++) {
        double least = HUGE_VAL;
        for (size_t j = 0; j < result->factors; j++)
            least = fmin(least, distance(s->truth + 4 * k, result->theta + 4 * j));
        *worst = fmax(*worst, least / s->scan.voxel_mm);
        *mean += least / s->scan.voxel_mm / (double)s->factors;
    }
}

rung_platform *open_cpu(const char *chain)
{
    rung_platform *platform = NULL;
    rung_error error;
    if (rung_platform_open(&rk_registry, chain, RUNG_OPEN_NO_ENV, &platform, &error) != RUNG_OK) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
    return platform;
}
