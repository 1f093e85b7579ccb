/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_nt_bf16 and the variant tf32 of gemm_nt_f32 from sm80 on, on tensor cores, with sums in float. A block of 8
 * warps makes a tile of 128 by 128 of C, a warp 64 by 32 of it: 4 by 2 fragments of 16 by 16. The factors go through
 * shared memory 64 bytes of every line at a time, in two buffers: while the terms of one are summed, the next are on
 * their way.
 */
#include <mma.h>
#include <stdint.h>

#include "rung/kernel.h"

enum {
    TILE = 128,
    THREADS = 256,
    WARP = 32,
    SIDE = 16,                           /* of a fragment */
    DOWN = 4,                            /* fragments of a warp */
    ACROSS = 2,                          /* likewise */
    CHUNK = 16,                          /* bytes that a thread reads and stores at a time */
    LINE = 64,                           /* bytes of a line in a tile */
    PADDED = LINE + CHUNK,               /* so that neither storing nor loading fragments has conflicts of banks */
    OURS = TILE * LINE / CHUNK / THREADS /* chunks of a thread */
};

/* What an element is to the op, to what loads fragments and to the cores, and the terms of one step of theirs. */
struct bf16 {
    typedef uint16_t stored;
    typedef __nv_bfloat16 loaded;
    typedef __nv_bfloat16 element;
    static constexpr unsigned TERMS = 16;
    static __device__ stored convert(stored value)
    {
        return value;
    }
};

struct tf32 {
    typedef float stored;
    typedef float loaded;
    typedef nvcuda::wmma::precision::tf32 element;
    static constexpr unsigned TERMS = 8;
    static __device__ stored convert(stored value)
    {
        return nvcuda::wmma::__float_to_tf32(value);
    }
};

template <typename Kind>
using sums_of = nvcuda::wmma::fragment<nvcuda::wmma::accumulator, SIDE, SIDE, Kind::TERMS, float>;

struct alignas(32) tile_buffer {
    unsigned char at[TILE][PADDED];
};

union chunk_of_line {
    uint4 all;
    uint16_t bf16[CHUNK / sizeof(uint16_t)];
    float tf32[CHUNK / sizeof(float)];
};

static __device__ uint16_t *elements(chunk_of_line &chunk, uint16_t)
{
    return chunk.bf16;
}

static __device__ float *elements(chunk_of_line &chunk, float)
{
    return chunk.tf32;
}

/* `count` lines of `depth` terms each. aligned: every line is, to 16 bytes. */
template <typename Kind> struct factor {
    typedef typename Kind::stored stored;
    static constexpr unsigned EACH = CHUNK / sizeof(stored);
    const stored *data;
    size_t count, depth;
    bool aligned;

    __device__ factor(const stored *from, size_t lines, size_t terms)
        : data(from), count(lines), depth(terms), aligned((uintptr_t)from % CHUNK == 0 && terms % EACH == 0)
    {
    }

    /* This thread's chunks of the tile of lines from `first` and terms from `at` on: zeros outside. */
    __device__ void fetch(chunk_of_line to[OURS], size_t first, size_t at) const
    {
#pragma unroll
        for (unsigned q = 0; q < OURS; q++) {
            const size_t line = first + line_of(q), term = at + chunk_in_line() * EACH;
            to[q].all = make_uint4(0, 0, 0, 0);
            if (line >= count || term >= depth)
                continue;
            const stored *from = data + line * depth + term;
            if (aligned) {
                to[q].all = *reinterpret_cast<const uint4 *>(from);
            } else {
#pragma unroll
                for (unsigned e = 0; e < EACH; e++)
                    if (term + e < depth)
                        elements(to[q], stored())[e] = from[e];
            }
        }
    }

    static __device__ void store(tile_buffer &tile, chunk_of_line chunks[OURS])
    {
#pragma unroll
        for (unsigned q = 0; q < OURS; q++) {
#pragma unroll
            for (unsigned e = 0; e < EACH; e++)
                elements(chunks[q], stored())[e] = Kind::convert(elements(chunks[q], stored())[e]);
            *reinterpret_cast<uint4 *>(tile.at[line_of(q)] + chunk_in_line() * CHUNK) = chunks[q].all;
        }
    }

  private:
    static __device__ unsigned line_of(unsigned q)
    {
        return threadIdx.x / (LINE / CHUNK) + q * (TILE / OURS);
    }
    static __device__ unsigned chunk_in_line()
    {
        return threadIdx.x % (LINE / CHUNK);
    }
};

