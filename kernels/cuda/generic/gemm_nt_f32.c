/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_nt_f32: launches gemm.cu.
 */
#include "rk/kernels/gemm_nt_f32.h"
#include "../tiles.h"
#include "rung/launch.h"

enum { TILE = 16 };

rung_status RUNG_KERNEL(rk_gemm_nt_f32)(const rung_ctx *cx, float *c, const float *a, const float *b, size_t m,
                                        size_t n, size_t k, float alpha, float beta)
{
    if (m == 0 || n == 0)
        return RUNG_OK;
    const rung_grid grid = {.blocks = {tiles(m, n, TILE)}, .threads = {TILE, TILE}};
    return rung_launch(cx, &RUNG_CELL(rk_gemm_nt_f32), 0, &grid, (void *[]){&c, &a, &b, &m, &n, &k, &alpha, &beta});
}
