/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_sde.cuh: the end of flow_sde_step, for the kernels of every arch.
 */
#ifndef KERNELS_CUDA_FLOW_SDE_CUH
#define KERNELS_CUDA_FLOW_SDE_CUH

#include <stddef.h>

/* What the op answers beside y and mean, from the sum of the squares of (y - mean) / deviation. By one thread. */
static __device__ void flow_sde_answer(double *log_prob, double *e, double squares, size_t n, double deviation,
                                       double ln_deviation)
{
    const double half_ln_2pi = 0.918938533204672741780;
    *e = deviation;
    *log_prob = n > 0 ? -0.5 * (squares / (double)n) - ln_deviation - half_ln_2pi : 0.0;
}

#endif