/* Adds the terms of one pair of tiles to the fragments of this warp, whose first lines are row and column. */
template <typename Kind>
static __device__ void add(sums_of<Kind> sums[DOWN][ACROSS], const tile_buffer &a, const tile_buffer &b, unsigned row,
                           unsigned column)
{
    using namespace nvcuda::wmma;
    typedef typename Kind::loaded loaded;
    constexpr unsigned STEPS = LINE / (Kind::TERMS * sizeof(loaded)), LEAD = PADDED / sizeof(loaded);
#pragma unroll
    for (unsigned step = 0; step < STEPS; step++) {
        const size_t offset = step * Kind::TERMS * sizeof(loaded);
        fragment<matrix_a, SIDE, SIDE, Kind::TERMS, typename Kind::element, row_major> left[DOWN];
        fragment<matrix_b, SIDE, SIDE, Kind::TERMS, typename Kind::element, col_major> right[ACROSS];
#pragma unroll
        for (unsigned r = 0; r < DOWN; r++)
            load_matrix_sync(left[r], reinterpret_cast<const loaded *>(a.at[row + r * SIDE] + offset), LEAD);
#pragma unroll
        for (unsigned q = 0; q < ACROSS; q++)
            load_matrix_sync(right[q], reinterpret_cast<const loaded *>(b.at[column + q * SIDE] + offset), LEAD);
#pragma unroll
        for (unsigned r = 0; r < DOWN; r++)
#pragma unroll
            for (unsigned q = 0; q < ACROSS; q++)
                mma_sync(sums[r][q], left[r], right[q], sums[r][q]);
    }
}

/* Writes the 16 by 16 elements of C from (first_i, first_j) on that it has, from this warp's `staged`. */
static __device__ void put(float *c, const float staged[SIDE * SIDE], size_t first_i, size_t first_j, size_t m,
                           size_t n, float alpha, float beta)
{
    for (unsigned at = threadIdx.x % WARP; at < SIDE * SIDE; at += WARP) {
        const size_t i = first_i + at / SIDE, j = first_j + at % SIDE;
        if (i < m && j < n) {
            float *out = c + i * n + j;
            *out = beta == 0.0F ? alpha * staged[at] : beta * *out + alpha * staged[at];
        }
    }
}

template <typename Kind>
static __device__ void multiply(float *c, const typename Kind::stored *a, const typename Kind::stored *b, size_t m,
                                size_t n, size_t k, float alpha, float beta)
{
    using namespace nvcuda::wmma;
    constexpr unsigned DEPTH = LINE / sizeof(typename Kind::stored);
    __shared__ tile_buffer tile_a[2], tile_b[2];
    const unsigned warp = threadIdx.x / WARP;
    const unsigned row = warp % (TILE / (DOWN * SIDE)) * (DOWN * SIDE);
    const unsigned column = warp / (TILE / (DOWN * SIDE)) * (ACROSS * SIDE);
    const factor<Kind> of_a(a, m, k), of_b(b, n, k);
    const size_t across = n / TILE + (n % TILE != 0), down = m / TILE + (m % TILE != 0);
    for (size_t tile = blockIdx.x; tile < across * down; tile += gridDim.x) {
        const size_t first_i = tile / across * TILE, first_j = tile % across * TILE;
        unsigned turn = 0;
        sums_of<Kind> sums[DOWN][ACROSS];
#pragma unroll
        for (unsigned r = 0; r < DOWN; r++)
#pragma unroll
            for (unsigned q = 0; q < ACROSS; q++)
                fill_fragment(sums[r][q], 0.0F);
        chunk_of_line next_a[OURS], next_b[OURS];
        of_a.fetch(next_a, first_i, 0);
        of_b.fetch(next_b, first_j, 0);
        for (size_t at = 0; at < k; at += DEPTH) {
            of_a.store(tile_a[turn], next_a);
            of_b.store(tile_b[turn], next_b);
            __syncthreads(); /* also: whoever stores to the other buffer after this, nobody reads it any more */
            of_a.fetch(next_a, first_i, at + DEPTH);
            of_b.fetch(next_b, first_j, at + DEPTH);
            add<Kind>(sums, tile_a[turn], tile_b[turn], row, column);
            turn ^= 1U;
        }
        __syncthreads(); /* the tiles are done with: the sums go through their memory */
        float *staged = reinterpret_cast<float *>(tile_a) + warp * SIDE * SIDE;
#pragma unroll
        for (unsigned r = 0; r < DOWN; r++) {
#pragma unroll
            for (unsigned q = 0; q < ACROSS; q++) {
                store_matrix_sync(staged, sums[r][q], SIDE, mem_row_major);
                __syncwarp();
                put(c, staged, first_i + row + r * SIDE, first_j + column + q * SIDE, m, n, alpha, beta);
                __syncwarp();
            }
        }
        __syncthreads(); /* the next tile's terms go there */
    }
}

RUNG_ENTRY void __launch_bounds__(THREADS, 2)
    RUNG_KERNEL(rk_gemm_nt_bf16)(float *c, const uint16_t *a, const uint16_t *b, size_t m, size_t n, size_t k,
                                 float alpha, float beta)
{
    multiply<bf16>(c, a, b, m, n, k, alpha, beta);
}

RUNG_ENTRY void __launch_bounds__(THREADS, 2)
    RUNG_KERNEL_OF(rk_gemm_nt_f32, tf32)(float *c, const float *a, const float *b, size_t m, size_t n, size_t k,
                                         float alpha, float beta)
{
    multiply<tf32>(c, a, b, m, n, k, alpha, beta);
}
