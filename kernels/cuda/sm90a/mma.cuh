/* SPDX-License-Identifier: Apache-2.0
 *
 * mma.cuh: a step of sm90's tensor cores in double, 16 by 8 elements of 8 terms. nvcuda::wmma has none but sm80's, 8 by
 * 8 of 4.
 */
#ifndef KERNELS_CUDA_SM90A_MMA_CUH
#define KERNELS_CUDA_SM90A_MMA_CUH

/* d += a b, by all lanes of a warp. A lane, with g = lane / 4 and t = lane % 4, holds of the factors a[i], row
 * g + i % 2 * 8 and term t + i / 2 * 4, and b[i], term t + i * 4 and column g; of the sums d[i], row g + i / 2 * 8 and
 * column t * 2 + i % 2 (PTX ISA 9.0, "Matrix Fragments for mma.m16n8k8", .f64). */
static __device__ void mma_add(double d[4], const double a[4], const double b[2])
{
#ifdef RUNG_ON_HOST
    rung_on_host::mma_m16n8k8(d, a, b);
#else
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#endif
}

#endif
