/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_match_step on cpu/generic, the reference. The product is rounded before the sum: not to be fused.
 */
#include "rk/kernels/flow_match_step.h"

rung_status rk_flow_match_step__cpu_generic(const rung_ctx *cx, float *y, const float *x, const float *v, size_t n,
                                            double sigma_t, double sigma_n)
{
    (void)cx;
    const float dt = (float)(sigma_n - sigma_t);
    for (size_t i = 0; i < n; i++) {
        const float step = dt * v[i];
        y[i] = x[i] + step;
    }
    return RUNG_OK;
}
