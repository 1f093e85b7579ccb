/* SPDX-License-Identifier: Apache-2.0
 *
 * factor_gradient for cpu/x86-64-v4 and cpu/x86-64-v3: one source, compiled for each. D is read once and nothing is
 * read twice, so memory sets the pace; four rows at once keep the sums in G from being loaded and stored for every row.
 */
#include <rk/kernels/factor_gradient.h>

/* The four derivatives of one factor, anywhere in memory. */
typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));

rung_status RUNG_KERNEL(rk_factor_gradient)(const rung_ctx *cx, double *g, const double *d, const double *e, size_t n,
                                            size_t k)
{
    (void)cx;
    quad *sum = (quad *)g;
    const quad *d0 = (const quad *)d;
    size_t i = 0;
    for (; n - i >= 4; i += 4) {
        const quad *d1 = d0 + k, *d2 = d1 + k, *d3 = d2 + k;
        const double *e0 = e + i * k, *e1 = e0 + k, *e2 = e1 + k, *e3 = e2 + k;
        for (size_t j = 0; j < k; j++)
            sum[j] += (d0[j] * e0[j] + d1[j] * e1[j]) + (d2[j] * e2[j] + d3[j] * e3[j]);
        d0 = d3 + k;
    }
    for (; i < n; i++, d0 += k)
        for (size_t j = 0; j < k; j++)
            sum[j] += d0[j] * e[i * k + j];
    return RUNG_OK;
}
