/* SPDX-License-Identifier: Apache-2.0
 *
 * rbf_factors: launches tfa.cu.
 */
#include "rk/kernels/rbf_factors.h"
#include "rung/launch.h"

enum { THREADS = 256 };

rung_status RUNG_KERNEL(rk_rbf_factors)(const rung_ctx *cx, double *f, double *d, const double *xyz,
                                        const double *theta, size_t n, size_t k)
{
    if (n == 0 || k == 0)
        return RUNG_OK;
    const rung_grid grid = {.blocks = {rung_blocks(n * k, THREADS)}, .threads = {THREADS}};
    return rung_launch(cx, &RUNG_CELL(rk_rbf_factors), 0, &grid, (void *[]){&f, &d, &xyz, &theta, &n, &k});
}
