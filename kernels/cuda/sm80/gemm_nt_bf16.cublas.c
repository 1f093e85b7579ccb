/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_nt_bf16, variant cublas. From sm80 on, as the library has it.
 */
#include "rk/kernels/gemm_nt_bf16.h"
#include "../cublas.h"

rung_status RUNG_KERNEL_OF(rk_gemm_nt_bf16, cublas)(const rung_ctx *cx, float *c, const uint16_t *a, const uint16_t *b,
                                                    size_t m, size_t n, size_t k, float alpha, float beta)
{
    const cublas_product product = {false, m, n, k, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, &alpha, &beta};
    return cublas_multiply(cx, &product, c, a, b);
}
