/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_tn, variant cublas.
 */
#include "rk/kernels/gemm_tn.h"
#include "../cublas.h"

rung_status RUNG_KERNEL_OF(rk_gemm_tn, cublas)(const rung_ctx *cx, double *c, const double *a, const double *b,
                                               size_t m, size_t n, size_t k, double alpha, double beta)
{
    const cublas_product product = {true, m, n, k, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, &alpha, &beta};
    return cublas_multiply(cx, &product, c, a, b);
}
