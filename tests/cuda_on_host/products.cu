/* SPDX-License-Identifier: Apache-2.0
 *
 * products.cu: c += a b of one tile with nvcuda::wmma, in every type and layout that on_host.h has, and with what it
 * has of mma.sync. One warp. Valid CUDA.
 */
#include <cuda_bf16.h>
#include <mma.h>

#include "rung/kernel.h"

#include "../../kernels/cuda/sm90a/mma.cuh"

template <int M, int N, int K, class T, class S, class La, class Lb>
static __device__ void
multiply(S *c, const typename nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, M, N, K, T, La>::storage_element_type *a,
         const typename nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, M, N, K, T, Lb>::storage_element_type *b,
         unsigned of_a, unsigned of_b, unsigned of_c, nvcuda::wmma::layout_t layout)
{
    using namespace nvcuda;
    wmma::fragment<wmma::matrix_a, M, N, K, T, La> left;
    wmma::fragment<wmma::matrix_b, M, N, K, T, Lb> right;
    wmma::fragment<wmma::accumulator, M, N, K, S> sum, old;
    wmma::fill_fragment(sum, S(0));
    wmma::load_matrix_sync(left, a, of_a);
    wmma::load_matrix_sync(right, b, of_b);
    wmma::load_matrix_sync(old, c, of_c, layout);
    wmma::mma_sync(sum, left, right, sum);
    for (int e = 0; e < sum.num_elements; e++)
        sum.x[e] += old.x[e];
    wmma::store_matrix_sync(c, sum, of_c, layout);
}

RUNG_ENTRY void RUNG_KERNEL_OF(products, bf16)(float *c, const __nv_bfloat16 *a, const __nv_bfloat16 *b)
{
    using namespace nvcuda::wmma;
    multiply<16, 16, 16, __nv_bfloat16, float, row_major, col_major>(c, a, b, 24, 32, 20, mem_row_major);
}

RUNG_ENTRY void RUNG_KERNEL_OF(products, tf32)(float *c, const float *a, const float *b)
{
    using namespace nvcuda::wmma;
    multiply<16, 16, 8, precision::tf32, float, col_major, row_major>(c, a, b, 16, 20, 16, mem_col_major);
}

RUNG_ENTRY void RUNG_KERNEL_OF(products, f64)(double *c, const double *a, const double *b)
{
    using namespace nvcuda::wmma;
    multiply<8, 8, 4, double, double, row_major, row_major>(c, a, b, 4, 8, 8, mem_row_major);
}

/* c [16][8] += a [16][8] b [8][8] */
RUNG_ENTRY void RUNG_KERNEL_OF(products, f64_16x8x8)(double *c, const double *a, const double *b)
{
    const unsigned group = threadIdx.x / 4, in_group = threadIdx.x % 4;
    double left[4], right[2], sums[4];
    for (unsigned e = 0; e < 4; e++) {
        left[e] = a[(group + e % 2 * 8) * 8 + in_group + e / 2 * 4];
        sums[e] = c[(group + e / 2 * 8) * 8 + in_group * 2 + e % 2];
    }
    for (unsigned e = 0; e < 2; e++)
        right[e] = b[(in_group + e * 4) * 8 + group];
    mma_add(sums, left, right);
    for (unsigned e = 0; e < 4; e++)
        c[(group + e / 2 * 8) * 8 + in_group * 2 + e % 2] = sums[e];
}

RUNG_ENTRY void RUNG_KERNEL_OF(products, round)(float *x, unsigned n)
{
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
        x[i] = nvcuda::wmma::__float_to_tf32(x[i]);
}
