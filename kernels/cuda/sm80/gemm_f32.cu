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

/* This thread's line of a factor of `count` lines of k terms each; NULL outside. */
static __device__ const float *line_of(const float *factor, size_t count, size_t k, size_t first)
{
    const size_t line = first + threadIdx.x / 2;
    return line < count ? factor + line * k : nullptr;
}

/* Four terms of a line of k from `term` on, zeros outside. aligned: every line is, to 16 bytes. */
static __device__ float4 fetch(const float *line, size_t term, size_t k, bool aligned)
{
    if (line == nullptr || term >= k)
        return make_float4(0.0F, 0.0F, 0.0F, 0.0F);
    const float *from = line + term;
    if (aligned)
        return *reinterpret_cast<const float4 *>(from);
    const size_t left = k - term;
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

static __device__ void load(float to[FOUR], const float *from)
{
    *reinterpret_cast<float4 *>(to) = *reinterpret_cast<const float4 *>(from);
}

/* Four elements of a row of C from column j on, those that it has. */
static __device__ void put(float *row, size_t j, size_t n, const float sum[FOUR], float alpha, float beta)
{
    if (j >= n)
        return;
#pragma unroll
    for (unsigned q = 0; q < FOUR; q++)
        if (j + q < n)
            row[j + q] = beta == 0.0F ? alpha * sum[q] : beta * row[j + q] + alpha * sum[q];
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
    const unsigned row = threadIdx.x / SIDE * FOUR, column = threadIdx.x % SIDE * FOUR;
    const size_t across = n / TILE + (n % TILE != 0), down = m / TILE + (m % TILE != 0);
    const bool aligned = (uintptr_t)a % 16 == 0 && (uintptr_t)b % 16 == 0 && k % FOUR == 0;
    unsigned turn = 0;
    for (size_t tile = blockIdx.x; tile < across * down; tile += gridDim.x) {
        const size_t first_i = tile / across * TILE, first_j = tile % across * TILE;
        float sum[2 * FOUR][2 * FOUR] = {};
        const float *line_a = line_of(a, m, k, first_i), *line_b = line_of(b, n, k, first_j);
        size_t term = threadIdx.x % 2 * FOUR;
        float4 next_a = fetch(line_a, term, k, aligned), next_b = fetch(line_b, term, k, aligned);
        for (size_t at = 0; at < k; at += DEPTH) {
            store(tile_a[turn], next_a);
            store(tile_b[turn], next_b);
            __syncthreads(); /* also: whoever stores to the other buffer after this, nobody reads it any more */
            term += DEPTH;
            next_a = fetch(line_a, term, k, aligned);
            next_b = fetch(line_b, term, k, aligned);
#pragma unroll
            for (unsigned p = 0; p < DEPTH; p++) {
                alignas(16) float right[2 * FOUR];
                load(right, tile_b[turn].at[p] + column);
                load(right + FOUR, tile_b[turn].at[p] + HALF + column);
#pragma unroll
                for (unsigned half = 0; half < 2; half++) {
                    alignas(16) float left[FOUR];
                    load(left, tile_a[turn].at[p] + half * HALF + row);
#pragma unroll
                    for (unsigned r = 0; r < FOUR; r++)
#pragma unroll
                        for (unsigned q = 0; q < 2 * FOUR; q++)
                            sum[half * FOUR + r][q] += left[r] * right[q];
                }
            }
            turn ^= 1U;
        }
#pragma unroll
        for (unsigned r = 0; r < 2 * FOUR; r++) {
            const size_t i = first_i + place(row, r);
            if (i < m) {
                put(c + i * n, first_j + column, n, sum[r], alpha, beta);
                put(c + i * n, first_j + column + HALF, n, sum[r] + FOUR, alpha, beta);
            }
        }
    }
}
