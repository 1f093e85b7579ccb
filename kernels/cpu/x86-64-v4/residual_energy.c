/* SPDX-License-Identifier: Apache-2.0
 *
 * residual_energy for cpu/x86-64-v4. The tile of F W starts at -X, so that it ends as the residual (but for its sign,
 * which the square loses) and X is read once. Eight partial sums a row are kept over the tiles.
 */
#include <rk/kernels/residual_energy.h>

#include "tile_v4.h"

/* Adds the squares of one tile of residuals to partial[r], eight sums a row. x points at the tile, w at its columns. */
V4_INLINE void add_tile(size_t rows, size_t vectors, __mmask8 last, __m512d partial[V4_ROWS], const float *x,
                        const double *f, const double *w, size_t k, size_t t)
{
    v4_operands o = {.a = f, .a_row = k, .a_step = 1, .b = w, .b_step = t, .depth = k, .last = last};
    __m512d tile[V4_ROWS][V4_VECTORS];
    V4_UNROLL
    for (size_t r = 0; r < V4_ROWS; r++) {
        V4_UNROLL
        for (size_t v = 0; v < V4_VECTORS; v++) {
            if (r < rows && v < vectors) {
                __m256 xv = _mm256_maskz_loadu_ps(v4_mask(v, vectors, last), x + r * t + V4_LANES * v);
                tile[r][v] = _mm512_sub_pd(_mm512_setzero_pd(), _mm512_cvtps_pd(xv));
            }
        }
    }
    v4_multiply(rows, vectors, false, &o, tile);
    V4_UNROLL
    for (size_t r = 0; r < V4_ROWS; r++) {
        V4_UNROLL
        for (size_t v = 0; v < V4_VECTORS; v++) /* masked: an infinite f makes NaN in the lanes that are no columns */
            if (r < rows && v < vectors)
                partial[r] = _mm512_mask3_fmadd_pd(tile[r][v], tile[r][v], partial[r], v4_mask(v, vectors, last));
    }
}

V4_INLINE void energy_rows(size_t rows, double *e, const float *x, const double *f, const double *w, size_t k, size_t t)
{
    __m512d partial[V4_ROWS];
    for (size_t r = 0; r < rows; r++)
        partial[r] = _mm512_setzero_pd();
    for (size_t j = 0; j < t; j += V4_COLUMNS) {
        size_t columns = t - j < V4_COLUMNS ? t - j : V4_COLUMNS;
        size_t vectors = (columns + V4_LANES - 1) / V4_LANES;
        __mmask8 last = v4_last_mask(columns);
        if (vectors == 3)
            add_tile(rows, 3, last, partial, x + j, f, w + j, k, t);
        else if (vectors == 2)
            add_tile(rows, 2, last, partial, x + j, f, w + j, k, t);
        else
            add_tile(rows, 1, last, partial, x + j, f, w + j, k, t);
    }
    for (size_t r = 0; r < rows; r++)
        e[r] = _mm512_reduce_add_pd(partial[r]);
}

rung_status rk_residual_energy__cpu_x86_64_v4(const rung_ctx *cx, double *e, const float *x, const double *f,
                                              const double *w, size_t n, size_t k, size_t t)
{
    (void)cx;
    size_t i = 0;
    for (; n - i >= V4_ROWS; i += V4_ROWS)
        energy_rows(V4_ROWS, e + i, x + i * t, f + i * k, w, k, t);
    for (; n - i >= 2; i += 2)
        energy_rows(2, e + i, x + i * t, f + i * k, w, k, t);
    if (i < n)
        energy_rows(1, e + i, x + i * t, f + i * k, w, k, t);
    return RUNG_OK;
}
