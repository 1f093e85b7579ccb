/* SPDX-License-Identifier: Apache-2.0
 *
 * ridge_solve: launches ridge.cu.
 */
#include "rk/kernels/ridge_solve.h"
#include "rung/launch.h"

enum { FACTORISE = 0, SOLVE = 1, TILE = 16 };

rung_status RUNG_KERNEL(rk_ridge_solve)(const rung_ctx *cx, double *w, double *chol, const double *gram,
                                        const double *rhs, double lambda, size_t k, size_t t)
{
    if (k == 0)
        return RUNG_OK;
    const rung_grid one = {.threads = {TILE * TILE}};
    rung_status status =
        rung_launch(cx, &RUNG_CELL(rk_ridge_solve), FACTORISE, &one, (void *[]){&chol, &gram, &lambda, &k});
    if (status != RUNG_OK || t == 0)
        return status;
    const rung_grid grid = {.blocks = {rung_blocks(t, TILE)}, .threads = {TILE * TILE}};
    return rung_launch(cx, &RUNG_CELL(rk_ridge_solve), SOLVE, &grid, (void *[]){&w, &chol, &rhs, &k, &t});
}
