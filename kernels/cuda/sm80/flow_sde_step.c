/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_sde_step: launches flow.cu.
 */
#include "../flow_sde.h"

rung_status RUNG_KERNEL(rk_flow_sde_step)(const rung_ctx *cx, float *y, float *mean, double *log_prob, double *e,
                                          const float *x, const float *v, const float *noise, const float *sample,
                                          size_t n, double sigma_t, double sigma_n, double noise_scale)
{
    return launch_flow_sde_step(cx, &RUNG_CELL(rk_flow_sde_step), 4, y, mean, log_prob, e, x, v, noise, sample, n,
                                sigma_t, sigma_n, noise_scale);
}
