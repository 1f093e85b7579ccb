/* SPDX-License-Identifier: Apache-2.0
 *
 * rbf_factors for cpu/neon: two factors at once, one position after the other.
 *
 * exp turns a relative error of its argument into |argument| times as much in the result. The argument is therefore
 * computed with the very operations of the reference, products and sums rounded one by one and a true division.
 */
#include <rk/kernels/rbf_factors.h>

#include "exp_neon.h"

enum { LANES = 2 };

/* One or two factors, turned from rows of theta into one vector for each parameter. */
typedef struct factors {
    float64x2_t cx, cy, cz;
    float64x2_t two_s2;        /* 2 s^2 */
    float64x2_t inv_s2, inv_s; /* 1 / s^2, 1 / s */
    size_t count;
} factors;

static inline factors load_factors(const double *theta, size_t count)
{
    double column[4][LANES];
    for (size_t j = 0; j < LANES; j++) {
        for (size_t p = 0; p < 4; p++)
            column[p][j] = j < count ? theta[4 * j + p] : 1.0;
    }
    float64x2_t s = vld1q_f64(column[3]);
    float64x2_t s2 = vmulq_f64(s, s);
    float64x2_t one = vdupq_n_f64(1.0);
    factors t = {.cx = vld1q_f64(column[0]),
                 .cy = vld1q_f64(column[1]),
                 .cz = vld1q_f64(column[2]),
                 .two_s2 = vaddq_f64(s2, s2),
                 .inv_s2 = vdivq_f64(one, s2),
                 .inv_s = vdivq_f64(one, s),
                 .count = count};
    return t;
}

static inline void store_values(double *f, const factors *t, float64x2_t value)
{
    if (t->count == LANES)
        vst1q_f64(f, value);
    else
        *f = vgetq_lane_f64(value, 0);
}

/* Writes (x0 y0 z0 s0 x1 y1 z1 s1), as far as there are factors. */
static inline void store_derivatives(double *d, const factors *t, float64x2_t x, float64x2_t y, float64x2_t z,
                                     float64x2_t s)
{
    float64x2x4_t all = {{x, y, z, s}};
    if (t->count == LANES) {
        vst4q_f64(d, all);
    } else {
        vst4q_lane_f64(d, all, 0);
    }
}

rung_status rk_rbf_factors__cpu_neon(const rung_ctx *cx, double *f, double *d, const double *xyz, const double *theta,
                                     size_t n, size_t k)
{
    (void)cx;
    for (size_t j = 0; j < k; j += LANES) {
        factors t = load_factors(theta + 4 * j, k - j < LANES ? k - j : LANES);
        for (size_t i = 0; i < n; i++) {
            float64x2_t dx = vsubq_f64(vdupq_n_f64(xyz[3 * i]), t.cx);
            float64x2_t dy = vsubq_f64(vdupq_n_f64(xyz[3 * i + 1]), t.cy);
            float64x2_t dz = vsubq_f64(vdupq_n_f64(xyz[3 * i + 2]), t.cz);
            float64x2_t r2 = vaddq_f64(vmulq_f64(dx, dx), vmulq_f64(dy, dy));
            r2 = vaddq_f64(r2, vmulq_f64(dz, dz));
            float64x2_t value = neon_exp(vdivq_f64(vnegq_f64(r2), t.two_s2));
            store_values(f + i * k + j, &t, value);
            if (d != NULL) {
                float64x2_t slope = vmulq_f64(value, t.inv_s2);
                store_derivatives(d + 4 * (i * k + j), &t, vmulq_f64(slope, dx), vmulq_f64(slope, dy),
                                  vmulq_f64(slope, dz), vmulq_f64(vmulq_f64(slope, r2), t.inv_s));
            }
        }
    }
    return RUNG_OK;
}
