/* SPDX-License-Identifier: Apache-2.0
 *
 * ridge_solve on every GPU, for k up to some hundreds: one block factorises in tiles of 16 by 16, a thread per element;
 * then blocks solve 16 columns of W each. A pivot that is not positive and finite becomes a NaN, which goes on to all
 * of W and to the last element of the factor.
 */
#include "rung/kernel.h"

enum { TILE = 16, THREADS = TILE * TILE };

/* Tiles in shared memory, padded so that reading along columns has no conflicts of banks. */
struct tiles {
    double a[TILE][TILE + 1], b[TILE][TILE + 1];
};

/* Element (i, j) of G + lambda I less what the columns before first_j make of it: this thread's of the tile of rows
 * first_i. Outside of the matrix there are ones on the diagonal and zeros. */
static __device__ double remainder_of(tiles &t, const double *chol, const double *gram, double lambda, size_t first_i,
                                      size_t first_j, size_t k)
{
    const unsigned x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    const size_t i = first_i + y, j = first_j + x;
    double sum = i == j ? 1.0 : 0.0;
    if (i < k && j <= i)
        sum = gram[i * k + j] + (i == j ? lambda : 0.0);
    for (size_t p = 0; p < first_j; p += TILE) {
        t.a[y][x] = i < k ? chol[i * k + p + x] : 0.0;
        t.b[y][x] = first_j + y < k ? chol[(first_j + y) * k + p + x] : 0.0;
        __syncthreads();
        for (unsigned l = 0; l < TILE; l++)
            sum -= t.a[y][l] * t.b[x][l];
        __syncthreads();
    }
    return sum;
}

/* t.a, of which the lower triangle counts, becomes its own factor. */
static __device__ void factorise_tile(tiles &t)
{
    const unsigned x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    for (unsigned l = 0; l < TILE; l++) {
        const double pivot = t.a[l][l];
        const double root = pivot > 0.0 && isfinite(pivot) ? sqrt(pivot) : nan("");
        __syncthreads();
        if (x == l && y == l)
            t.a[y][x] = root;
        else if (x == l && y > l)
            t.a[y][x] /= root;
        __syncthreads();
        if (x > l && y >= x)
            t.a[y][x] -= t.a[y][l] * t.a[x][l];
        __syncthreads();
    }
}

/* t.b becomes t.b times the inverse of the transpose of the factor t.a. */
static __device__ void divide_tile(tiles &t)
{
    const unsigned x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    for (unsigned l = 0; l < TILE; l++) {
        if (x == l)
            t.b[y][x] /= t.a[l][l];
        __syncthreads();
        if (x > l)
            t.b[y][x] -= t.b[y][l] * t.a[x][l];
        __syncthreads();
    }
}

/* One block: chol = the factor of G + lambda I, zeros above its diagonal. Columns of tiles, from the left. */
RUNG_ENTRY void __launch_bounds__(THREADS)
    RUNG_KERNEL_OF(rk_ridge_solve, factorise)(double *chol, const double *gram, double lambda, size_t k)
{
    __shared__ tiles work, done; /* done.a: the factor of the tile on the diagonal; done.b: the tile at work */
    const unsigned x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    for (size_t first_j = 0; first_j < k; first_j += TILE) {
        const size_t j = first_j + x;
        for (size_t first_i = first_j; first_i < k; first_i += TILE) {
            const size_t i = first_i + y;
            const double sum = remainder_of(work, chol, gram, lambda, first_i, first_j, k);
            if (first_i == first_j) {
                done.a[y][x] = sum;
                __syncthreads();
                factorise_tile(done);
                if (i < k && j < k) {
                    chol[i * k + j] = x <= y ? done.a[y][x] : 0.0;
                }
            } else {
                done.b[y][x] = sum;
                __syncthreads();
                divide_tile(done);
                if (i < k) {
                    chol[i * k + j] = done.b[y][x];
                    chol[j * k + i] = 0.0;
                }
            }
        }
        __syncthreads(); /* so that all threads see the column in chol */
    }
}

/* Solves L Y = P, then L^T W = Y, for 16 columns of P in each block, a tile of rows at a time; Y goes through w. */
RUNG_ENTRY void __launch_bounds__(THREADS)
    RUNG_KERNEL_OF(rk_ridge_solve, solve)(double *w, const double *chol, const double *rhs, size_t k, size_t t)
{
    __shared__ double factor[TILE][TILE + 1], right[TILE][TILE + 1];
    const unsigned x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    for (size_t first = (size_t)blockIdx.x * TILE; first < t; first += (size_t)gridDim.x * TILE) {
        const size_t column = first + x;
        for (unsigned back = 0; back < 2; back++) {
            for (size_t tile = 0; tile < k; tile += TILE) {
                const size_t top = back != 0 ? (k - 1 - tile) / TILE * TILE : tile, i = top + y;
                const unsigned rows = (unsigned)(k - top < TILE ? k - top : (size_t)TILE);
                double sum = 0.0;
                if (i < k && column < t) {
                    sum = back != 0 ? w[i * t + column] : rhs[i * t + column];
                    if (back != 0)
                        for (size_t p = top + rows; p < k; p++)
                            sum -= chol[p * k + i] * w[p * t + column];
                    else
                        for (size_t p = 0; p < top; p++)
                            sum -= chol[i * k + p] * w[p * t + column];
                }
                factor[y][x] = i < k && top + x < k ? chol[i * k + top + x] : 0.0;
                right[y][x] = sum;
                __syncthreads();
                for (unsigned l = 0; l < rows; l++) {
                    const unsigned row = back != 0 ? rows - 1 - l : l;
                    if (y == row)
                        right[y][x] /= factor[row][row];
                    __syncthreads();
                    if (back != 0 ? y < row : y > row && y < rows)
                        right[y][x] -= (back != 0 ? factor[row][y] : factor[y][row]) * right[row][x];
                    __syncthreads();
                }
                if (i < k && column < t)
                    w[i * t + column] = right[y][x];
                __syncthreads(); /* so that all threads see the rows in w */
            }
        }
    }
}
