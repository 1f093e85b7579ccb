/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_nt on cpu/generic, variant openblas.
 */
#include "rk/kernels/gemm_nt.h"

#include <cblas.h>
#include <limits.h>

rung_status rk_gemm_nt__cpu_generic__openblas(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m,
                                              size_t n, size_t k, double alpha, double beta)
{
    (void)cx;
    if (m > INT_MAX || n > INT_MAX || k > INT_MAX)
        return RUNG_ERR_ARGUMENT;
    if (m == 0 || n == 0)
        return RUNG_OK;
    int lead = k > 0 ? (int)k : 1; /* a leading dimension of 0 is not legal */
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)m, (int)n, (int)k, alpha, a, lead, b, lead, beta, c,
                (int)n);
    return RUNG_OK;
}
