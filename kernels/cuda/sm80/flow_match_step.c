/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_match_step: launches flow.cu. dt is worked out in double and rounded once, as the op says.
 */
#include "rk/kernels/flow_match_step.h"
#include "rung/launch.h"

enum { THREADS = 256, EACH = 4 };

rung_status RUNG_KERNEL(rk_flow_match_step)(const rung_ctx *cx, float *y, const float *x, const float *v, size_t n,
                                            double sigma_t, double sigma_n)
{
    if (n == 0)
        return RUNG_OK;
    float dt = (float)(sigma_n - sigma_t);
    const rung_grid grid = {.blocks = {rung_blocks(n, (size_t)THREADS * EACH)}, .threads = {THREADS}};
    return rung_launch(cx, &RUNG_CELL(rk_flow_match_step), 0, &grid, (void *[]){&y, &x, &v, &n, &dt});
}
