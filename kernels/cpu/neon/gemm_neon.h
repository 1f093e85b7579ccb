/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_neon.h: C = alpha (tile of a product) + beta C, for gemm_tn and gemm_nt on Advanced SIMD.
 */
#ifndef RK_GEMM_NEON_H
#define RK_GEMM_NEON_H

#include "tile_neon.h"

/* Rows of B that are worked through before the next pass over C: 256 rows of 8 columns are 16 KB, which stay in L1. */
enum { NEON_DEPTH = 256 };

/* When beta is 0, C is not read. */
NEON_INLINE double neon_update(double sum, const double *c, double alpha, double beta)
{
    return beta != 0.0 ? alpha * sum + beta * *c : alpha * sum;
}

/* `columns` of the tile's 8 columns are columns of C; the product is computed for all 8. */
NEON_INLINE void neon_gemm_tile(size_t rows, size_t columns, const neon_operands *o, double *c, size_t c_row,
                                double alpha, double beta)
{
    float64x2_t tile[NEON_ROWS][NEON_VECTORS];
    NEON_UNROLL
    for (size_t r = 0; r < NEON_ROWS; r++) {
        NEON_UNROLL
        for (size_t v = 0; v < NEON_VECTORS; v++)
            tile[r][v] = vdupq_n_f64(0.0);
    }
    neon_multiply(rows, o, tile);
    NEON_UNROLL
    for (size_t r = 0; r < NEON_ROWS; r++) {
        NEON_UNROLL
        for (size_t v = 0; v < NEON_VECTORS; v++) {
            size_t column = NEON_LANES * v;
            double *at = c + r * c_row + column;
            if (r < rows && column + 1 < columns) {
                float64x2_t sum = vmulq_n_f64(tile[r][v], alpha);
                if (beta != 0.0)
                    sum = vfmaq_n_f64(sum, vld1q_f64(at), beta);
                vst1q_f64(at, sum);
            } else if (r < rows && column < columns) {
                *at = neon_update(vgetq_lane_f64(tile[r][v], 0), at, alpha, beta);
            }
        }
    }
}

/* A strip of C: any number of rows by 1 .. 8 columns. */
static inline void neon_gemm_strip(size_t rows, size_t columns, neon_operands o, double *c, size_t c_row, double alpha,
                                   double beta)
{
    for (; rows >= 4; rows -= 4, o.a += 4 * o.a_row, c += 4 * c_row) {
        if (columns == NEON_COLUMNS)
            neon_gemm_tile(4, NEON_COLUMNS, &o, c, c_row, alpha, beta);
        else
            neon_gemm_tile(4, columns, &o, c, c_row, alpha, beta);
    }
    for (; rows > 0; rows--, o.a += o.a_row, c += c_row)
        neon_gemm_tile(1, columns, &o, c, c_row, alpha, beta);
}

static inline size_t neon_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

#endif
