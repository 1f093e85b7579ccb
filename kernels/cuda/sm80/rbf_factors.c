/* SPDX-License-Identifier: Apache-2.0
 *
 * rbf_factors: launches tfa.cu. The grid is bounded: a thread finds out once which factor it stands at, and then
 * steps on.
 */
#include "rk/kernels/rbf_factors.h"
#include "rung/launch.h"

enum { THREADS = 256, MOST_BLOCKS = 4096 };

rung_status RUNG_KERNEL(rk_rbf_factors)(const rung_ctx *cx, double *f, double *d, const double *xyz,
                                        const double *theta, size_t n, size_t k)
{
    if (n == 0 || k == 0)
        return RUNG_OK;
    uint32_t blocks = rung_blocks(n * k, THREADS);
    if (blocks > MOST_BLOCKS)
        blocks = MOST_BLOCKS;
    size_t step = (size_t)blocks * THREADS, step_i = step / k, step_j = step % k;
    const rung_grid grid = {.blocks = {blocks}, .threads = {THREADS}};
    return rung_launch(cx, &RUNG_CELL(rk_rbf_factors), 0, &grid,
                       (void *[]){&f, &d, &xyz, &theta, &n, &k, &step_i, &step_j});
}
