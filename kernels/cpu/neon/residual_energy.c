/* SPDX-License-Identifier: Apache-2.0
 *
 * residual_energy for cpu/neon. The tile of F W starts at -X, so that it ends as the residual (but for its sign, which
 * the square loses) and X is read once. The last columns, where there are fewer than 8, are done one by one.
 */
#include <rk/kernels/residual_energy.h>

#include "tile_neon.h"

/* Adds the squares of one tile of residuals to sum[r], two sums a row. x points at the tile, w at its columns. */
NEON_INLINE void add_tile(size_t rows, float64x2_t sum[NEON_ROWS], const float *x, const double *f, const double *w,
                          size_t k, size_t t)
{
    neon_operands o = {.a = f, .a_row = k, .a_step = 1, .b = w, .b_step = t, .depth = k};
    float64x2_t tile[NEON_ROWS][NEON_VECTORS];
    NEON_UNROLL
    for (size_t r = 0; r < NEON_ROWS; r++) {
        NEON_UNROLL
        for (size_t v = 0; v < NEON_VECTORS; v++)
            if (r < rows)
                tile[r][v] = vnegq_f64(vcvt_f64_f32(vld1_f32(x + r * t + NEON_LANES * v)));
    }
    neon_multiply(rows, &o, tile);
    NEON_UNROLL
    for (size_t r = 0; r < NEON_ROWS; r++) {
        NEON_UNROLL
        for (size_t v = 0; v < NEON_VECTORS; v++)
            if (r < rows)
                sum[r] = vfmaq_f64(sum[r], tile[r][v], tile[r][v]);
    }
}

static inline double add_column(double sum, const float *x, const double *f, const double *w, size_t k, size_t t)
{
    double residual = -(double)*x;
    for (size_t p = 0; p < k; p++)
        residual += f[p] * w[p * t];
    return sum + residual * residual;
}

NEON_INLINE void energy_rows(size_t rows, double *e, const float *x, const double *f, const double *w, size_t k,
                             size_t t)
{
    float64x2_t sum[NEON_ROWS];
    for (size_t r = 0; r < rows; r++)
        sum[r] = vdupq_n_f64(0.0);
    size_t j = 0;
    for (; t - j >= NEON_COLUMNS; j += NEON_COLUMNS)
        add_tile(rows, sum, x + j, f, w + j, k, t);
    for (size_t r = 0; r < rows; r++) {
        e[r] = vaddvq_f64(sum[r]);
        for (size_t q = j; q < t; q++)
            e[r] = add_column(e[r], x + r * t + q, f + r * k, w + q, k, t);
    }
}

rung_status rk_residual_energy__cpu_neon(const rung_ctx *cx, double *e, const float *x, const double *f,
                                         const double *w, size_t n, size_t k, size_t t)
{
    (void)cx;
    size_t i = 0;
    for (; n - i >= NEON_ROWS; i += NEON_ROWS)
        energy_rows(NEON_ROWS, e + i, x + i * t, f + i * k, w, k, t);
    for (; i < n; i++)
        energy_rows(1, e + i, x + i * t, f + i * k, w, k, t);
    return RUNG_OK;
}
