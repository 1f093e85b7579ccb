/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_tn and gemm_nt from sm80 on, in tiles of 64 by 64. The terms of gemm_tn, which has many of them for few
 * elements, are shared out to slices of blocks as well, whose sums are added up afterwards, always in the same order.
 */
#include "rung/kernel.h"

#include "gemm_finish.cuh"
#include "tile.cuh"

/* Slice blockIdx.y of terms, `chunk` of them. partial: the sums of the slices, m by n each; NULL with one slice. */
template <bool ALONG>
static __device__ void multiply(double *c, double *partial, const double *a, const double *b, size_t m, size_t n,
                                size_t k, size_t chunk, double alpha, double beta)
{
    __shared__ tile_buffers buffers;
    unsigned turn = 0;
    const factor<ALONG> of_a = {a, m, k}, of_b = {b, n, k};
    const size_t across = n / TILE + (n % TILE != 0), down = m / TILE + (m % TILE != 0);
    const size_t from = blockIdx.y * chunk, to = k - from < chunk ? k : from + chunk;
    for (size_t tile = blockIdx.x; tile < across * down; tile += gridDim.x) {
        const size_t first_i = tile / across * TILE, first_j = tile % across * TILE;
        double sum[EACH][EACH];
        tile_product(sum, buffers, turn, of_a, of_b, first_i, first_j, from, to);
#pragma unroll
        for (unsigned r = 0; r < EACH; r++) {
#pragma unroll
            for (unsigned q = 0; q < EACH; q++) {
                const size_t i = first_i + tile_row() + r * SIDE, j = first_j + tile_column() + q * SIDE;
                if (i >= m || j >= n)
                    continue;
                if (partial != nullptr)
                    partial[(blockIdx.y * m + i) * n + j] = sum[r][q];
                else
                    put(c, i * n + j, sum[r][q], alpha, beta);
            }
        }
    }
}

RUNG_ENTRY void __launch_bounds__(THREADS)
    RUNG_KERNEL(rk_gemm_nt)(double *c, const double *a, const double *b, size_t m, size_t n, size_t k, double alpha,
                            double beta)
{
    multiply<true>(c, nullptr, a, b, m, n, k, k, alpha, beta);
}

RUNG_ENTRY void __launch_bounds__(THREADS)
    RUNG_KERNEL_OF(rk_gemm_tn, partial)(double *c, double *partial, const double *a, const double *b, size_t m,
                                        size_t n, size_t k, size_t chunk, double alpha, double beta)
{
    multiply<false>(c, partial, a, b, m, n, k, chunk, alpha, beta);
}

RUNG_ENTRY void RUNG_KERNEL_OF(rk_gemm_tn, finish)(double *c, const double *partial, size_t elements, unsigned slices,
                                                   double alpha, double beta)
{
    finish(c, partial, elements, slices, alpha, beta);
}
