/* SPDX-License-Identifier: Apache-2.0
 *
 * rbf_factors, residual_energy and factor_gradient from sm80 on.
 */
#include <stdint.h>

#include "rung/kernel.h"

#include "slices.cuh"
#include "tile.cuh"

/* ---- rbf_factors ------------------------------------------------------------------------------------------------- */

/* A thread per factor of a position; the step of the grid is step_i positions and step_j factors. Derivatives are
 * gathered in shared memory, so that neighbours write neighbouring numbers. d may be NULL. The squared distance is
 * rounded as the reference rounds it: exp magnifies what a fused product would change in a large exponent. */
RUNG_ENTRY void __launch_bounds__(THREADS)
    RUNG_KERNEL(rk_rbf_factors)(double *f, double *d, const double *xyz, const double *theta, size_t n, size_t k,
                                size_t step_i, size_t step_j)
{
    __shared__ double staged[4][THREADS + 4]; /* padded so that neither way has conflicts of banks */
    const size_t count = n * k, step = (size_t)gridDim.x * THREADS;
    size_t i = ((size_t)blockIdx.x * THREADS + threadIdx.x) / k, j = ((size_t)blockIdx.x * THREADS + threadIdx.x) % k;
    for (size_t first = (size_t)blockIdx.x * THREADS; first < count; first += step) {
        if (first + threadIdx.x < count) {
            const double *r = xyz + 3 * i, *c = theta + 4 * j;
            const double x = r[0] - c[0], y = r[1] - c[1], z = r[2] - c[2], s = c[3], s2 = s * s;
            const double q = __dadd_rn(__dadd_rn(__dmul_rn(x, x), __dmul_rn(y, y)), __dmul_rn(z, z));
            const double value = exp(-q / (2.0 * s2)), by = value / s2;
            f[first + threadIdx.x] = value;
            staged[0][threadIdx.x] = by * x;
            staged[1][threadIdx.x] = by * y;
            staged[2][threadIdx.x] = by * z;
            staged[3][threadIdx.x] = by * q / s;
        }
        i += step_i;
        j += step_j;
        if (j >= k) {
            j -= k;
            i++;
        }
        if (d == nullptr)
            continue; /* all threads alike */
        __syncthreads();
        const size_t left = count - first;
        const unsigned here = (unsigned)(left < THREADS ? left : (size_t)THREADS);
        for (unsigned at = threadIdx.x; at < 4 * here; at += THREADS)
            d[4 * first + at] = staged[at % 4][at / 4];
        __syncthreads();
    }
}

/* ---- residual_energy --------------------------------------------------------------------------------------------- */

/* A block takes 64 rows of x and goes along them in tiles of F W, so that x is read once and F W is never stored. */
RUNG_ENTRY void __launch_bounds__(THREADS)
    RUNG_KERNEL(rk_residual_energy)(double *e, const float *x, const double *f, const double *w, size_t n, size_t k,
                                    size_t t)
{
    __shared__ tile_buffers buffers;
    __shared__ double energies[TILE][SIDE + 1];
    const factor<true> of_f = {f, n, k};
    const factor<false> of_w = {w, t, k};
    unsigned turn = 0;
    for (size_t first_i = (size_t)blockIdx.x * TILE; first_i < n; first_i += (size_t)gridDim.x * TILE) {
        double energy[EACH] = {};
        for (size_t first_j = 0; first_j < t; first_j += TILE) {
            double sum[EACH][EACH];
            tile_product(sum, buffers, turn, of_f, of_w, first_i, first_j, 0, k);
#pragma unroll
            for (unsigned r = 0; r < EACH; r++) {
#pragma unroll
                for (unsigned q = 0; q < EACH; q++) {
                    const size_t i = first_i + tile_row() + r * SIDE, j = first_j + tile_column() + q * SIDE;
                    if (i < n && j < t) {
                        const double left = x[i * t + j] - sum[r][q];
                        energy[r] += left * left;
                    }
                }
            }
        }
#pragma unroll
        for (unsigned r = 0; r < EACH; r++)
            energies[tile_row() + r * SIDE][tile_column()] = energy[r];
        __syncthreads();
        const size_t i = first_i + threadIdx.x;
        if (threadIdx.x < TILE && i < n) {
            double all = 0.0;
            for (unsigned p = 0; p < SIDE; p++)
                all += energies[threadIdx.x][p];
            e[i] = all;
        }
        __syncthreads();
    }
}

/* ---- factor_gradient --------------------------------------------------------------------------------------------- */

/* Two neighbouring elements, in one access where all pairs are aligned to 16 bytes. */
static __device__ double2 pair_at(const double *from, bool aligned)
{
    return aligned ? *reinterpret_cast<const double2 *>(from) : make_double2(from[0], from[1]);
}

/* Slice blockIdx.y of rows, `chunk` of them; the columns of d in groups of up to 256 pairs, a thread for each pair, and
 * for several rows at once where the pairs are fewer than the threads. partial: 4 k sums for each slice; NULL with one
 * slice, which is added to g. */
RUNG_ENTRY void __launch_bounds__(THREADS)
    RUNG_KERNEL_OF(rk_factor_gradient, partial)(double *g, double *partial, const double *d, const double *e, size_t n,
                                                size_t k, size_t chunk)
{
    __shared__ double2 sums[THREADS];
    const bool aligned = (uintptr_t)d % 16 == 0;
    const size_t pairs = 2 * k, from = blockIdx.y * chunk, to = n - from < chunk ? n : from + chunk;
    for (size_t group = blockIdx.x; group * THREADS < pairs; group += gridDim.x) {
        const size_t left = pairs - group * THREADS;
        const unsigned width = (unsigned)(left < THREADS ? left : (size_t)THREADS), lanes = THREADS / width;
        const unsigned lane = threadIdx.x / width;
        const size_t pair = group * THREADS + threadIdx.x % width;
        double2 sum = make_double2(0.0, 0.0);
        if (lane < lanes) {
#pragma unroll 4
            for (size_t i = from + lane; i < to; i += lanes) {
                const double2 derivatives = pair_at(d + 4 * i * k + 2 * pair, aligned);
                const double residual = e[i * k + pair / 2];
                sum.x += derivatives.x * residual;
                sum.y += derivatives.y * residual;
            }
        }
        sums[threadIdx.x] = sum;
        __syncthreads();
        if (threadIdx.x < width) {
            for (unsigned other = 1; other < lanes; other++) {
                sum.x += sums[other * width + threadIdx.x].x;
                sum.y += sums[other * width + threadIdx.x].y;
            }
            if (partial != nullptr) {
                partial[blockIdx.y * 4 * k + 2 * pair] = sum.x;
                partial[blockIdx.y * 4 * k + 2 * pair + 1] = sum.y;
            } else {
                g[2 * pair] += sum.x;
                g[2 * pair + 1] += sum.y;
            }
        }
        __syncthreads();
    }
}

RUNG_ENTRY void RUNG_KERNEL_OF(rk_factor_gradient, finish)(double *g, const double *partial, size_t columns,
                                                           unsigned slices)
{
    const size_t step = (size_t)gridDim.x * AT_A_TIME;
    for (size_t first = (size_t)blockIdx.x * AT_A_TIME; first < columns; first += step) {
        const double sum = sum_of_slices(partial, columns, slices, first);
        if (threadIdx.x < AT_A_TIME && first + threadIdx.x < columns)
            g[first + threadIdx.x] += sum;
    }
}
