/* SPDX-License-Identifier: Apache-2.0
 *
 * ridge_solve on cpu/generic, variant openblas: LAPACK's dpotrf, then two triangular solves. Same contract as the
 * reference: reads the lower triangle of gram, zeros above the diagonal of chol.
 */
#include "rk/kernels/ridge_solve.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>

/* OpenBLAS has LAPACK inside, but Debian ships its LAPACK header in another package. The last argument is the length of
 * the first, as Fortran passes it. */
extern void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_length);

static void copy_lower(double *chol, const double *gram, double lambda, size_t k)
{
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            chol[i * k + j] = j < i ? gram[i * k + j] : j == i ? gram[i * k + i] + lambda : 0.0;
}

static int all_finite(const double *chol, size_t k)
{
    for (size_t i = 0; i < k * k; i++)
        if (!isfinite(chol[i]))
            return 0;
    return 1;
}

rung_status rk_ridge_solve__cpu_generic__openblas(const rung_ctx *cx, double *w, double *chol, const double *gram,
                                                  const double *rhs, double lambda, size_t k, size_t t)
{
    (void)cx;
    if (k > INT_MAX || t > INT_MAX)
        return RUNG_ERR_ARGUMENT;
    if (k == 0)
        return RUNG_OK;
    copy_lower(chol, gram, lambda, k);
    if (!all_finite(chol, k))
        return RUNG_ERR_NUMERIC;
    int n = (int)k, info = 0;
    dpotrf_("U", &n, chol, &n, &info, 1); /* the upper triangle by columns is the lower one by rows */
    if (info != 0 || !all_finite(chol, k))
        return RUNG_ERR_NUMERIC;
    for (size_t i = 0; i < k * t; i++)
        w[i] = rhs[i];
    if (t == 0)
        return RUNG_OK;
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, (int)t, 1.0, chol, n, w, (int)t);
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, n, (int)t, 1.0, chol, n, w, (int)t);
    return RUNG_OK;
}
