/* SPDX-License-Identifier: Apache-2.0
 *
 * factor_gradient on cpu/generic, the reference.
 */
#include "rk/kernels/factor_gradient.h"

rung_status rk_factor_gradient__cpu_generic(const rung_ctx *cx, double *g, const double *d, const double *e, size_t n,
                                            size_t k)
{
    (void)cx;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++)
            for (size_t p = 0; p < 4; p++)
                g[4 * j + p] += d[4 * (i * k + j) + p] * e[i * k + j];
    return RUNG_OK;
}
