/* SPDX-License-Identifier: Apache-2.0
 *
 * tile_neon.h: the micro-kernel of the matrix products on Advanced SIMD: up to 4 rows by 8 columns of a product, held
 * in registers (16 accumulators, 4 for B, 4 for elements of A).
 *
 * `rows` is a constant wherever these functions are inlined, so that the loops over it unroll and the accumulators
 * become registers. The loops run to the constant limit with the actual one inside: clang unrolls a function before it
 * inlines it, and without a constant limit it would leave the accumulators in memory.
 */
#ifndef RK_TILE_NEON_H
#define RK_TILE_NEON_H

#include <arm_neon.h>
#include <stddef.h>

enum { NEON_LANES = 2, NEON_ROWS = 4, NEON_VECTORS = 4, NEON_COLUMNS = NEON_LANES * NEON_VECTORS };

#ifdef __clang__
#define NEON_UNROLL _Pragma("unroll")
#else
#define NEON_UNROLL _Pragma("GCC unroll 4")
#endif
#define NEON_INLINE static inline __attribute__((always_inline))

/* One tile of a product over `depth`: row r of A is a[r * a_row + p * a_step], row p of B is b[p * b_step ...], 8
 * columns of it. */
typedef struct neon_operands {
    const double *a;
    size_t a_row, a_step;
    const double *b;
    size_t b_step;
    size_t depth;
} neon_operands;

/* tile[r][v] += sum over p of A[r, p] B[p, 2 v ... 2 v + 1] */
NEON_INLINE void neon_multiply(size_t rows, const neon_operands *o, float64x2_t tile[NEON_ROWS][NEON_VECTORS])
{
    const double *a = o->a, *b = o->b;
    for (size_t p = 0; p < o->depth; p++) {
        float64x2_t bv[NEON_VECTORS];
        NEON_UNROLL
        for (size_t v = 0; v < NEON_VECTORS; v++)
            bv[v] = vld1q_f64(b + NEON_LANES * v);
        NEON_UNROLL
        for (size_t r = 0; r < NEON_ROWS; r++) {
            if (r < rows) {
                double av = a[r * o->a_row];
                NEON_UNROLL
                for (size_t v = 0; v < NEON_VECTORS; v++)
                    tile[r][v] = vfmaq_n_f64(tile[r][v], bv[v], av);
            }
        }
        a += o->a_step;
        b += o->b_step;
    }
}

#endif
