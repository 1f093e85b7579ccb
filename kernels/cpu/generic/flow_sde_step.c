/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_sde_step on cpu/generic, the reference: the formulas of the registry as they stand there.
 */
#include "rk/kernels/flow_sde_step.h"

#include <math.h>

static const double half_ln_2pi = 0.918938533204672741780;

rung_status rk_flow_sde_step__cpu_generic(const rung_ctx *cx, float *y, float *mean, double *log_prob, double *e,
                                          const float *x, const float *v, const float *noise, const float *sample,
                                          size_t n, double sigma_t, double sigma_n, double noise_scale)
{
    (void)cx;
    const double dt = sigma_n - sigma_t;
    const double s = fmin(sigma_t, 0.9999);
    const double std = noise_scale * sqrt(s / (1.0 - s));
    const double d = 2.0 * fmax(s, 1e-6);
    const double of_x = 1.0 + std * std / d * dt;
    const double of_v = (1.0 + std * std * (1.0 - s) / d) * dt;
    const double deviation = fmax(std * sqrt(fmax(-dt, 1e-12)), 1e-6);
    double squares = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double expected = x[i] * of_x + v[i] * of_v;
        double drawn = expected;
        double away = expected - expected; /* in standard deviations; not a number where the mean is none */
        if (sample != NULL) {
            drawn = sample[i];
            away = (drawn - expected) / deviation;
        } else if (noise != NULL) { /* the noise itself: drawn - expected would cancel where the mean is large */
            drawn += deviation * noise[i];
            away += noise[i];
        }
        mean[i] = (float)expected;
        y[i] = (float)drawn;
        squares += away * away;
    }
    *e = deviation;
    *log_prob = 0.0;
    if (n > 0)
        *log_prob = -0.5 * (squares / (double)n) - log(deviation) - half_ln_2pi;
    return RUNG_OK;
}
