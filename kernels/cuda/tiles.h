/* SPDX-License-Identifier: Apache-2.0
 *
 * tiles.h: how many blocks of a grid make a matrix, one for each tile; kernels step over the rest. And what launchers
 * that share sums out to slices of blocks need (sm80/slices.cuh).
 */
#ifndef KERNELS_CUDA_TILES_H
#define KERNELS_CUDA_TILES_H

#include "rung/launch.h"

static inline size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t tiles_along(size_t count, size_t side)
{
    return count / side + (count % side != 0);
}

/* m by n elements in square tiles. */
static inline uint32_t tiles(size_t m, size_t n, size_t side)
{
    return rung_blocks(tiles_along(m, side) * tiles_along(n, side), 1);
}

/* Adding up what slices have left: a block of ADDING threads for AT_A_TIME elements. */
enum { AT_A_TIME = 32, ADDING = 256 };
static inline rung_grid adding_grid(size_t elements)
{
    return (rung_grid){.blocks = {rung_blocks(elements, AT_A_TIME)}, .threads = {ADDING}};
}

#endif
