/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_tn and gemm_nt on the double-precision tensor cores of sm90. A block of 8 warps makes a tile of 128 by 64 of C,
 * a warp 32 by 32 of it: 2 by 4 fragments of 16 by 8. The factors go through shared memory, 8 terms at a time, in two
 * buffers: while the terms of one are summed, the next are copied. Few elements of many terms are shared out to slices
 * of blocks as well, whose sums are added up afterwards, always in the same order.
 *
 * Where a tile reaches beyond the terms, both factors have zeros there, which add nothing; where it reaches beyond the
 * lines, what becomes of them is not stored. So infinities and NaN meet real terms alone.
 */
#include <cuda_pipeline.h>
#include <stdint.h>

#include "rung/kernel.h"

#include "../sm80/gemm_finish.cuh"
#include "mma.cuh"

enum {
    ROWS = 128,   /* of a tile */
    COLUMNS = 64, /* likewise */
    DEPTH = 8,    /* terms in shared memory */
    THREADS = 256,
    WARP = 32,
    HIGH = 16,  /* rows of a fragment */
    WIDE = 8,   /* columns of it */
    DOWN = 2,   /* fragments of a warp */
    ACROSS = 4, /* likewise */
    PAD = 4,    /* with it, what a half of a warp loads of a fragment is in banks of its own */
    BAND = 8    /* rows of tiles that are made together, so that what they share is in the cache */
};

/* LINES lines of DEPTH terms. ALONG: the terms of a line are neighbours, as in memory; otherwise the lines of a term.
 */
template <bool ALONG, unsigned LINES> struct alignas(16) tile {
    static constexpr unsigned WIDTH = ALONG ? unsigned(DEPTH) : LINES, HEIGHT = ALONG ? LINES : unsigned(DEPTH);
    static constexpr unsigned LEAD = WIDTH + PAD;
    double at[HEIGHT * LEAD];

    __device__ double of(unsigned line, unsigned term) const
    {
        return at[ALONG ? line * LEAD + term : term * LEAD + line];
    }
};

template <bool ALONG> struct stage {
    tile<ALONG, ROWS> a;
    tile<ALONG, COLUMNS> b;
};

/* A factor of `count` lines of products and `depth` terms. aligned: so are all pairs of neighbours, to 16 bytes. */
template <bool ALONG> struct factor {
    const double *data;
    size_t count, depth;
    bool aligned;

    __device__ factor(const double *from, size_t lines, size_t terms)
        : data(from), count(lines), depth(terms),
          aligned((uintptr_t)from % (2 * sizeof *from) == 0 && (ALONG ? terms : lines) % 2 == 0)
    {
    }

    /* Has this thread's part of terms [at, at + DEPTH) of lines from `first` on copied: zeros outside, and from `to`
     * on, which is even where pairs are copied. */
    template <unsigned LINES> __device__ void copy(tile<ALONG, LINES> &into, size_t first, size_t at, size_t to) const
    {
        constexpr unsigned PAIRS = tile<ALONG, LINES>::WIDTH / 2; /* of neighbours */
        constexpr size_t SIZE = sizeof(double);
#pragma unroll
        for (unsigned q = 0; q < PAIRS * tile<ALONG, LINES>::HEIGHT / THREADS; q++) {
            const unsigned pair = threadIdx.x + q * THREADS, x = pair % PAIRS * 2, y = pair / PAIRS;
            const size_t line = first + (ALONG ? y : x), term = at + (ALONG ? x : y);
            const bool one = line < count && term < to, two = one && (ALONG ? term + 1 < to : line + 1 < count);
            const double *from = one ? data + (ALONG ? line * depth + term : term * count + line) : data;
            double *out = into.at + y * into.LEAD + x;
            if (aligned) {
                __pipeline_memcpy_async(out, from, 2 * SIZE, one ? 0 : 2 * SIZE);
            } else {
                __pipeline_memcpy_async(out, from, SIZE, one ? 0 : SIZE);
                __pipeline_memcpy_async(out + 1, two ? from + 1 : data, SIZE, two ? 0 : SIZE);
            }
        }
    }
};

/* Adds the terms of a stage to the fragments of this warp, whose first lines are row and column. */
template <bool ALONG>
static __device__ void add(double sums[DOWN][ACROSS][4], const stage<ALONG> &terms, unsigned row, unsigned column)
{
    const unsigned group = threadIdx.x % WARP / 4, in_group = threadIdx.x % 4;
    double left[DOWN][4], right[ACROSS][2];
#pragma unroll
    for (unsigned r = 0; r < DOWN; r++)
#pragma unroll
        for (unsigned e = 0; e < 4; e++)
            left[r][e] = terms.a.of(row + r * HIGH + group + e % 2 * 8, in_group + e / 2 * 4);
#pragma unroll
    for (unsigned q = 0; q < ACROSS; q++)
#pragma unroll
        for (unsigned e = 0; e < 2; e++)
            right[q][e] = terms.b.of(column + q * WIDE + group, in_group + e * 4);
#pragma unroll
    for (unsigned r = 0; r < DOWN; r++)
#pragma unroll
        for (unsigned q = 0; q < ACROSS; q++)
            mma_add(sums[r][q], left[r], right[q]);
}

