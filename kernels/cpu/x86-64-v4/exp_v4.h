/* SPDX-License-Identifier: Apache-2.0
 *
 * exp_v4.h: exp(x) of eight doubles at once, for x <= 0, with AVX-512F.
 *
 * Method: W. J. Cody and W. Waite, Software Manual for the Elementary Functions (1980), chapter 6. x = n ln 2 + r with
 * an integer n and |r| <= ln(2) / 2, so exp(x) = 2^n exp(r); ln 2 is split in two so that n times its upper part is
 * exact. exp(r) is its Taylor polynomial of degree 13: the first term left out is below 0.35^14 / 14! = 5e-18.
 */
#ifndef RK_EXP_V4_H
#define RK_EXP_V4_H

#include <immintrin.h>

/* Within 1 ulp. For x <= 0, -inf and NaN (which stays NaN); positive x is right up to the overflow of exp. Results
 * below the normal range are rounded once, to denormals or 0. */
static inline __m512d v4_exp(__m512d x)
{
    const __m512d log2_e = _mm512_set1_pd(0x1.71547652b82fep+0);
    const __m512d ln2_upper = _mm512_set1_pd(0x1.62e42feep-1); /* 32 bits */
    const __m512d ln2_lower = _mm512_set1_pd(0x1.a39ef35793c76p-33);

    /* Everything below -745.14 is 0, and -inf must not reach the subtraction. The order of the operands keeps NaN. */
    x = _mm512_max_pd(_mm512_set1_pd(-750.0), x);

    __m512d n = _mm512_roundscale_pd(_mm512_mul_pd(x, log2_e), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m512d r = _mm512_fnmadd_pd(n, ln2_upper, x);
    r = _mm512_fnmadd_pd(n, ln2_lower, r);

    __m512d p = _mm512_set1_pd(1.0 / 6227020800.0); /* 1 / 13! */
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(1.0 / 479001600.0));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(1.0 / 39916800.0));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(1.0 / 3628800.0));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(1.0 / 362880.0));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(1.0 / 40320.0));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(1.0 / 5040.0));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(1.0 / 720.0));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(1.0 / 120.0));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(1.0 / 24.0));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(1.0 / 6.0));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(1.0 / 2.0));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(1.0));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(1.0));
    return _mm512_scalef_pd(p, n);
}

#endif
