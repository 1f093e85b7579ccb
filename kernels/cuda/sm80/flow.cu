/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_match_step and flow_sde_step from sm80 on: bound by memory, so four elements in one access of 16 bytes wherever
 * all arrays are aligned to that, one at a time otherwise and at the end. Every element goes through the same
 * arithmetic in both cases.
 */
#include <stdint.h>

#include "rung/kernel.h"

#include "../flow_sde.cuh"

enum { THREADS = 256, WARP = 32, EACH = 4 };

/* NULL, an array that is not given, is as good as aligned. */
static __device__ bool aligned16(const void *array)
{
    return (uintptr_t)array % 16 == 0;
}

/* ---- flow_match_step --------------------------------------------------------------------------------------------- */

/* The product and the sum are rounded each: never fused. */
static __device__ float match(float x, float v, float dt)
{
    return __fadd_rn(x, __fmul_rn(dt, v));
}

/* y may be x or v. */
RUNG_ENTRY void RUNG_KERNEL(rk_flow_match_step)(float *y, const float *x, const float *v, size_t n, float dt)
{
    const size_t step = (size_t)gridDim.x * THREADS, first = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t fours = aligned16(y) && aligned16(x) && aligned16(v) ? n / EACH : 0;
    for (size_t i = first; i < fours; i += step) {
        const float4 a = reinterpret_cast<const float4 *>(x)[i], b = reinterpret_cast<const float4 *>(v)[i];
        reinterpret_cast<float4 *>(y)[i] =
            make_float4(match(a.x, b.x, dt), match(a.y, b.y, dt), match(a.z, b.z, dt), match(a.w, b.w, dt));
    }
    for (size_t i = EACH * fours + first; i < n; i += step)
        y[i] = match(x[i], v[i], dt);
}

/* ---- flow_sde_step ----------------------------------------------------------------------------------------------- */

struct sde {
    double of_x, of_v, deviation;
};

/* What is made of one element: the square of (y - mean) / deviation is the answer. */
template <bool SAMPLED, bool NOISY>
static __device__ double draw(const sde &s, float x, float v, float given, float &y, float &mean)
{
    const double expected = x * s.of_x + v * s.of_v;
    double drawn = expected;
    double away = expected - expected; /* not a number where the mean is none */
    if (SAMPLED) {
        drawn = given;
        away = (drawn - expected) / s.deviation;
    } else if (NOISY) { /* the noise itself: drawn - expected would cancel where the mean is large */
        drawn += s.deviation * given;
        away += given;
    }
    mean = (float)expected;
    y = (float)drawn;
    return away * away;
}

/* The squares of this thread's elements. `given`: the sample, the noise, or NULL. */
template <bool SAMPLED, bool NOISY>
static __device__ double draw_all(const sde &s, float *y, float *mean, const float *x, const float *v,
                                  const float *given, size_t n)
{
    constexpr bool GIVEN = SAMPLED || NOISY;
    const size_t step = (size_t)gridDim.x * THREADS, first = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const bool aligned = aligned16(y) && aligned16(mean) && aligned16(x) && aligned16(v) && aligned16(given);
    const size_t fours = aligned ? n / EACH : 0;
    double squares = 0.0;
    for (size_t i = first; i < fours; i += step) {
        const float4 a = reinterpret_cast<const float4 *>(x)[i], b = reinterpret_cast<const float4 *>(v)[i];
        const float4 g = GIVEN ? reinterpret_cast<const float4 *>(given)[i] : make_float4(0.0F, 0.0F, 0.0F, 0.0F);
        float4 drawn, expected;
        squares += draw<SAMPLED, NOISY>(s, a.x, b.x, g.x, drawn.x, expected.x);
        squares += draw<SAMPLED, NOISY>(s, a.y, b.y, g.y, drawn.y, expected.y);
        squares += draw<SAMPLED, NOISY>(s, a.z, b.z, g.z, drawn.z, expected.z);
        squares += draw<SAMPLED, NOISY>(s, a.w, b.w, g.w, drawn.w, expected.w);
        reinterpret_cast<float4 *>(y)[i] = drawn;
        reinterpret_cast<float4 *>(mean)[i] = expected;
    }
    for (size_t i = EACH * fours + first; i < n; i += step)
        squares += draw<SAMPLED, NOISY>(s, x[i], v[i], GIVEN ? given[i] : 0.0F, y[i], mean[i]);
    return squares;
}

/* The sum over the block, in thread 0; always in the same order. All threads take part. */
static __device__ double sum_of_block(double value)
{
    __shared__ double of_warp[THREADS / WARP];
    for (unsigned half = WARP / 2; half > 0; half /= 2)
        value += __shfl_down_sync(0xffffffffU, value, half);
    if (threadIdx.x % WARP == 0)
        of_warp[threadIdx.x / WARP] = value;
    __syncthreads();
    double sum = 0.0;
    if (threadIdx.x == 0)
        for (unsigned i = 0; i < THREADS / WARP; i++)
            sum += of_warp[i];
    return sum;
}

/* Writes y and mean, and the sum of squares of each block. y and mean may be any of the inputs, each another one. */
RUNG_ENTRY void RUNG_KERNEL_OF(rk_flow_sde_step, partial)(float *y, float *mean, double *partial, const float *x,
                                                          const float *v, const float *noise, const float *sample,
                                                          size_t n, double of_x, double of_v, double deviation)
{
    const sde s = {of_x, of_v, deviation};
    double squares;
    if (sample != nullptr)
        squares = draw_all<true, false>(s, y, mean, x, v, sample, n);
    else if (noise != nullptr)
        squares = draw_all<false, true>(s, y, mean, x, v, noise, n);
    else
        squares = draw_all<false, false>(s, y, mean, x, v, nullptr, n);
    const double sum = sum_of_block(squares);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

/* One block. */
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
