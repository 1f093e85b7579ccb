/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of matrices on cuda/generic: a block makes 16 by 16 elements of C, a thread one of them, from tiles of A and
 * B in shared memory. What is outside of the matrices counts as zeros.
 */
#include <stdint.h>

#include "rung/kernel.h"

enum { TILE = 16 };

static __device__ double number(double value)
{
    return value;
}

static __device__ float number(float value)
{
    return value;
}

/* A bfloat16 is the upper half of a float. */
static __device__ float number(uint16_t bits)
{
    return __uint_as_float((unsigned)bits << 16);
}

/* C = alpha A B + beta C, for one block: element (i, p) of A is at a[i * a_row + p * a_next], (p, j) of B at b[j *
 * b_column + p * b_next], where a_next and b_next are both 1 or both not. */
template <typename Element, typename Sum>
static __device__ void multiply(Sum *c, const Element *a, size_t a_row, size_t a_next, const Element *b,
                                size_t b_column, size_t b_next, size_t m, size_t n, size_t k, Sum alpha, Sum beta)
{
    __shared__ Sum tile_a[TILE][TILE + 1], tile_b[TILE][TILE + 1];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const bool along = a_next == 1; /* of A and of B alike: neighbouring threads read neighbouring elements */
    const unsigned line = along ? y : x, term = along ? x : y;
    const size_t across = n / TILE + (n % TILE != 0), down = m / TILE + (m % TILE != 0);
    for (size_t tile = blockIdx.x; tile < across * down; tile += gridDim.x) {
        const size_t first_i = tile / across * TILE, first_j = tile % across * TILE;
        Sum sum = 0;
        for (size_t p = 0; p < k; p += TILE) {
            const size_t i = first_i + line, j = first_j + line, q = p + term;
            __syncthreads(); /* until nobody reads the tiles of before */
            tile_a[line][term] = i < m && q < k ? number(a[i * a_row + q * a_next]) : Sum(0);
            tile_b[line][term] = j < n && q < k ? number(b[j * b_column + q * b_next]) : Sum(0);
            __syncthreads();
            for (unsigned l = 0; l < TILE; l++)
                sum += tile_a[y][l] * tile_b[x][l];
        }
        const size_t i = first_i + y, j = first_j + x;
        if (i < m && j < n) {
            Sum *out = c + i * n + j;
            *out = beta == 0 ? alpha * sum : beta * *out + alpha * sum;
        }
    }
}

RUNG_ENTRY void RUNG_KERNEL(rk_gemm_tn)(double *c, const double *a, const double *b, size_t m, size_t n, size_t k,
                                        double alpha, double beta)
{
    multiply(c, a, 1, m, b, 1, n, m, n, k, alpha, beta);
}

RUNG_ENTRY void RUNG_KERNEL(rk_gemm_nt)(double *c, const double *a, const double *b, size_t m, size_t n, size_t k,
                                        double alpha, double beta)
{
    multiply(c, a, k, 1, b, k, 1, m, n, k, alpha, beta);
}

RUNG_ENTRY void RUNG_KERNEL(rk_gemm_nt_f32)(float *c, const float *a, const float *b, size_t m, size_t n, size_t k,
                                            float alpha, float beta)
{
    multiply(c, a, k, 1, b, k, 1, m, n, k, alpha, beta);
}

RUNG_ENTRY void RUNG_KERNEL(rk_gemm_nt_bf16)(float *c, const uint16_t *a, const uint16_t *b, size_t m, size_t n,
                                             size_t k, float alpha, float beta)
{
    multiply(c, a, k, 1, b, k, 1, m, n, k, alpha, beta);
}
