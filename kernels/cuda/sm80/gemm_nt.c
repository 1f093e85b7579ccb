/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_nt: launches gemm.cu.
 */
#include "rk/kernels/gemm_nt.h"
#include "../tiles.h"
#include "rung/launch.h"

enum { TILE = 64, THREADS = 256 };

rung_status RUNG_KERNEL(rk_gemm_nt)(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m, size_t n,
                                    size_t k, double alpha, double beta)
{
    if (m == 0 || n == 0)
        return RUNG_OK;
    const rung_grid grid = {.blocks = {tiles(m, n, TILE)}, .threads = {THREADS}};
    return rung_launch(cx, &RUNG_CELL(rk_gemm_nt), 0, &grid, (void *[]){&c, &a, &b, &m, &n, &k, &alpha, &beta});
}
