/* SPDX-License-Identifier: Apache-2.0
 *
 * rbf_factors for cpu/x86-64-v4: eight factors at once, one position after the other.
 *
 * exp turns a relative error of its argument into |argument| times as much in the result. The argument is therefore
 * computed with the very operations of the reference, products and sums rounded one by one and a true division.
 */
#include <rk/kernels/rbf_factors.h>

#include "exp_v4.h"

enum { LANES = 8 };

/* Up to eight factors, turned from rows of theta into one vector for each parameter. */
typedef struct factors {
    __m512d cx, cy, cz;
    __m512d two_s2;        /* 2 s^2 */
    __m512d inv_s2, inv_s; /* 1 / s^2, 1 / s */
    __mmask8 used;
    __mmask32 used4; /* four bits for each factor */
} factors;

static inline factors load_factors(const double *theta, size_t count)
{
    _Alignas(64) double column[4][LANES];
    for (size_t j = 0; j < LANES; j++) {
        for (size_t p = 0; p < 4; p++)
            column[p][j] = j < count ? theta[4 * j + p] : 1.0;
    }
    __m512d s = _mm512_load_pd(column[3]);
    __m512d s2 = _mm512_mul_pd(s, s);
    __m512d one = _mm512_set1_pd(1.0);
    factors t = {.cx = _mm512_load_pd(column[0]), .cy = _mm512_load_pd(column[1]), .cz = _mm512_load_pd(column[2])};
    t.two_s2 = _mm512_add_pd(s2, s2);
    t.inv_s2 = _mm512_div_pd(one, s2);
    t.inv_s = _mm512_div_pd(one, s);
    t.used = (__mmask8)(0xffu >> (LANES - count));
    t.used4 = (__mmask32)(0xffffffffu >> (4 * (LANES - count)));
    return t;
}

/* Writes (x0 y0 z0 s0 x1 y1 z1 s1 ... s7), as far as the factors are used. */
static inline void store_derivatives(double *d, const factors *t, __m512d x, __m512d y, __m512d z, __m512d s)
{
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);             /* pairs 0 and 1 of both operands */
    const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);          /* pairs 2 and 3 of both operands */
    __m512d xy_even = _mm512_unpacklo_pd(x, y), xy_odd = _mm512_unpackhi_pd(x, y); /* (x0 y0 x2 y2 ...), (x1 y1 ...) */
    __m512d zs_even = _mm512_unpacklo_pd(z, s), zs_odd = _mm512_unpackhi_pd(z, s);
    __m512d f02 = _mm512_permutex2var_pd(xy_even, first, zs_even); /* factors 0 and 2, whole */
    __m512d f13 = _mm512_permutex2var_pd(xy_odd, first, zs_odd);
    __m512d f46 = _mm512_permutex2var_pd(xy_even, second, zs_even);
    __m512d f57 = _mm512_permutex2var_pd(xy_odd, second, zs_odd);
    _mm512_mask_storeu_pd(d, (__mmask8)t->used4, _mm512_shuffle_f64x2(f02, f13, 0x44)); /* lower halves */
    _mm512_mask_storeu_pd(d + 8, (__mmask8)(t->used4 >> 8), _mm512_shuffle_f64x2(f02, f13, 0xee));
    _mm512_mask_storeu_pd(d + 16, (__mmask8)(t->used4 >> 16), _mm512_shuffle_f64x2(f46, f57, 0x44));
    _mm512_mask_storeu_pd(d + 24, (__mmask8)(t->used4 >> 24), _mm512_shuffle_f64x2(f46, f57, 0xee));
}

rung_status rk_rbf_factors__cpu_x86_64_v4(const rung_ctx *cx, double *f, double *d, const double *xyz,
                                          const double *theta, size_t n, size_t k)
{
    (void)cx;
    for (size_t j = 0; j < k; j += LANES) {
        factors t = load_factors(theta + 4 * j, k - j < LANES ? k - j : LANES);
        for (size_t i = 0; i < n; i++) {
            __m512d dx = _mm512_sub_pd(_mm512_set1_pd(xyz[3 * i]), t.cx);
            __m512d dy = _mm512_sub_pd(_mm512_set1_pd(xyz[3 * i + 1]), t.cy);
            __m512d dz = _mm512_sub_pd(_mm512_set1_pd(xyz[3 * i + 2]), t.cz);
            __m512d r2 = _mm512_add_pd(_mm512_mul_pd(dx, dx), _mm512_mul_pd(dy, dy));
            r2 = _mm512_add_pd(r2, _mm512_mul_pd(dz, dz));
            __m512d minus_r2 = _mm512_sub_pd(_mm512_setzero_pd(), r2);
            __m512d value = v4_exp(_mm512_div_pd(minus_r2, t.two_s2));
            _mm512_mask_storeu_pd(f + i * k + j, t.used, value);
            if (d != NULL) {
                __m512d slope = _mm512_mul_pd(value, t.inv_s2);
                store_derivatives(d + 4 * (i * k + j), &t, _mm512_mul_pd(slope, dx), _mm512_mul_pd(slope, dy),
                                  _mm512_mul_pd(slope, dz), _mm512_mul_pd(_mm512_mul_pd(slope, r2), t.inv_s));
            }
        }
    }
    return RUNG_OK;
}
