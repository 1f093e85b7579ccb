/* SPDX-License-Identifier: Apache-2.0
 *
 * ridge_solve on cpu/generic, the reference: Cholesky factorisation, forward and back substitution. Reads the lower
 * triangle of gram; chol is lower triangular with zeros above the diagonal. When a pivot is not positive and finite the
 * answer is RUNG_ERR_NUMERIC, and w and chol hold nothing of use.
 */
#include "rk/kernels/ridge_solve.h"

#include <math.h>

static int factorise(double *chol, const double *gram, double lambda, size_t k)
{
    for (size_t i = 0; i < k; i++) {
        double *row = chol + i * k;
        for (size_t j = 0; j <= i; j++) {
            const double *other = chol + j * k;
            double sum = gram[i * k + j];
            if (i == j)
                sum += lambda;
            for (size_t p = 0; p < j; p++)
                sum -= row[p] * other[p];
            if (i != j)
                row[j] = sum / other[j];
            else if (sum > 0.0 && isfinite(sum))
                row[i] = sqrt(sum);
            else
                return 0;
        }
        for (size_t j = i + 1; j < k; j++)
            row[j] = 0.0;
    }
    return 1;
}

/* w[i, :] -= factor w[j, :] */
static void subtract(double *w, size_t i, size_t j, size_t t, double factor)
{
    for (size_t p = 0; p < t; p++)
        w[i * t + p] -= factor * w[j * t + p];
}

static void divide(double *row, size_t t, double pivot)
{
    for (size_t p = 0; p < t; p++)
        row[p] /= pivot;
}

rung_status rk_ridge_solve__cpu_generic(const rung_ctx *cx, double *w, double *chol, const double *gram,
                                        const double *rhs, double lambda, size_t k, size_t t)
{
    (void)cx;
    if (!factorise(chol, gram, lambda, k))
        return RUNG_ERR_NUMERIC;
    for (size_t i = 0; i < k * t; i++)
        w[i] = rhs[i];
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < i; j++)
            subtract(w, i, j, t, chol[i * k + j]);
        divide(w + i * t, t, chol[i * k + i]);
    }
    for (size_t i = k; i-- > 0;) {
        for (size_t j = i + 1; j < k; j++)
            subtract(w, i, j, t, chol[j * k + i]);
        divide(w + i * t, t, chol[i * k + i]);
    }
    return RUNG_OK;
}
