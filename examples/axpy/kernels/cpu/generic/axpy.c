/* SPDX-License-Identifier: Apache-2.0 */
#include "ex/kernels/axpy.h"

rung_status ex_axpy__cpu_generic(const rung_ctx *cx, float *y, const float *x, size_t n, float a)
{
    (void)cx;
    for (size_t i = 0; i < n; i++)
        y[i] += a * x[i];
    return RUNG_OK;
}
