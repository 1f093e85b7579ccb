/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_sde.h: the launcher of flow_sde_step, for every arch. The scalars are worked out here, as the reference has
 * them. Two launches: the elements, with a sum for each block in the workspace, then the sum of those.
 */
#ifndef KERNELS_CUDA_FLOW_SDE_H
#define KERNELS_CUDA_FLOW_SDE_H

#include <math.h>

#include "rk/kernels/flow_sde_step.h"
#include "rung/launch.h"

/* The registry's `workspace` is 8 bytes for each of the blocks. */
enum { SDE_THREADS = 256, SDE_BLOCKS = 1024, SDE_PARTIAL = 0, SDE_FINISH = 1 };

/* `each`: elements that a thread takes at a time. */
static inline rung_status launch_flow_sde_step(const rung_ctx *cx, const rung_launched *cell, size_t each, float *y,
                                               float *mean, double *log_prob, double *e, const float *x, const float *v,
                                               const float *noise, const float *sample, size_t n, double sigma_t,
                                               double sigma_n, double noise_scale)
{
    const double dt = sigma_n - sigma_t;
    const double s = fmin(sigma_t, 0.9999);
    const double std = noise_scale * sqrt(s / (1.0 - s));
    const double d = 2.0 * fmax(s, 1e-6);
    double of_x = 1.0 + std * std / d * dt;
    double of_v = (1.0 + std * std * (1.0 - s) / d) * dt;
    double deviation = fmax(std * sqrt(fmax(-dt, 1e-12)), 1e-6), ln_deviation = log(deviation);

    double *partial = cx->workspace;
    uint32_t blocks = rung_blocks(n, SDE_THREADS * each);
    if (blocks > SDE_BLOCKS)
        blocks = SDE_BLOCKS;
    if (blocks > 0) {
        const rung_grid grid = {.blocks = {blocks}, .threads = {SDE_THREADS}};
        void *arguments[] = {&y, &mean, &partial, &x, &v, &noise, &sample, &n, &of_x, &of_v, &deviation};
        rung_status status = rung_launch(cx, cell, SDE_PARTIAL, &grid, arguments);
        if (status != RUNG_OK)
            return status;
    }
    const rung_grid one = {.threads = {SDE_THREADS}};
    void *arguments[] = {&log_prob, &e, &partial, &blocks, &n, &deviation, &ln_deviation};
    return rung_launch(cx, cell, SDE_FINISH, &one, arguments);
}

#endif
