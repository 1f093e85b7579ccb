/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_match_step for accel/generic: portable C in the manner of a device. A "block" takes 256 elements: its velocities
 * are loaded into "shared" memory, scaled there, and added to the sample in a pass of their own, so that the products
 * are rounded before the sums.
 */
#include <rk/kernels/flow_match_step.h>

#include <string.h>

enum { BLOCK = 256 };

static void block(float *y, const float *x, const float *v, size_t threads, float dt)
{
    float shared[BLOCK];
    memcpy(shared, v, threads * sizeof shared[0]);
    for (size_t thread = 0; thread < threads; thread++)
        shared[thread] *= dt;
    for (size_t thread = 0; thread < threads; thread++)
        y[thread] = shared[thread] + x[thread];
}

rung_status rk_flow_match_step__accel_generic(const rung_ctx *cx, float *y, const float *x, const float *v, size_t n,
                                              double sigma_t, double sigma_n)
{
    (void)cx;
    const float dt = (float)(sigma_n - sigma_t);
    const size_t blocks = n / BLOCK + (n % BLOCK != 0);
    for (size_t b = 0; b < blocks; b++) {
        const size_t first = b * BLOCK;
        block(y + first, x + first, v + first, n - first < BLOCK ? n - first : BLOCK, dt);
    }
    return RUNG_OK;
}
