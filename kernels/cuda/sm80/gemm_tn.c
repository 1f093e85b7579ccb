/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_tn: launches gemm.cu. Where the tiles of C are too few for a device, the terms are shared out to slices, as far
 * as the workspace holds their sums. The grid depends on the sizes alone, so that the results do as well.
 */
#include "rk/kernels/gemm_tn.h"
#include "../tiles.h"
#include "rung/launch.h"

enum {
    PARTIAL = 0,
    FINISH = 1,
    TILE = 64,
    DEPTH = 16,
    THREADS = 256,
    ENOUGH_BLOCKS = 512,
    LEAST_CHUNK = 8 * DEPTH,    /* terms of a slice */
    WORKSPACE = 8 * 1024 * 1024 /* bytes, as the registry says */
};

/* The terms of a slice: k, at least 1, where there is to be one slice alone. */
static size_t chunk_of(size_t m, size_t n, size_t k, size_t blocks)
{
    size_t slices = least(ENOUGH_BLOCKS / blocks, least(k / LEAST_CHUNK, WORKSPACE / sizeof(double) / m / n));
    if (slices < 2)
        return k > 0 ? k : 1;
    return tiles_along(tiles_along(k, slices), DEPTH) * DEPTH;
}

rung_status RUNG_KERNEL(rk_gemm_tn)(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m, size_t n,
                                    size_t k, double alpha, double beta)
{
    if (m == 0 || n == 0)
        return RUNG_OK;
    uint32_t blocks = tiles(m, n, TILE);
    size_t chunk = chunk_of(m, n, k, blocks), elements = m * n;
    uint32_t slices = k > chunk ? (uint32_t)tiles_along(k, chunk) : 1;
    double *partial = slices > 1 ? cx->workspace : NULL;
    const rung_grid grid = {.blocks = {blocks, slices}, .threads = {THREADS}};
    rung_status status = rung_launch(cx, &RUNG_CELL(rk_gemm_tn), PARTIAL, &grid,
                                     (void *[]){&c, &partial, &a, &b, &m, &n, &k, &chunk, &alpha, &beta});
    if (status != RUNG_OK || slices == 1)
        return status;
    const rung_grid all = adding_grid(elements);
    return rung_launch(cx, &RUNG_CELL(rk_gemm_tn), FINISH, &all,
                       (void *[]){&c, &partial, &elements, &slices, &alpha, &beta});
}
