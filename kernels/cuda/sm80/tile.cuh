/* SPDX-License-Identifier: Apache-2.0
 *
 * tile.cuh: products of matrices of doubles in tiles of 64 by 64 from sm80 on, for gemm.cu and tfa.cu. A block of 256
 * threads makes one tile of the product, a thread 4 by 4 elements of it: those of rows row, row + 16, ... and columns
 * column, column + 16, ..., so that neighbours read and write neighbouring elements. The factors go through shared
 * memory, 16 terms at a time, in two buffers: while the terms of one are summed, the next are on their way.
 */
#ifndef KERNELS_CUDA_SM80_TILE_CUH
#define KERNELS_CUDA_SM80_TILE_CUH

#include <stddef.h>

enum { TILE = 64, DEPTH = 16, SIDE = 16, EACH = TILE / SIDE, THREADS = SIDE * SIDE };

/* [DEPTH][TILE], padded so that what stands along the depth in memory is stored without conflicts of banks as well. */
struct tile_buffers {
    double a[2][DEPTH][TILE + 1], b[2][DEPTH][TILE + 1];
};

/* A factor of `count` lines of products and `depth` terms. ALONG: the terms of a line are neighbours, element (line,
 * term) at data[line * depth + term]; otherwise the lines of a term, at data[term * count + line]. */
template <bool ALONG> struct factor {
    const double *data;
    size_t count, depth;

    /* This thread's part of terms [at, at + DEPTH) of lines [first, first + TILE): zeros outside, and from `to` on. */
    __device__ void fetch(double part[EACH], size_t first, size_t at, size_t to) const
    {
#pragma unroll
        for (unsigned q = 0; q < EACH; q++) {
            const size_t line = first + line_of(q), term = at + term_of(q);
            part[q] = 0.0;
            if (line < count && term < to)
                part[q] = data[ALONG ? line * depth + term : term * count + line];
        }
    }

    __device__ void store(double tile[DEPTH][TILE + 1], const double part[EACH]) const
    {
#pragma unroll
        for (unsigned q = 0; q < EACH; q++)
            tile[term_of(q)][line_of(q)] = part[q];
    }

  private:
    static __device__ unsigned line_of(unsigned q)
    {
        return ALONG ? threadIdx.x / DEPTH + q * (THREADS / DEPTH) : threadIdx.x % TILE;
    }
    static __device__ unsigned term_of(unsigned q)
    {
        return ALONG ? threadIdx.x % DEPTH : threadIdx.x / TILE + q * (THREADS / TILE);
    }
};

static __device__ unsigned tile_row()
{
    return threadIdx.x / SIDE;
}

static __device__ unsigned tile_column()
{
    return threadIdx.x % SIDE;
}

/* Adds the terms of one pair of tiles. */
static __device__ void tile_add(double sum[EACH][EACH], const double a[DEPTH][TILE + 1],
                                const double b[DEPTH][TILE + 1])
{
#pragma unroll
    for (unsigned p = 0; p < DEPTH; p++) {
        double left[EACH], right[EACH];
#pragma unroll
        for (unsigned r = 0; r < EACH; r++) {
            left[r] = a[p][tile_row() + r * SIDE];
            right[r] = b[p][tile_column() + r * SIDE];
        }
#pragma unroll
        for (unsigned r = 0; r < EACH; r++)
#pragma unroll
            for (unsigned q = 0; q < EACH; q++)
                sum[r][q] += left[r] * right[q];
    }
}

/* sum = the terms [from, to) of the tile of rows first_i and columns first_j. All threads of the block take part.
 * `turn` tells which buffer is next, from call to call: 0 at first. */
template <bool A_ALONG, bool B_ALONG>
static __device__ void tile_product(double sum[EACH][EACH], tile_buffers &buffers, unsigned &turn,
                                    const factor<A_ALONG> &a, const factor<B_ALONG> &b, size_t first_i, size_t first_j,
                                    size_t from, size_t to)
{
    double next_a[EACH], next_b[EACH];
#pragma unroll
    for (unsigned r = 0; r < EACH; r++)
#pragma unroll
        for (unsigned q = 0; q < EACH; q++)
            sum[r][q] = 0.0;
    a.fetch(next_a, first_i, from, to);
    b.fetch(next_b, first_j, from, to);
    for (size_t at = from; at < to; at += DEPTH) {
        a.store(buffers.a[turn], next_a);
        b.store(buffers.b[turn], next_b);
        __syncthreads(); /* also: whoever stores to the other buffer after this, nobody reads it any more */
        if (to - at > DEPTH) {
            a.fetch(next_a, first_i, at + DEPTH, to);
            b.fetch(next_b, first_j, at + DEPTH, to);
        }
        tile_add(sum, buffers.a[turn], buffers.b[turn]);
        turn ^= 1U;
    }
}

#endif
