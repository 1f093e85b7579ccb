/* SPDX-License-Identifier: Apache-2.0
 *
 * exp_v3.h: exp(x) of four doubles at once, for x <= 0, with AVX2 and FMA.
 *
 * Method: W. J. Cody and W. Waite, Software Manual for the Elementary Functions (1980), chapter 6. x = n ln 2 + r with
 * an integer n and |r| <= ln(2) / 2, so exp(x) = 2^n exp(r); ln 2 is split in two so that n times its upper part is
 * exact. exp(r) is its Taylor polynomial of degree 13: the first term left out is below 0.35^14 / 14! = 5e-18.
 */
#ifndef RK_EXP_V3_H
#define RK_EXP_V3_H

#include <immintrin.h>

/* 2^n for integers -1022 <= n <= 1023: the exponent field alone. */
static inline __m256d v3_power_of_two(__m128i n)
{
    return _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_cvtepi32_epi64(_mm_add_epi32(n, _mm_set1_epi32(1023))), 52));
}

/* Within 1 ulp. For x <= 0, -inf and NaN (which stays NaN). Results below the normal range are rounded once, to
 * denormals or 0. */
static inline __m256d v3_exp(__m256d x)
{
    const __m256d log2_e = _mm256_set1_pd(0x1.71547652b82fep+0);
    const __m256d ln2_upper = _mm256_set1_pd(0x1.62e42feep-1); /* 32 bits */
    const __m256d ln2_lower = _mm256_set1_pd(0x1.a39ef35793c76p-33);

    /* Everything below -745.14 is 0, and -inf must not reach the subtraction. The order of the operands keeps NaN. */
    x = _mm256_max_pd(_mm256_set1_pd(-750.0), x);

    __m256d n = _mm256_round_pd(_mm256_mul_pd(x, log2_e), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m256d r = _mm256_fnmadd_pd(n, ln2_upper, x);
    r = _mm256_fnmadd_pd(n, ln2_lower, r);

    __m256d p = _mm256_set1_pd(1.0 / 6227020800.0); /* 1 / 13! */
    p = _mm256_fmadd_pd(p, r, _mm256_set1_pd(1.0 / 479001600.0));
    p = _mm256_fmadd_pd(p, r, _mm256_set1_pd(1.0 / 39916800.0));
    p = _mm256_fmadd_pd(p, r, _mm256_set1_pd(1.0 / 3628800.0));
    p = _mm256_fmadd_pd(p, r, _mm256_set1_pd(1.0 / 362880.0));
    p = _mm256_fmadd_pd(p, r, _mm256_set1_pd(1.0 / 40320.0));
    p = _mm256_fmadd_pd(p, r, _mm256_set1_pd(1.0 / 5040.0));
    p = _mm256_fmadd_pd(p, r, _mm256_set1_pd(1.0 / 720.0));
    p = _mm256_fmadd_pd(p, r, _mm256_set1_pd(1.0 / 120.0));
    p = _mm256_fmadd_pd(p, r, _mm256_set1_pd(1.0 / 24.0));
    p = _mm256_fmadd_pd(p, r, _mm256_set1_pd(1.0 / 6.0));
    p = _mm256_fmadd_pd(p, r, _mm256_set1_pd(1.0 / 2.0));
    p = _mm256_fmadd_pd(p, r, _mm256_set1_pd(1.0));
    p = _mm256_fmadd_pd(p, r, _mm256_set1_pd(1.0));

    /* n reaches -1082, below the exponents of doubles: scaled by two normal powers, the first of which is exact. */
    __m128i whole = _mm256_cvtpd_epi32(n);
    __m128i half = _mm_srai_epi32(whole, 1);
    p = _mm256_mul_pd(p, v3_power_of_two(half));
    return _mm256_mul_pd(p, v3_power_of_two(_mm_sub_epi32(whole, half)));
}

#endif
