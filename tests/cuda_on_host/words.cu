/* SPDX-License-Identifier: Apache-2.0
 *
 * words.cu: kernels that use the words of on_host.h, each checked by test_words.c. Valid CUDA.
 */
#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <stdint.h>

#include "rung/kernel.h"

__constant__ float powers[4] = {1.0F, 10.0F, 100.0F, 1000.0F};

static __device__ __forceinline__ unsigned linear()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/* out[block][thread] = a number that tells every index and extent. */
RUNG_ENTRY void __launch_bounds__(64) RUNG_KERNEL_OF(words, index)(unsigned *__restrict__ out, unsigned threads)
{
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    out[block * threads + linear()] = block * 10000U + linear() * 10U + (unsigned)warpSize / 32U;
}

/* Reverses a block through shared memory; `wait` 0: without the barrier. */
RUNG_ENTRY void RUNG_KERNEL_OF(words, reverse)(float *out, const float *in, int wait)
{
    __shared__ float tile[256];
    tile[threadIdx.x] = in[threadIdx.x];
    if (wait)
        __syncthreads();
    out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

/* The same through dynamic shared memory; `past`: how many floats behind its end are written. */
RUNG_ENTRY void RUNG_KERNEL_OF(words, dynamic)(float *out, const float *in, unsigned past)
{
    RUNG_DYNAMIC_SHARED(float, tile);
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
    if (threadIdx.x < past)
        tile[blockDim.x + threadIdx.x] = 0.0F;
}

/* out[thread] = what nobody has written, then what the block before left. */
RUNG_ENTRY void RUNG_KERNEL_OF(words, unwritten)(unsigned *out)
{
    __shared__ unsigned tile[32];
    RUNG_DYNAMIC_SHARED(unsigned, more);
    out[(blockIdx.x * 2U + 0U) * 32U + threadIdx.x] = tile[threadIdx.x];
    out[(blockIdx.x * 2U + 1U) * 32U + threadIdx.x] = more[threadIdx.x];
    tile[threadIdx.x] = more[threadIdx.x] = 7;
}

RUNG_ENTRY void RUNG_KERNEL_OF(words, counts)(int *out)
{
    const int odd = (int)(threadIdx.x % 2U);
    const int n = __syncthreads_count(odd), any = __syncthreads_or(threadIdx.x == 77U);
    const int all = __syncthreads_and(threadIdx.x < 1000U), none = __syncthreads_and(odd);
    out[threadIdx.x] = n * 8 + any * 4 + all * 2 + none;
}

/* Barriers that not all threads reach: 0 some have returned, 1 at two lines, 2 in a warp, 3 a mask that lacks its lane,
 * 4 masks that do not agree, 5 lanes at two lines, 6 __trap, 7 a copy that is not waited for. */
RUNG_ENTRY void RUNG_KERNEL_OF(words, diverge)(int *out, int how)
{
    __shared__ __align__(16) int copied[4];
    const bool low = threadIdx.x < 16U;
    if (how == 0 && low)
        return;
    if (how == 0)
        __syncthreads();
    if (how == 1 && low)
        __syncthreads();
    else if (how == 1)
        __syncthreads();
    if (how == 2 && low)
        __syncwarp();
    else if (how == 2)
        __syncthreads();
    if (how == 3)
        __syncwarp(1U);
    if (how == 4)
        __syncwarp(low ? 0xffffU : 0xffffffffU);
    if (how == 4)
        __syncthreads();
    if (how == 5 && low)
        __syncwarp();
    else if (how == 5)
        __syncwarp();
    if (how == 6)
        __trap();
    if (how == 7)
        __pipeline_memcpy_async(&copied[threadIdx.x % 4U], &out[threadIdx.x % 4U], 4);
    out[threadIdx.x] = how;
}

/* ---- warps ------------------------------------------------------------------------------------------------------- */

/* out[word][thread] */
RUNG_ENTRY void RUNG_KERNEL_OF(words, warp)(int *out)
{
    const unsigned all = 0xffffffffU, lane = threadIdx.x % 32U;
    const int v = (int)threadIdx.x;
    int *to = out + threadIdx.x;
    const unsigned n = blockDim.x;
    to[0 * n] = __shfl_sync(all, v, 5);
    to[1 * n] = __shfl_sync(all, v, 1, 8);
    to[2 * n] = __shfl_up_sync(all, v, 3);
    to[3 * n] = __shfl_up_sync(all, v, 3, 8);
    to[4 * n] = __shfl_down_sync(all, v, 3);
    to[5 * n] = __shfl_down_sync(all, v, 3, 8);
    to[6 * n] = __shfl_xor_sync(all, v, 16);
    to[7 * n] = __shfl_xor_sync(all, v, 12, 8);
    to[8 * n] = (int)__ballot_sync(all, lane % 3U == 0U);
    to[9 * n] = __any_sync(all, lane == 31U) * 2 + __any_sync(all, 0);
    to[10 * n] = __all_sync(all, 1) * 2 + __all_sync(all, lane != 31U);
    to[11 * n] = (int)(__activemask() >> lane & 1U);
    __syncwarp();
    /* halves of a warp on their own, and values of eight bytes */
    const double d = __shfl_xor_sync(lane < 16U ? 0xffffU : 0xffff0000U, v * 0.5, 1);
    to[12 * n] = (int)(d * 2.0);
    const long long l = __shfl_down_sync(all, (long long)v << 32, 1);
    to[13 * n] = (int)(l >> 32);
}

/* A sum over 20 lanes, of which the last twelve are not there; from: the lane that all read. */
RUNG_ENTRY void RUNG_KERNEL_OF(words, partial)(unsigned *out, int from)
{
    out[threadIdx.x] = __shfl_sync(0xffffffffU, threadIdx.x, from);
}

#if __CUDA_ARCH__ >= 800
RUNG_ENTRY void RUNG_KERNEL_OF(words, reduce)(unsigned *out)
{
    out[0 * blockDim.x + threadIdx.x] = __reduce_add_sync(0xffffffffU, threadIdx.x);
    out[1 * blockDim.x + threadIdx.x] = __reduce_max_sync(0xffffffffU, threadIdx.x);
    out[2 * blockDim.x + threadIdx.x] = __reduce_min_sync(0xffffffffU, threadIdx.x);
    out[3 * blockDim.x + threadIdx.x] = __reduce_or_sync(0xffffffffU, threadIdx.x);
}
#endif

/* ---- atomics ----------------------------------------------------------------------------------------------------- */

struct words_sums {
    int i, i_max, i_min, i_sub;
    unsigned u, u_max, u_min, u_inc, u_or, u_and, u_xor, u_exch, u_cas;
    unsigned long long l, l_max, l_cas;
    float f;
    double d;
};

RUNG_ENTRY void RUNG_KERNEL_OF(words, atomics)(words_sums *s)
{
    const unsigned t = threadIdx.x;
    atomicAdd(&s->i, -(int)t);
    atomicMax(&s->i_max, (int)t);
    atomicMin(&s->i_min, -(int)t);
    atomicSub(&s->i_sub, 1);
    atomicAdd(&s->u, t);
    atomicMax(&s->u_max, t);
    atomicMin(&s->u_min, t + 3U);
    atomicInc(&s->u_inc, 9U);
    atomicOr(&s->u_or, 1U << t % 32U);
    atomicAnd(&s->u_and, ~(1U << t % 32U));
    atomicXor(&s->u_xor, t);
    if (t == 0U)
        atomicExch(&s->u_exch, 5U);
    atomicCAS(&s->u_cas, t, t + 1U);
    atomicAdd(&s->l, 1ULL << 33);
    atomicMax(&s->l_max, (unsigned long long)t << 40);
    atomicCAS(&s->l_cas, 0ULL, 1ULL);
    atomicAdd(&s->f, 0.5F);
    atomicAdd(&s->d, 0.25);
    __threadfence();
    __threadfence_block();
    __threadfence_system();
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

RUNG_ENTRY void RUNG_KERNEL_OF(words, numbers)(double *out, float x, double y)
{
    int i = 0;
    out[i++] = __fmul_rn(x, 3.0F);
    out[i++] = __fadd_rn(x, 1e-8F);
    out[i++] = __fmaf_rn(x, x, -1.0F);
    out[i++] = __dmul_rn(y, 3.0);
    out[i++] = __dadd_rn(y, 1e-17);
    out[i++] = __fma_rn(y, y, -1.0);
    out[i++] = fma(y, y, -1.0);
    out[i++] = fmaf(x, x, -1.0F);
    out[i++] = rsqrtf(4.0F);
    out[i++] = __uint_as_float(__float_as_uint(x) + 1U);
    out[i++] = __int_as_float(__float_as_int(-x));
    out[i++] = __longlong_as_double(__double_as_longlong(y) + 1);
    out[i++] = __expf(0.0F) + expf(0.0F) + exp(0.0F) + __logf(1.0F);
    out[i++] = max(3, 5) + min(2.5F, 7.0F) + fmaxf(1.0F, 2.0F) + max(1U, 2U);
    out[i++] = __popc(0xf0fU) * 100 + __clz(1) + __ffs(8);
    out[i++] = __brev(1U);
    out[i++] = __umulhi(0x80000000U, 6U);
    out[i++] = sqrtf(9.0F) + sqrt(16.0) + __fsqrt_rn(25.0F) + __fdividef(1.0F, 4.0F) + __frcp_rn(8.0F);
    out[i++] = __float2int_rn(2.5F) * 10 + __float2int_rz(-2.5F);
    out[i++] = __saturatef(3.0F) + __saturatef(-1.0F);
    out[i++] = powers[2];
}

RUNG_ENTRY void RUNG_KERNEL_OF(words, vectors)(float4 *out, const float4 *in, const double2 *pairs, const uint4 *words)
{
    const float4 v = __ldg(in);
    const double2 p = __ldg(pairs);
    const uint4 w = *words;
    const float2 f = make_float2(v.x, v.y);
    const int4 i = make_int4((int)w.x, (int)w.y, (int)w.z, (int)w.w);
    out[0] = make_float4(v.w, v.z, f.y, f.x);
    out[1] = make_float4((float)p.x, (float)p.y, (float)(i.x + i.y), (float)(i.z + i.w));
    __stcs(&out[2], v);
}

RUNG_ENTRY void RUNG_KERNEL_OF(words, bf16)(uint16_t *out, float *back, const float *in, unsigned n)
{
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
        const __nv_bfloat16 b = __float2bfloat16(in[i]);
        out[i] = __bfloat16_as_ushort(b);
        back[i] = __bfloat162float(b);
    }
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

/* out[0..n): read after the wait, out[n..2n): before it. Two batches, the second still on its way: out[2n..3n). */
RUNG_ENTRY void RUNG_KERNEL_OF(words, copies)(float *out, const float *in)
{
    __shared__ float first[32], second[32];
    const unsigned t = threadIdx.x, n = 32U;
    __pipeline_memcpy_async(&first[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&second[t], &in[n + t], 4);
    __pipeline_commit();
    out[n + t] = first[t];
    __pipeline_wait_prior(1);
    out[t] = first[t];
    out[2U * n + t] = second[t];
    __pipeline_wait_prior(0);
    out[3U * n + t] = second[t];
}

/* Writes where it is told: at memory that is not the kernel's too. */
RUNG_ENTRY void RUNG_KERNEL_OF(words, write)(int *at, unsigned threads)
{
    if (threadIdx.x < threads)
        at[threadIdx.x] = 1;
}

/* y = a x */
RUNG_ENTRY void RUNG_KERNEL_OF(words, scale)(float *y, const float *x, unsigned n, float a)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i];
}
