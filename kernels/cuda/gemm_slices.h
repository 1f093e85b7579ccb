/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_slices.h: launches gemm_tn and gemm_nt in double, where the image has the entries `partial` and `finish`. Where
 * the tiles of C are too few for a device, the terms are shared out to slices, as far as the workspace holds their
 * sums. The grid depends on the sizes alone, so that the results do as well.
 */
#ifndef KERNELS_CUDA_GEMM_SLICES_H
#define KERNELS_CUDA_GEMM_SLICES_H

#include "rung/launch.h"
#include "tiles.h"

/* What a block of the entry `partial` makes, and how many of them are enough for a device. */
typedef struct gemm_block {
    size_t rows, columns, depth; /* of a tile */
    size_t least_terms;          /* of a slice */
    size_t enough_blocks;
    uint32_t threads;
} gemm_block;

enum { GEMM_WORKSPACE = 8 * 1024 * 1024 /* bytes, as the registry says */ };

/* The terms of a slice: k, at least 1, where there is to be one slice alone. */
static inline size_t terms_of_slice(const gemm_block *block, size_t m, size_t n, size_t k, size_t blocks)
{
    size_t slices =
        least(block->enough_blocks / blocks, least(k / block->least_terms, GEMM_WORKSPACE / sizeof(double) / m / n));
    if (slices < 2)
        return k > 0 ? k : 1;
    return tiles_along(tiles_along(k, slices), block->depth) * block->depth;
}

static inline rung_status gemm_in_slices(const rung_ctx *cx, const rung_launched *cell, const gemm_block *block,
                                         double *c, const double *a, const double *b, size_t m, size_t n, size_t k,
                                         double alpha, double beta)
{
    if (m == 0 || n == 0)
        return RUNG_OK;
    uint32_t blocks = rung_blocks(tiles_along(m, block->rows) * tiles_along(n, block->columns), 1);
    size_t chunk = terms_of_slice(block, m, n, k, blocks), elements = m * n;
    uint32_t slices = k > chunk ? (uint32_t)tiles_along(k, chunk) : 1;
    double *partial = slices > 1 ? cx->workspace : NULL;
    const rung_grid grid = {.blocks = {blocks, slices}, .threads = {block->threads}};
    rung_status status =
        rung_launch(cx, cell, 0, &grid, (void *[]){&c, &partial, &a, &b, &m, &n, &k, &chunk, &alpha, &beta});
    if (status != RUNG_OK || slices == 1)
        return status;
    const rung_grid all = adding_grid(elements);
    return rung_launch(cx, cell, 1, &all, (void *[]){&c, &partial, &elements, &slices, &alpha, &beta});
}

#endif