/* Where a tile of C stands: its first row and column. Those of a band come one column of tiles after the other. */
struct position {
    size_t i, j;

    __device__ position(size_t tile, size_t down, size_t across)
    {
        const size_t band = tile / (BAND * across), in_band = tile % (BAND * across);
        const size_t left = down - band * BAND, rows = left < BAND ? left : size_t(BAND);
        i = (band * BAND + in_band % rows) * ROWS;
        j = in_band / rows * COLUMNS;
    }
};

/* Slice blockIdx.y of terms, `chunk` of them. partial: the sums of the slices, m by n each; NULL with one slice. */
template <bool ALONG>
static __device__ void multiply(double *c, double *partial, const double *a, const double *b, size_t m, size_t n,
                                size_t k, size_t chunk, double alpha, double beta)
{
    __shared__ stage<ALONG> stages[2];
    const unsigned warp = threadIdx.x / WARP, group = threadIdx.x % WARP / 4, in_group = threadIdx.x % 4;
    const unsigned row = warp % (ROWS / (DOWN * HIGH)) * (DOWN * HIGH);
    const unsigned column = warp / (ROWS / (DOWN * HIGH)) * (ACROSS * WIDE);
    const factor<ALONG> of_a(a, m, k), of_b(b, n, k);
    const size_t across = n / COLUMNS + (n % COLUMNS != 0), down = m / ROWS + (m % ROWS != 0);
    const size_t start = blockIdx.y * chunk, to = k - start < chunk ? k : start + chunk;
    for (size_t tile = blockIdx.x; tile < across * down; tile += gridDim.x) {
        const position first(tile, down, across);
        unsigned turn = 0;
        double sums[DOWN][ACROSS][4] = {};
        if (start < to) {
            of_a.copy(stages[turn].a, first.i, start, to);
            of_b.copy(stages[turn].b, first.j, start, to);
            __pipeline_commit();
        }
        for (size_t at = start; at < to; at += DEPTH) {
            __pipeline_wait_prior(0);
            __syncthreads(); /* all have their copies, and nobody reads the other buffer any more */
            if (to - at > DEPTH) {
                of_a.copy(stages[turn ^ 1U].a, first.i, at + DEPTH, to);
                of_b.copy(stages[turn ^ 1U].b, first.j, at + DEPTH, to);
                __pipeline_commit();
            }
            add(sums, stages[turn], row, column);
            turn ^= 1U;
        }
#pragma unroll
        for (unsigned r = 0; r < DOWN; r++) {
#pragma unroll
            for (unsigned q = 0; q < ACROSS; q++) {
#pragma unroll
                for (unsigned e = 0; e < 4; e++) {
                    const size_t i = first.i + row + r * HIGH + group + e / 2 * 8;
                    const size_t j = first.j + column + q * WIDE + in_group * 2 + e % 2;
                    if (i >= m || j >= n)
                        continue;
                    if (partial != nullptr)
                        partial[(blockIdx.y * m + i) * n + j] = sums[r][q][e];
                    else
                        put(c, i * n + j, sums[r][q][e], alpha, beta);
                }
            }
        }
        __syncthreads(); /* the next tile's terms go there */
    }
}

RUNG_ENTRY void __launch_bounds__(THREADS, 2)
    RUNG_KERNEL_OF(rk_gemm_nt, partial)(double *c, double *partial, const double *a, const double *b, size_t m,
                                        size_t n, size_t k, size_t chunk, double alpha, double beta)
{
    multiply<true>(c, partial, a, b, m, n, k, chunk, alpha, beta);
}

RUNG_ENTRY void __launch_bounds__(THREADS, 2)
    RUNG_KERNEL_OF(rk_gemm_tn, partial)(double *c, double *partial, const double *a, const double *b, size_t m,
                                        size_t n, size_t k, size_t chunk, double alpha, double beta)
{
    multiply<false>(c, partial, a, b, m, n, k, chunk, alpha, beta);
}

RUNG_ENTRY void RUNG_KERNEL_OF(rk_gemm_nt, finish)(double *c, const double *partial, size_t elements, unsigned slices,
                                                   double alpha, double beta)
{
    finish(c, partial, elements, slices, alpha, beta);
}

RUNG_ENTRY void RUNG_KERNEL_OF(rk_gemm_tn, finish)(double *c, const double *partial, size_t elements, unsigned slices,
                                                   double alpha, double beta)
{
    finish(c, partial, elements, slices, alpha, beta);
}
