/* SPDX-License-Identifier: Apache-2.0
 *
 * slices.cuh: adds up what slices of blocks have left in a workspace, `elements` sums each, always in the same order. A
 * block of 256 threads takes 32 elements at a time, 8 threads for each: thread x of a warp the element x, and each warp
 * every eighth slice.
 */
#ifndef KERNELS_CUDA_SM80_SLICES_CUH
#define KERNELS_CUDA_SM80_SLICES_CUH

#include <stddef.h>

enum { AT_A_TIME = 32, SHARES = 8 };

/* The sum of element first + threadIdx.x % 32, for the threads of the first warp. All threads take part. */
static __device__ double sum_of_slices(const double *partial, size_t elements, unsigned slices, size_t first)
{
    __shared__ double sums[SHARES][AT_A_TIME];
    const unsigned x = threadIdx.x % AT_A_TIME, share = threadIdx.x / AT_A_TIME;
    double sum = 0.0;
    if (first + x < elements) {
#pragma unroll 4
        for (unsigned slice = share; slice < slices; slice += SHARES)
            sum += partial[slice * elements + first + x];
    }
    sums[share][x] = sum;
    __syncthreads();
    sum = 0.0;
    if (share == 0)
        for (unsigned other = 0; other < SHARES; other++)
            sum += sums[other][x];
    __syncthreads();
    return sum;
}

#endif
