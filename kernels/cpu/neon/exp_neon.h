/* SPDX-License-Identifier: Apache-2.0
 *
 * exp_neon.h: exp(x) of two doubles at once, for x <= 0, with Advanced SIMD.
 *
 * Method: W. J. Cody and W. Waite, Software Manual for the Elementary Functions (1980), chapter 6. x = n ln 2 + r with
 * an integer n and |r| <= ln(2) / 2, so exp(x) = 2^n exp(r); ln 2 is split in two so that n times its upper part is
 * exact. exp(r) is its Taylor polynomial of degree 13: the first term left out is below 0.35^14 / 14! = 5e-18.
 */
#ifndef RK_EXP_NEON_H
#define RK_EXP_NEON_H

#include <arm_neon.h>

/* 2^n for integers -1022 <= n <= 1023: the exponent field alone. */
static inline float64x2_t neon_power_of_two(int64x2_t n)
{
    return vreinterpretq_f64_s64(vshlq_n_s64(vaddq_s64(n, vdupq_n_s64(1023)), 52));
}

/* Within 1 ulp. For x <= 0, -inf and NaN (which stays NaN). Results below the normal range are rounded once, to
 * denormals or 0. */
static inline float64x2_t neon_exp(float64x2_t x)
{
    /* Everything below -745.14 is 0, and -inf must not reach the subtraction. FMAX keeps NaN. */
    x = vmaxq_f64(x, vdupq_n_f64(-750.0));

    float64x2_t n = vrndnq_f64(vmulq_n_f64(x, 0x1.71547652b82fep+0)); /* log2(e) */
    float64x2_t r = vfmsq_f64(x, n, vdupq_n_f64(0x1.62e42feep-1));    /* upper 32 bits of ln(2) */
    r = vfmsq_f64(r, n, vdupq_n_f64(0x1.a39ef35793c76p-33));          /* the rest of it */

    float64x2_t p = vdupq_n_f64(1.0 / 6227020800.0); /* 1 / 13! */
    p = vfmaq_f64(vdupq_n_f64(1.0 / 479001600.0), p, r);
    p = vfmaq_f64(vdupq_n_f64(1.0 / 39916800.0), p, r);
    p = vfmaq_f64(vdupq_n_f64(1.0 / 3628800.0), p, r);
    p = vfmaq_f64(vdupq_n_f64(1.0 / 362880.0), p, r);
    p = vfmaq_f64(vdupq_n_f64(1.0 / 40320.0), p, r);
    p = vfmaq_f64(vdupq_n_f64(1.0 / 5040.0), p, r);
    p = vfmaq_f64(vdupq_n_f64(1.0 / 720.0), p, r);
    p = vfmaq_f64(vdupq_n_f64(1.0 / 120.0), p, r);
    p = vfmaq_f64(vdupq_n_f64(1.0 / 24.0), p, r);
    p = vfmaq_f64(vdupq_n_f64(1.0 / 6.0), p, r);
    p = vfmaq_f64(vdupq_n_f64(1.0 / 2.0), p, r);
    p = vfmaq_f64(vdupq_n_f64(1.0), p, r);
    p = vfmaq_f64(vdupq_n_f64(1.0), p, r);

    /* n reaches -1082, below the exponents of doubles: scaled by two normal powers, the first of which is exact. */
    int64x2_t whole = vcvtq_s64_f64(n);
    int64x2_t half = vshrq_n_s64(whole, 1);
    p = vmulq_f64(p, neon_power_of_two(half));
    return vmulq_f64(p, neon_power_of_two(vsubq_s64(whole, half)));
}

#endif
