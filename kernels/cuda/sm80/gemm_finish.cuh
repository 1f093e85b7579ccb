/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_finish.cuh: how gemm_tn and gemm_nt in double end: elements of C from their sums, or from those of slices.
 */
#ifndef KERNELS_CUDA_SM80_GEMM_FINISH_CUH
#define KERNELS_CUDA_SM80_GEMM_FINISH_CUH

#include "slices.cuh"

/* c[at] = alpha sum + beta c[at]; c is not read where beta is 0. */
static __device__ void put(double *c, size_t at, double sum, double alpha, double beta)
{
    c[at] = beta == 0.0 ? alpha * sum : beta * c[at] + alpha * sum;
}

/* Every element of C from what `slices` of blocks have left in `partial`. */
static __device__ void finish(double *c, const double *partial, size_t elements, unsigned slices, double alpha,
                              double beta)
{
    const size_t step = (size_t)gridDim.x * AT_A_TIME;
    for (size_t first = (size_t)blockIdx.x * AT_A_TIME; first < elements; first += step) {
        const double sum = sum_of_slices(partial, elements, slices, first);
        if (threadIdx.x < AT_A_TIME && first + threadIdx.x < elements)
            put(c, first + threadIdx.x, sum, alpha, beta);
    }
}

#endif
