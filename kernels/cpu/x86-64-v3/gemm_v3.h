/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_v3.h: C = alpha (tile of a product) + beta C, for gemm_tn and gemm_nt on AVX2 and FMA.
 */
#ifndef RK_GEMM_V3_H
#define RK_GEMM_V3_H

#include "tile_v3.h"

/* Rows of B that are worked through before the next pass over C: 256 rows of 12 columns are 24 KB, which stay in L1. */
enum { V3_DEPTH = 256 };

V3_INLINE void v3_gemm_tile(size_t rows, size_t vectors, bool partial, const v3_operands *o, double *c, size_t c_row,
                            double alpha, double beta)
{
    __m256d tile[V3_ROWS][V3_VECTORS];
    V3_UNROLL
    for (size_t r = 0; r < V3_ROWS; r++) {
        V3_UNROLL
        for (size_t v = 0; v < V3_VECTORS; v++)
            tile[r][v] = _mm256_setzero_pd();
    }
    v3_multiply(rows, vectors, partial, o, tile);
    V3_UNROLL
    for (size_t r = 0; r < V3_ROWS; r++) {
        V3_UNROLL
        for (size_t v = 0; v < V3_VECTORS; v++) {
            if (r < rows && v < vectors) {
                double *at = c + r * c_row + V3_LANES * v;
                bool masked = partial && v + 1 == vectors;
                __m256d sum = _mm256_mul_pd(_mm256_set1_pd(alpha), tile[r][v]);
                if (beta != 0.0)
                    sum = _mm256_fmadd_pd(_mm256_set1_pd(beta), v3_load(at, masked, o->last), sum);
                v3_store(at, masked, o->last, sum);
            }
        }
    }
}

/* All `rows` rows of a strip of columns, in tiles of 4 rows and, at its end, of 2 and 1. */
V3_INLINE void v3_gemm_rows(size_t rows, size_t vectors, bool partial, v3_operands o, double *c, size_t c_row,
                            double alpha, double beta)
{
    for (; rows >= 4; rows -= 4, o.a += 4 * o.a_row, c += 4 * c_row)
        v3_gemm_tile(4, vectors, partial, &o, c, c_row, alpha, beta);
    if (rows >= 2) {
        v3_gemm_tile(2, vectors, partial, &o, c, c_row, alpha, beta);
        rows -= 2, o.a += 2 * o.a_row, c += 2 * c_row;
    }
    if (rows == 1)
        v3_gemm_tile(1, vectors, partial, &o, c, c_row, alpha, beta);
}

/* A strip of C: any number of rows by 1 .. V3_COLUMNS columns; o->last is set here. When beta is 0, C is not read. */
static inline void v3_gemm_strip(size_t rows, size_t columns, v3_operands *o, double *c, size_t c_row, double alpha,
                                 double beta)
{
    o->last = v3_last_mask(columns);
    size_t vectors = (columns + V3_LANES - 1) / V3_LANES;
    bool partial = columns % V3_LANES != 0;
    if (vectors == 3 && !partial)
        v3_gemm_rows(rows, 3, false, *o, c, c_row, alpha, beta);
    else if (vectors == 3)
        v3_gemm_rows(rows, 3, true, *o, c, c_row, alpha, beta);
    else if (vectors == 2 && !partial)
        v3_gemm_rows(rows, 2, false, *o, c, c_row, alpha, beta);
    else if (vectors == 2)
        v3_gemm_rows(rows, 2, true, *o, c, c_row, alpha, beta);
    else if (!partial)
        v3_gemm_rows(rows, 1, false, *o, c, c_row, alpha, beta);
    else
        v3_gemm_rows(rows, 1, true, *o, c, c_row, alpha, beta);
}

static inline size_t v3_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

#endif
