/* SPDX-License-Identifier: Apache-2.0
 *
 * factor_gradient: launches tfa.cu.
 */
#include "rk/kernels/factor_gradient.h"
#include "rung/launch.h"

enum { THREADS = 256 };

rung_status RUNG_KERNEL(rk_factor_gradient)(const rung_ctx *cx, double *g, const double *d, const double *e, size_t n,
                                            size_t k)
{
    if (n == 0 || k == 0)
        return RUNG_OK;
    const rung_grid grid = {.blocks = {rung_blocks(4 * k, THREADS)}, .threads = {THREADS}};
    return rung_launch(cx, &RUNG_CELL(rk_factor_gradient), 0, &grid, (void *[]){&g, &d, &e, &n, &k});
}
