/* SPDX-License-Identifier: Apache-2.0
 *
 * residual_energy: launches tfa.cu.
 */
#include "rk/kernels/residual_energy.h"
#include "rung/launch.h"

enum { THREADS = 256 };

rung_status RUNG_KERNEL(rk_residual_energy)(const rung_ctx *cx, double *e, const float *x, const double *f,
                                            const double *w, size_t n, size_t k, size_t t)
{
    if (n == 0)
        return RUNG_OK;
    const rung_grid grid = {.blocks = {rung_blocks(n, THREADS)}, .threads = {THREADS}};
    return rung_launch(cx, &RUNG_CELL(rk_residual_energy), 0, &grid, (void *[]){&e, &x, &f, &w, &n, &k, &t});
}
