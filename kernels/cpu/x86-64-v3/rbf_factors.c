/* SPDX-License-Identifier: Apache-2.0
 *
 * rbf_factors for cpu/x86-64-v3: four factors at once, one position after the other.
 *
 * exp turns a relative error of its argument into |argument| times as much in the result. The argument is therefore
 * computed with the very operations of the reference, products and sums rounded one by one and a true division.
 */
#include <rk/kernels/rbf_factors.h>

#include <immintrin.h>
#include <string.h>

#include "exp_v3.h"

enum { LANES = 4 };

/* Up to four factors, turned from rows of theta into one vector for each parameter. */
typedef struct factors {
    __m256d cx, cy, cz;
    __m256d two_s2;        /* 2 s^2 */
    __m256d inv_s2, inv_s; /* 1 / s^2, 1 / s */
    size_t count;
} factors;

static inline factors load_factors(const double *theta, size_t count)
{
    double column[4][LANES];
    for (size_t j = 0; j < LANES; j++) {
        for (size_t p = 0; p < 4; p++)
            column[p][j] = j < count ? theta[4 * j + p] : 1.0;
    }
    __m256d s = _mm256_loadu_pd(column[3]);
    __m256d s2 = _mm256_mul_pd(s, s);
    __m256d one = _mm256_set1_pd(1.0);
    factors t = {.cx = _mm256_loadu_pd(column[0]),
                 .cy = _mm256_loadu_pd(column[1]),
                 .cz = _mm256_loadu_pd(column[2]),
                 .two_s2 = _mm256_add_pd(s2, s2),
                 .inv_s2 = _mm256_div_pd(one, s2),
                 .inv_s = _mm256_div_pd(one, s),
                 .count = count};
    return t;
}

static inline void store_values(double *f, const factors *t, __m256d value)
{
    if (t->count == LANES) {
        _mm256_storeu_pd(f, value);
    } else {
        double lanes[LANES];
        _mm256_storeu_pd(lanes, value);
        memcpy(f, lanes, t->count * sizeof *f);
    }
}

/* Writes (x0 y0 z0 s0 x1 y1 z1 s1 ... s3), as far as there are factors. */
static inline void store_derivatives(double *d, const factors *t, __m256d x, __m256d y, __m256d z, __m256d s)
{
    __m256d xy02 = _mm256_unpacklo_pd(x, y), xy13 = _mm256_unpackhi_pd(x, y); /* (x0 y0 x2 y2), (x1 y1 x3 y3) */
    __m256d zs02 = _mm256_unpacklo_pd(z, s), zs13 = _mm256_unpackhi_pd(z, s);
    _mm256_storeu_pd(d, _mm256_permute2f128_pd(xy02, zs02, 0x20)); /* lower halves */
    if (t->count > 1)
        _mm256_storeu_pd(d + 4, _mm256_permute2f128_pd(xy13, zs13, 0x20));
    if (t->count > 2)
        _mm256_storeu_pd(d + 8, _mm256_permute2f128_pd(xy02, zs02, 0x31)); /* upper halves */
    if (t->count > 3)
        _mm256_storeu_pd(d + 12, _mm256_permute2f128_pd(xy13, zs13, 0x31));
}

rung_status rk_rbf_factors__cpu_x86_64_v3(const rung_ctx *cx, double *f, double *d, const double *xyz,
                                          const double *theta, size_t n, size_t k)
{
    (void)cx;
    for (size_t j = 0; j < k; j += LANES) {
        factors t = load_factors(theta + 4 * j, k - j < LANES ? k - j : LANES);
        for (size_t i = 0; i < n; i++) {
            __m256d dx = _mm256_sub_pd(_mm256_set1_pd(xyz[3 * i]), t.cx);
            __m256d dy = _mm256_sub_pd(_mm256_set1_pd(xyz[3 * i + 1]), t.cy);
            __m256d dz = _mm256_sub_pd(_mm256_set1_pd(xyz[3 * i + 2]), t.cz);
            __m256d r2 = _mm256_add_pd(_mm256_mul_pd(dx, dx), _mm256_mul_pd(dy, dy));
            r2 = _mm256_add_pd(r2, _mm256_mul_pd(dz, dz));
            __m256d minus_r2 = _mm256_sub_pd(_mm256_setzero_pd(), r2);
            __m256d value = v3_exp(_mm256_div_pd(minus_r2, t.two_s2));
            store_values(f + i * k + j, &t, value);
            if (d != NULL) {
                __m256d slope = _mm256_mul_pd(value, t.inv_s2);
                store_derivatives(d + 4 * (i * k + j), &t, _mm256_mul_pd(slope, dx), _mm256_mul_pd(slope, dy),
                                  _mm256_mul_pd(slope, dz), _mm256_mul_pd(_mm256_mul_pd(slope, r2), t.inv_s));
            }
        }
    }
    return RUNG_OK;
}
