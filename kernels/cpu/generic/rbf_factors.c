/* SPDX-License-Identifier: Apache-2.0
 *
 * rbf_factors on cpu/generic, the reference: f = exp(-q / (2 s^2)), q the squared distance to the centre; by centre its
 * derivative is f (r - c) / s^2, by width f q / s^3.
 */
#include "rk/kernels/rbf_factors.h"

#include <math.h>

rung_status rk_rbf_factors__cpu_generic(const rung_ctx *cx, double *f, double *d, const double *xyz,
                                        const double *theta, size_t n, size_t k)
{
    (void)cx;
    for (size_t i = 0; i < n; i++) {
        const double *r = xyz + 3 * i;
        for (size_t j = 0; j < k; j++) {
            const double *c = theta + 4 * j;
            double x = r[0] - c[0], y = r[1] - c[1], z = r[2] - c[2];
            double q = x * x + y * y + z * z, s2 = c[3] * c[3];
            double value = exp(-q / (2.0 * s2));
            f[i * k + j] = value;
            if (d != NULL) {
                double *out = d + 4 * (i * k + j), by = value / s2;
                out[0] = by * x;
                out[1] = by * y;
                out[2] = by * z;
                out[3] = by * q / c[3];
            }
        }
    }
    return RUNG_OK;
}
