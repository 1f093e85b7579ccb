/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_tn: launches gemm.cu.
 */
#include "rk/kernels/gemm_tn.h"
#include "gemm_block.h"

rung_status RUNG_KERNEL(rk_gemm_tn)(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m, size_t n,
                                    size_t k, double alpha, double beta)
{
    return gemm_in_slices(cx, &RUNG_CELL(rk_gemm_tn), &block, c, a, b, m, n, k, alpha, beta);
}
