/* SPDX-License-Identifier: Apache-2.0
 *
 * random.c: orthonormal random rows. Signs rather than normal deviates: no function of libm, hence the same everywhere.
 */
#include "internal.h"

#include <math.h>

/* splitmix64, Steele, Lea and Flood 2014, doi:10.1145/2660193.2660195 */
static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static double dot(const double *a, const double *b, size_t t)
{
    double sum = 0.0;
    for (size_t i = 0; i < t; i++)
        sum += a[i] * b[i];
    return sum;
}

void rung_tfa_orthonormal_rows(double *q, size_t rows, size_t t)
{
    for (size_t i = 0; i < rows; i++) {
        double *row = q + i * t, before = dot(row, row, t);
        for (int pass = 0; pass < 2; pass++) { /* twice is enough */
            for (size_t j = 0; j < i; j++) {
                double along = dot(row, q + j * t, t);
                for (size_t p = 0; p < t; p++)
                    row[p] -= along * q[j * t + p];
            }
        }
        double after = dot(row, row, t);
        double by = after > 1e-20 * before ? 1.0 / sqrt(after) : 0.0;
        for (size_t p = 0; p < t; p++)
            row[p] *= by;
    }
}

void rung_tfa_random_rows(double *q, size_t rows, size_t t, uint64_t seed)
{
    uint64_t state = seed;
    for (size_t i = 0; i < rows * t; i++)
        q[i] = next(&state) >> 63 ? 1.0 : -1.0;
    rung_tfa_orthonormal_rows(q, rows, t);
}
