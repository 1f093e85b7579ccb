/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_nt_f32 from sm80 on, in float throughout: no tensor cores, nothing is rounded to tf32. A block of 256 threads
 * makes a tile of 128 by 128 of C, a thread 8 by 8 elements of it, as four squares of 4 by 4, so that it reads shared
 * memory 16 bytes at a time. The factors go through shared memory 8 terms at a time, in two buffers: while the terms of
 * one are summed, the next are on their way.
 */
#include <stdint.h>

#include "rung/kernel.h"

enum { TILE = 128, DEPTH = 8, SIDE = 16, FOUR = 4, HALF = TILE / 2, THREADS = SIDE * SIDE, PAD = 4 };

/* [DEPTH][TILE], the lines padded so that storing has no conflicts of banks. */
struct alignas(16) tile_buffer {
    float at[DEPTH][TILE + PAD];
};

/* `count` lines of `depth` terms each. */
struct factor {
    const float *data;
    size_t count, depth;
    bool aligned; /* every line is, to 16 bytes */
};

static __device__ factor factor_of(const float *data, size_t count, size_t depth)
{
    return {data, count, depth, (uintptr_t)data % 16 == 0 && depth % FOUR == 0};
}

/* This thread's four terms of the tile: those from `at` on of line first + threadIdx.x / 2, zeros outside. */
static __device__ float4 fetch(const factor &f, size_t first, size_t at)
{
    const size_t line = first + threadIdx.x / 2, term = at + threadIdx.x % 2 * FOUR;
    if (line >= f.count || term >= f.depth)
        return make_float4(0.0F, 0.0F, 0.0F, 0.0F);
    const float *from = f.data + line * f.depth + term;
    if (f.aligned)
        return *reinterpret_cast<const float4 *>(from);
    const size_t left = f.depth - term;
    return make_float4(from[0], left > 1 ? from[1] : 0.0F, left > 2 ? from[2] : 0.0F, left > 3 ? from[3] : 0.0F);
}

static __device__ void store(tile_buffer &tile, const float4 &terms)
{
    const unsigned line = threadIdx.x / 2, term = threadIdx.x % 2 * FOUR;
    tile.at[term][line] = terms.x;
    tile.at[term + 1][line] = terms.y;
    tile.at[term + 2][line] = terms.z;
    tile.at[term + 3][line] = terms.w;
}

/* Eight lines of term p: four from `line` on, and four half a tile on. */
static __device__ void load(float to[2 * FOUR], const tile_buffer &tile, unsigned p, unsigned line)
{
    *reinterpret_cast<float4 *>(to) = *reinterpret_cast<const float4 *>(&tile.at[p][line]);
    *reinterpret_cast<float4 *>(to + FOUR) = *reinterpret_cast<const float4 *>(&tile.at[p][HALF + line]);
}

/* Where the elements of a thread's 8 lines are in the tile. */
static __device__ unsigned place(unsigned first, unsigned r)
{
    return first + r % FOUR + r / FOUR * HALF;
}

RUNG_ENTRY void __launch_bounds__(THREADS, 2)
    RUNG_KERNEL(rk_gemm_nt_f32)(float *c, const float *a, const float *b, size_t m, size_t n, size_t k, float alpha,
                                float beta)
{
    __shared__ tile_buffer tile_a[2], tile_b[2];
    const factor of_a = factor_of(a, m, k), of_b = factor_of(b, n, k);
    const unsigned row = threadIdx.x / SIDE * FOUR, column = threadIdx.x % SIDE * FOUR;
    const size_t across = n / TILE + (n % TILE != 0), down = m / TILE + (m % TILE != 0);
    unsigned turn = 0;
    for (size_t tile = blockIdx.x; tile < across * down; tile += gridDim.x) {
        const size_t first_i = tile / across * TILE, first_j = tile % across * TILE;
        float sum[2 * FOUR][2 * FOUR] = {};
        float4 next_a = fetch(of_a, first_i, 0), next_b = fetch(of_b, first_j, 0);
        for (size_t at = 0; at < k; at += DEPTH) {
            store(tile_a[turn], next_a);
            store(tile_b[turn], next_b);
            __syncthreads(); /* also: whoever stores to the other buffer after this, nobody reads it any more */
            next_a = fetch(of_a, first_i, at + DEPTH);
            next_b = fetch(of_b, first_j, at + DEPTH);
#pragma unroll
            for (unsigned p = 0; p < DEPTH; p++) {
                alignas(16) float left[2 * FOUR], right[2 * FOUR];
                load(left, tile_a[turn], p, row);
                load(right, tile_b[turn], p, column);
#pragma unroll
                for (unsigned r = 0; r < 2 * FOUR; r++)
#pragma unroll
                    for (unsigned q = 0; q < 2 * FOUR; q++)
                        sum[r][q] += left[r] * right[q];
            }
            turn ^= 1U;
        }
#pragma unroll
        for (unsigned r = 0; r < 2 * FOUR; r++) {
#pragma unroll
            for (unsigned q = 0; q < 2 * FOUR; q++) {
                const size_t i = first_i + place(row, r), j = first_j + place(column, q);
                if (i < m && j < n) {
                    float *out = c + i * n + j;
                    *out = beta == 0.0F ? alpha * sum[r][q] : beta * *out + alpha * sum[r][q];
                }
            }
        }
    }
}
