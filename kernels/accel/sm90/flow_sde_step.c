/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_sde_step for accel/sm90: portable C in the manner of a device. Thread t of a "grid" of 128 takes the elements
 * t, t + 128, ... and adds up the squares of how many standard deviations they are away from the mean; the sums are
 * then reduced by halves.
 */
#include <rk/kernels/flow_sde_step.h>

#include <math.h>

enum { THREADS = 128 };

/* What all threads read: "constant memory". */
typedef struct step {
    double of_x, of_v; /* mean = of_x x + of_v v */
    double deviation;
} step;

static step step_of(double sigma_t, double sigma_n, double noise_scale)
{
    const double down = sigma_t - sigma_n;
    const double s = sigma_t < 0.9999 ? sigma_t : 0.9999;
    const double std = noise_scale * sqrt(s / (1.0 - s));
    const double variance = std * std;
    const double pull = variance / (s > 1e-6 ? 2.0 * s : 2e-6) * down;
    const double deviation = std * sqrt(down > 1e-12 ? down : 1e-12);
    return (step){
        .of_x = 1.0 - pull, .of_v = -(down + pull * (1.0 - s)), .deviation = deviation > 1e-6 ? deviation : 1e-6};
}

static double reduce(double sum[THREADS])
{
    for (size_t half = THREADS / 2; half > 0; half /= 2)
        for (size_t thread = 0; thread < half; thread++)
            sum[thread] += sum[thread + half];
    return sum[0];
}

rung_status rk_flow_sde_step__accel_sm90(const rung_ctx *cx, float *y, float *mean, double *log_prob, double *e,
                                         const float *x, const float *v, const float *noise, const float *sample,
                                         size_t n, double sigma_t, double sigma_n, double noise_scale)
{
    (void)cx;
    const step c = step_of(sigma_t, sigma_n, noise_scale);
    const double two_pi = 6.283185307179586477;
    double sum[THREADS] = {0.0};
    for (size_t i = 0; i < n; i++) {
        const double expected = c.of_v * v[i] + c.of_x * x[i];
        const double defined = expected - expected; /* 0, or not a number as the mean is */
        double drawn = expected, away = defined;
        if (sample != NULL) {
            drawn = sample[i];
            away = (drawn - expected) / c.deviation;
        } else if (noise != NULL) {
            drawn = c.deviation * noise[i] + expected;
            away = defined + noise[i];
        }
        sum[i % THREADS] += away * away;
        mean[i] = (float)expected;
        y[i] = (float)drawn;
    }
    *e = c.deviation;
    *log_prob = n == 0 ? 0.0 : -0.5 * (reduce(sum) / (double)n + log(two_pi * c.deviation * c.deviation));
    return RUNG_OK;
}
