/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_nt_bf16: launches gemm_tensor.cu.
 */
#include "rk/kernels/gemm_nt_bf16.h"
#include "../tiles.h"
#include "rung/launch.h"

enum { TILE = 128, THREADS = 256 };

rung_status RUNG_KERNEL(rk_gemm_nt_bf16)(const rung_ctx *cx, float *c, const uint16_t *a, const uint16_t *b, size_t m,
                                         size_t n, size_t k, float alpha, float beta)
{
    if (m == 0 || n == 0)
        return RUNG_OK;
    const rung_grid grid = {.blocks = {tiles(m, n, TILE)}, .threads = {THREADS}};
    return rung_launch(cx, &RUNG_CELL(rk_gemm_nt_bf16), 0, &grid, (void *[]){&c, &a, &b, &m, &n, &k, &alpha, &beta});
}
