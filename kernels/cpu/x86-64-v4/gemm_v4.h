/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_v4.h: C = alpha (tile of a product) + beta C, for gemm_tn and gemm_nt on AVX-512.
 */
#ifndef RK_GEMM_V4_H
#define RK_GEMM_V4_H

#include "tile_v4.h"

/* Rows of B that are worked through before the next pass over C: 128 rows of 24 columns are 24 KB, which stay in L1. */
enum { V4_DEPTH = 128 };

/* Masked stores are slow on some processors, so the common masks go without. */
V4_INLINE void v4_store(double *to, __mmask8 mask, __m512d value)
{
    if (mask == 0xff)
        _mm512_storeu_pd(to, value);
    else if (mask == 0x0f)
        _mm256_storeu_pd(to, _mm512_castpd512_pd256(value));
    else
        _mm512_mask_storeu_pd(to, mask, value);
}

V4_INLINE void v4_gemm_tile(size_t rows, size_t vectors, bool half, const v4_operands *o, double *c, size_t c_row,
                            double alpha, double beta)
{
    __m512d tile[V4_ROWS][V4_VECTORS];
    V4_UNROLL
    for (size_t r = 0; r < V4_ROWS; r++) {
        V4_UNROLL
        for (size_t v = 0; v < V4_VECTORS; v++)
            tile[r][v] = _mm512_setzero_pd();
    }
    v4_multiply(rows, vectors, half, o, tile);
    V4_UNROLL
    for (size_t r = 0; r < V4_ROWS; r++) {
        V4_UNROLL
        for (size_t v = 0; v < V4_VECTORS; v++) {
            if (r < rows && v < vectors) {
                double *at = c + r * c_row + V4_LANES * v;
                __mmask8 mask = v4_mask(v, vectors, o->last);
                __m512d sum = _mm512_mul_pd(_mm512_set1_pd(alpha), tile[r][v]);
                if (beta != 0.0)
                    sum = _mm512_fmadd_pd(_mm512_set1_pd(beta), _mm512_maskz_loadu_pd(mask, at), sum);
                v4_store(at, mask, sum);
            }
        }
    }
}

/* All `rows` rows of a strip of columns, in tiles of 8 rows and, at its end, of 4, 2 and 1. */
V4_INLINE void v4_gemm_rows(size_t rows, size_t vectors, bool half, v4_operands o, double *c, size_t c_row,
                            double alpha, double beta)
{
    for (; rows >= 8; rows -= 8, o.a += 8 * o.a_row, c += 8 * c_row)
        v4_gemm_tile(8, vectors, half, &o, c, c_row, alpha, beta);
    if (rows >= 4) {
        v4_gemm_tile(4, vectors, half, &o, c, c_row, alpha, beta);
        rows -= 4, o.a += 4 * o.a_row, c += 4 * c_row;
    }
    if (rows >= 2) {
        v4_gemm_tile(2, vectors, half, &o, c, c_row, alpha, beta);
        rows -= 2, o.a += 2 * o.a_row, c += 2 * c_row;
    }
    if (rows == 1)
        v4_gemm_tile(1, vectors, half, &o, c, c_row, alpha, beta);
}

/* A strip of C: any number of rows by 1 .. V4_COLUMNS columns; o->last is set here. When beta is 0, C is not read. */
static inline void v4_gemm_strip(size_t rows, size_t columns, v4_operands *o, double *c, size_t c_row, double alpha,
                                 double beta)
{
    o->last = v4_last_mask(columns);
    size_t vectors = (columns + V4_LANES - 1) / V4_LANES;
    bool half = columns + V4_LANES / 2 <= vectors * V4_LANES;
    if (vectors == 3 && !half)
        v4_gemm_rows(rows, 3, false, *o, c, c_row, alpha, beta);
    else if (vectors == 3)
        v4_gemm_rows(rows, 3, true, *o, c, c_row, alpha, beta);
    else if (vectors == 2 && !half)
        v4_gemm_rows(rows, 2, false, *o, c, c_row, alpha, beta);
    else if (vectors == 2)
        v4_gemm_rows(rows, 2, true, *o, c, c_row, alpha, beta);
    else if (!half)
        v4_gemm_rows(rows, 1, false, *o, c, c_row, alpha, beta);
    else
        v4_gemm_rows(rows, 1, true, *o, c, c_row, alpha, beta);
}

static inline size_t v4_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

#endif
