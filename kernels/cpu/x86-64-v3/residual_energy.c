/* SPDX-License-Identifier: Apache-2.0
 *
 * residual_energy for cpu/x86-64-v3. The tile of F W starts at -X, so that it ends as the residual (but for its sign,
 * which the square loses) and X is read once. Four partial sums a row are kept over the tiles.
 */
#include <rk/kernels/residual_energy.h>

#include "tile_v3.h"

/* Four floats as doubles; of the last vector of a partial tile, only the lanes of `last`. */
V3_INLINE __m256d load_floats(const float *x, bool masked, __m256i last)
{
    if (!masked)
        return _mm256_cvtps_pd(_mm_loadu_ps(x));
    const __m256i low_halves = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    __m128i mask = _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(last, low_halves));
    return _mm256_cvtps_pd(_mm_maskload_ps(x, mask));
}

/* Adds the squares of one tile of residuals to partial[r], four sums a row. x points at the tile, w at its columns. */
V3_INLINE void add_tile(size_t rows, size_t vectors, bool partial, __m256i last, __m256d sum[V3_ROWS], const float *x,
                        const double *f, const double *w, size_t k, size_t t)
{
    v3_operands o = {.a = f, .a_row = k, .a_step = 1, .b = w, .b_step = t, .depth = k, .last = last};
    __m256d tile[V3_ROWS][V3_VECTORS];
    V3_UNROLL
    for (size_t r = 0; r < V3_ROWS; r++) {
        V3_UNROLL
        for (size_t v = 0; v < V3_VECTORS; v++) {
            if (r < rows && v < vectors)
                tile[r][v] = _mm256_sub_pd(_mm256_setzero_pd(),
                                           load_floats(x + r * t + V3_LANES * v, partial && v + 1 == vectors, last));
        }
    }
    v3_multiply(rows, vectors, partial, &o, tile);
    V3_UNROLL
    for (size_t r = 0; r < V3_ROWS; r++) {
        V3_UNROLL
        for (size_t v = 0; v < V3_VECTORS; v++) {
            if (r < rows && v < vectors) {
                __m256d residual = tile[r][v];
                if (partial && v + 1 == vectors) /* an infinite f makes NaN in the lanes that are no columns */
                    residual = _mm256_and_pd(residual, _mm256_castsi256_pd(last));
                sum[r] = _mm256_fmadd_pd(residual, residual, sum[r]);
            }
        }
    }
}

V3_INLINE double sum_of_lanes(__m256d v)
{
    __m128d pair = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)));
}

V3_INLINE void energy_rows(size_t rows, double *e, const float *x, const double *f, const double *w, size_t k, size_t t)
{
    __m256d sum[V3_ROWS];
    for (size_t r = 0; r < rows; r++)
        sum[r] = _mm256_setzero_pd();
    size_t j = 0;
    for (; t - j >= V3_COLUMNS; j += V3_COLUMNS)
        add_tile(rows, 3, false, _mm256_setzero_si256(), sum, x + j, f, w + j, k, t);
    if (j < t) {
        size_t vectors = (t - j + V3_LANES - 1) / V3_LANES;
        __m256i last = v3_last_mask(t - j);
        if (vectors == 3)
            add_tile(rows, 3, true, last, sum, x + j, f, w + j, k, t);
        else if (vectors == 2)
            add_tile(rows, 2, true, last, sum, x + j, f, w + j, k, t);
        else
            add_tile(rows, 1, true, last, sum, x + j, f, w + j, k, t);
    }
    for (size_t r = 0; r < rows; r++)
        e[r] = sum_of_lanes(sum[r]);
}

rung_status rk_residual_energy__cpu_x86_64_v3(const rung_ctx *cx, double *e, const float *x, const double *f,
                                              const double *w, size_t n, size_t k, size_t t)
{
    (void)cx;
    size_t i = 0;
    for (; n - i >= V3_ROWS; i += V3_ROWS)
        energy_rows(V3_ROWS, e + i, x + i * t, f + i * k, w, k, t);
    for (; i < n; i++)
        energy_rows(1, e + i, x + i * t, f + i * k, w, k, t);
    return RUNG_OK;
}
