/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_match_step for cpu/neon. Memory sets the pace, so one vector at a time is enough; compilers make the same of the
 * reference, but not at every level of optimisation. Multiply, then add: fused, the bits would differ from the
 * reference.
 */
#include <rk/kernels/flow_match_step.h>

#include <arm_neon.h>

rung_status rk_flow_match_step__cpu_neon(const rung_ctx *cx, float *y, const float *x, const float *v, size_t n,
                                         double sigma_t, double sigma_n)
{
    (void)cx;
    const float dt = (float)(sigma_n - sigma_t);
    size_t i = 0;
    for (; n - i >= 4; i += 4) {
        const float32x4_t step = vmulq_n_f32(vld1q_f32(v + i), dt);
        vst1q_f32(y + i, vaddq_f32(vld1q_f32(x + i), step));
    }
    for (; i < n; i++) {
        const float step = dt * v[i];
        y[i] = x[i] + step;
    }
    return RUNG_OK;
}
