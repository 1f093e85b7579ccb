/* SPDX-License-Identifier: Apache-2.0
 *
 * factor_gradient for cpu/neon. D is read once and nothing is read twice, so memory sets the pace; four rows at once
 * keep the sums in G from being loaded and stored for every row.
 */
#include <rk/kernels/factor_gradient.h>

#include <arm_neon.h>

/* The four derivatives of one factor times its error, added to its four sums. */
static inline void add_row(float64x2_t sum[2], const double *d, double e)
{
    sum[0] = vfmaq_n_f64(sum[0], vld1q_f64(d), e);
    sum[1] = vfmaq_n_f64(sum[1], vld1q_f64(d + 2), e);
}

rung_status rk_factor_gradient__cpu_neon(const rung_ctx *cx, double *g, const double *d, const double *e, size_t n,
                                         size_t k)
{
    (void)cx;
    for (size_t i = 0; i < n;) {
        size_t rows = n - i >= 4 ? 4 : 1;
        for (size_t j = 0; j < k; j++) {
            float64x2_t sum[2] = {vld1q_f64(g + 4 * j), vld1q_f64(g + 4 * j + 2)};
            for (size_t r = 0; r < rows; r++)
                add_row(sum, d + 4 * ((i + r) * k + j), e[(i + r) * k + j]);
            vst1q_f64(g + 4 * j, sum[0]);
            vst1q_f64(g + 4 * j + 2, sum[1]);
        }
        i += rows;
    }
    return RUNG_OK;
}
