/* SPDX-License-Identifier: Apache-2.0
 *
 * residual_energy for accel/sm80: portable C in the manner of a device. A "block" takes 8 rows and walks over the
 * columns in "warps" of 32: each lane keeps the residuals of its column for the 8 rows, and the squares are reduced
 * over the lanes.
 */
#include <rk/kernels/residual_energy.h>

enum { ROWS = 8, WARP = 32 };

/* residual[r][lane] = x - (f w) for `rows` rows and `lanes` columns */
static void residuals(double residual[ROWS][WARP], const float *x, const double *f, const double *w, size_t rows,
                      size_t lanes, size_t k, size_t t)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t lane = 0; lane < lanes; lane++)
            residual[r][lane] = x[r * t + lane];
    for (size_t p = 0; p < k; p++)
        for (size_t r = 0; r < rows; r++)
            for (size_t lane = 0; lane < lanes; lane++)
                residual[r][lane] -= f[r * k + p] * w[p * t + lane];
}

/* Sum of squares over the lanes, by halves as warps do it. */
static double reduce(const double residual[WARP], size_t lanes)
{
    double square[WARP];
    for (size_t lane = 0; lane < WARP; lane++)
        square[lane] = lane < lanes ? residual[lane] * residual[lane] : 0.0;
    for (size_t half = WARP / 2; half > 0; half /= 2)
        for (size_t lane = 0; lane < half; lane++)
            square[lane] += square[lane + half];
    return square[0];
}

rung_status rk_residual_energy__accel_sm80(const rung_ctx *cx, double *e, const float *x, const double *f,
                                           const double *w, size_t n, size_t k, size_t t)
{
    (void)cx;
    double residual[ROWS][WARP]; /* 2 KB */
    for (size_t i = 0; i < n; i += ROWS) {
        size_t rows = n - i < ROWS ? n - i : ROWS;
        for (size_t r = 0; r < rows; r++)
            e[i + r] = 0.0;
        for (size_t j = 0; j < t; j += WARP) {
            size_t lanes = t - j < WARP ? t - j : WARP;
            residuals(residual, x + i * t + j, f + i * k, w + j, rows, lanes, k, t);
            for (size_t r = 0; r < rows; r++)
                e[i + r] += reduce(residual[r], lanes);
        }
    }
    return RUNG_OK;
}
