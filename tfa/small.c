/* SPDX-License-Identifier: Apache-2.0
 *
 * small.c: symmetric matrices of one factor's four parameters.
 */
#include "internal.h"

#include <math.h>

bool rung_tfa_cholesky4(double *a, double least)
{
    double top = fmax(fmax(a[0], a[5]), fmax(a[10], a[15]));
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = a[4 * i + j];
            for (size_t p = 0; p < j; p++)
                sum -= a[4 * i + p] * a[4 * j + p];
            if (i != j)
                a[4 * i + j] = sum / a[4 * j + j];
            else if (sum > least * top)
                a[4 * i + i] = sqrt(sum);
            else
                return false;
        }
    }
    return true;
}

void rung_tfa_solve4(const double *l, const double *b, double *x)
{
    for (size_t i = 0; i < 4; i++) {
        double sum = b[i];
        for (size_t p = 0; p < i; p++)
            sum -= l[4 * i + p] * x[p];
        x[i] = sum / l[5 * i];
    }
    for (size_t i = 4; i-- > 0;) {
        double sum = x[i];
        for (size_t p = i + 1; p < 4; p++)
            sum -= l[4 * p + i] * x[p];
        x[i] = sum / l[5 * i];
    }
}
