/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_match_step and flow_sde_step on cuda/generic: an element per thread and turn.
 */
#include "rung/kernel.h"

#include "../flow_sde.cuh"

enum { THREADS = 256 };

/* The product and the sum are rounded each: never fused. y may be x or v. */
RUNG_ENTRY void RUNG_KERNEL(rk_flow_match_step)(float *y, const float *x, const float *v, size_t n, float dt)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        y[i] = __fadd_rn(x[i], __fmul_rn(dt, v[i]));
}

/* The sum over the block, in thread 0; always in the same order. All threads take part. */
static __device__ double sum_of_block(double value)
{
    __shared__ double sums[THREADS];
    sums[threadIdx.x] = value;
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    return threadIdx.x == 0 ? sums[0] : 0.0;
}

/* Writes y and mean, and for each block the sum of the squares of (y - mean) / deviation. */
RUNG_ENTRY void RUNG_KERNEL_OF(rk_flow_sde_step, partial)(float *y, float *mean, double *partial, const float *x,
                                                          const float *v, const float *noise, const float *sample,
                                                          size_t n, double of_x, double of_v, double deviation)
{
    double squares = 0.0;
    const size_t step = (size_t)gridDim.x * THREADS;
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += step) {
        const double expected = x[i] * of_x + v[i] * of_v;
        double drawn = expected;
        double away = expected - expected; /* not a number where the mean is none */
        if (sample != nullptr) {
            drawn = sample[i];
            away = (drawn - expected) / deviation;
        } else if (noise != nullptr) { /* the noise itself: drawn - expected would cancel where the mean is large */
            drawn += deviation * noise[i];
            away += noise[i];
        }
        mean[i] = (float)expected;
        y[i] = (float)drawn;
        squares += away * away;
    }
    const double sum = sum_of_block(squares);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

/* One block: the sums of `blocks` blocks become the answer, always in the same order. */
RUNG_ENTRY void RUNG_KERNEL_OF(rk_flow_sde_step, finish)(double *log_prob, double *e, const double *partial,
                                                         unsigned blocks, size_t n, double deviation,
                                                         double ln_deviation)
{
    double squares = 0.0;
    for (unsigned i = threadIdx.x; i < blocks; i += THREADS)
        squares += partial[i];
    const double sum = sum_of_block(squares);
    if (threadIdx.x == 0)
        flow_sde_answer(log_prob, e, sum, n, deviation, ln_deviation);
}
