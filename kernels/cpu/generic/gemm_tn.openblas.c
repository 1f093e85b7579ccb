/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_tn on cpu/generic, variant openblas.
 */
#include "rk/kernels/gemm_tn.h"

#include <cblas.h>
#include <limits.h>

rung_status rk_gemm_tn__cpu_generic__openblas(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m,
                                              size_t n, size_t k, double alpha, double beta)
{
    (void)cx;
    if (m > INT_MAX || n > INT_MAX || k > INT_MAX)
        return RUNG_ERR_ARGUMENT;
    if (m == 0 || n == 0)
        return RUNG_OK;
    /* with k = 0 nothing is added, but the leading dimensions still have to be legal */
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)m, (int)n, (int)k, alpha, a, (int)m, b, (int)n, beta, c,
                (int)n);
    return RUNG_OK;
}
