/* SPDX-License-Identifier: Apache-2.0
 *
 * tiles.h: how many blocks of a grid make a matrix, one for each tile; kernels step over the rest.
 */
#ifndef KERNELS_CUDA_TILES_H
#define KERNELS_CUDA_TILES_H

#include "rung/launch.h"

static inline size_t tiles_along(size_t count, size_t side)
{
    return count / side + (count % side != 0);
}

/* m by n elements in square tiles. */
static inline uint32_t tiles(size_t m, size_t n, size_t side)
{
    return rung_blocks(tiles_along(m, side) * tiles_along(n, side), 1);
}

#endif
