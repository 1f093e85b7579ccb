/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_tn and gemm_nt on the double-precision tensor cores of sm90. A block of 8 warps makes a tile of 128 by 64 of C,
 * a warp 32 by 32 of it: 4 by 4 fragments of 8 by 8. The factors go through shared memory, 8 terms at a time, in two
 * buffers: while the terms of one are summed, the next are copied. Few elements of many terms are shared out to slices
 * of blocks as well, whose sums are added up afterwards, always in the same order.
 *
 * Where a tile reaches beyond the terms, both factors have zeros there, which add nothing; where it reaches beyond the
 * lines, what becomes of them is not stored. So infinities and NaN meet real terms alone.
 */
#include <cuda_pipeline.h>
#include <mma.h>
#include <stdint.h>

#include "rung/kernel.h"

#include "../sm80/gemm_finish.cuh"

enum {
    ROWS = 128,   /* of a tile */
    COLUMNS = 64, /* likewise */
    DEPTH = 8,    /* terms in shared memory */
    THREADS = 256,
    WARP = 32,
    SIDE = 8,           /* of a fragment */
    STEP = 4,           /* its terms */
    EACH = 4,           /* fragments of a warp in both directions */
    PART = EACH * SIDE, /* lines of a warp in both directions */
    PAD = 4,            /* with it, what a half of a warp loads of a fragment is in banks of its own */
    BAND = 8            /* rows of tiles that are made together, so that what they share is in the cache */
};

/* How tiles are kept. ALONG: the terms of a line are neighbours, as in memory; otherwise the lines of a term. */
template <bool ALONG> struct layout_of {
    typedef nvcuda::wmma::row_major a;
    typedef nvcuda::wmma::col_major b;
};
template <> struct layout_of<false> {
    typedef nvcuda::wmma::col_major a;
    typedef nvcuda::wmma::row_major b;
};

template <bool ALONG, unsigned LINES> struct alignas(32) tile {
    static constexpr unsigned WIDTH = ALONG ? unsigned(DEPTH) : LINES, HEIGHT = ALONG ? LINES : unsigned(DEPTH);
    static constexpr unsigned LEAD = WIDTH + PAD;
    double at[HEIGHT * LEAD];

    __device__ const double *from(unsigned line, unsigned term) const
    {
        return at + (ALONG ? line * LEAD + term : term * LEAD + line);
    }
};

template <bool ALONG> struct stage {
    tile<ALONG, ROWS> a;
    tile<ALONG, COLUMNS> b;
};

/* The sums of a warp leave in rows of fragments, by way of `sums`. */
template <bool ALONG> union buffers {
    stage<ALONG> stages[2];
    double sums[THREADS / WARP][SIDE][PART + SIDE];
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

typedef nvcuda::wmma::fragment<nvcuda::wmma::accumulator, SIDE, SIDE, STEP, double> sums_of_fragment;

/* Adds the terms of a stage to the fragments of this warp, whose first lines are row and column. */
template <bool ALONG>
static __device__ void add(sums_of_fragment sums[EACH][EACH], const stage<ALONG> &terms, unsigned row, unsigned column)
{
    using namespace nvcuda::wmma;
#pragma unroll
    for (unsigned p = 0; p < DEPTH; p += STEP) {
        fragment<matrix_a, SIDE, SIDE, STEP, double, typename layout_of<ALONG>::a> left[EACH];
        fragment<matrix_b, SIDE, SIDE, STEP, double, typename layout_of<ALONG>::b> right[EACH];
#pragma unroll
        for (unsigned r = 0; r < EACH; r++) {
            load_matrix_sync(left[r], terms.a.from(row + r * SIDE, p), terms.a.LEAD);
            load_matrix_sync(right[r], terms.b.from(column + r * SIDE, p), terms.b.LEAD);
        }
#pragma unroll
        for (unsigned r = 0; r < EACH; r++)
#pragma unroll
            for (unsigned q = 0; q < EACH; q++)
                mma_sync(sums[r][q], left[r], right[q], sums[r][q]);
    }
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
    using namespace nvcuda::wmma;
    __shared__ buffers<ALONG> shared;
    const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const unsigned row = warp % (ROWS / PART) * PART, column = warp / (ROWS / PART) * PART;
    const factor<ALONG> of_a(a, m, k), of_b(b, n, k);
    const size_t across = n / COLUMNS + (n % COLUMNS != 0), down = m / ROWS + (m % ROWS != 0);
    const size_t start = blockIdx.y * chunk, to = k - start < chunk ? k : start + chunk;
    for (size_t tile = blockIdx.x; tile < across * down; tile += gridDim.x) {
        const position first(tile, down, across);
        unsigned turn = 0;
        sums_of_fragment sums[EACH][EACH];
#pragma unroll
        for (unsigned r = 0; r < EACH; r++)
#pragma unroll
            for (unsigned q = 0; q < EACH; q++)
                fill_fragment(sums[r][q], 0.0);
        if (start < to) {
            of_a.copy(shared.stages[turn].a, first.i, start, to);
            of_b.copy(shared.stages[turn].b, first.j, start, to);
            __pipeline_commit();
        }
        for (size_t at = start; at < to; at += DEPTH) {
            __pipeline_wait_prior(0);
            __syncthreads(); /* all have their copies, and nobody reads the other buffer any more */
            if (to - at > DEPTH) {
                of_a.copy(shared.stages[turn ^ 1U].a, first.i, at + DEPTH, to);
                of_b.copy(shared.stages[turn ^ 1U].b, first.j, at + DEPTH, to);
                __pipeline_commit();
            }
            add(sums, shared.stages[turn], row, column);
            turn ^= 1U;
        }
        __syncthreads(); /* the terms are done with: the sums go through their memory */
#pragma unroll
        for (unsigned r = 0; r < EACH; r++) {
#pragma unroll
            for (unsigned q = 0; q < EACH; q++)
                store_matrix_sync(&shared.sums[warp][0][q * SIDE], sums[r][q], PART + SIDE, mem_row_major);
            __syncwarp();
            for (unsigned x = 0; x < SIDE; x++) {
                const size_t i = first.i + row + r * SIDE + x, j = first.j + column + lane;
                if (i >= m || j >= n)
                    break;
                if (partial != nullptr)
                    partial[(blockIdx.y * m + i) * n + j] = shared.sums[warp][x][lane];
                else
                    put(c, i * n + j, shared.sums[warp][x][lane], alpha, beta);
            }
            __syncwarp();
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
