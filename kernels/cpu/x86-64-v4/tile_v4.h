/* SPDX-License-Identifier: Apache-2.0
 *
 * tile_v4.h: the micro-kernel of the matrix products on AVX-512: up to 8 rows by 24 columns of a product, held in
 * registers (24 accumulators, 3 for B, 1 for a broadcast element of A).
 *
 * `rows`, `vectors` and `half` are constants wherever these functions are inlined, so that the loops over them unroll
 * and the accumulators become registers. The loops run to the constant limits with the actual ones inside: clang
 * unrolls a function before it inlines it, and without constant limits it would leave the accumulators in memory.
 */
#ifndef RK_TILE_V4_H
#define RK_TILE_V4_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>

enum { V4_LANES = 8, V4_ROWS = 8, V4_VECTORS = 3, V4_COLUMNS = V4_LANES * V4_VECTORS };

#ifdef __clang__
#define V4_UNROLL _Pragma("unroll")
#else
#define V4_UNROLL _Pragma("GCC unroll 8")
#endif
#define V4_INLINE static inline __attribute__((always_inline))

/* One tile of a product over `depth`: row r of A is a[r * a_row + p * a_step], row p of B is b[p * b_step ...]. */
typedef struct v4_operands {
    const double *a;
    size_t a_row, a_step;
    const double *b;
    size_t b_step;
    size_t depth;
    __mmask8 last; /* the lanes of the last vector that are columns: no others are read */
} v4_operands;

/* Lanes of the last vector of `columns` (1 .. V4_COLUMNS) columns. */
V4_INLINE __mmask8 v4_last_mask(size_t columns)
{
    return (__mmask8)(0xffu >> ((V4_LANES - columns % V4_LANES) % V4_LANES));
}

V4_INLINE __mmask8 v4_mask(size_t vector, size_t vectors, __mmask8 last)
{
    return vector + 1 == vectors ? last : (__mmask8)0xff;
}

/* a b + c; of a half vector, only the lower four lanes: half the work where a 512-bit operation is done as two of 256.
 */
V4_INLINE __m512d v4_multiply_add(bool half, __m512d a, __m512d b, __m512d c)
{
    if (!half)
        return _mm512_fmadd_pd(a, b, c);
    return _mm512_castpd256_pd512(
        _mm256_fmadd_pd(_mm512_castpd512_pd256(a), _mm512_castpd512_pd256(b), _mm512_castpd512_pd256(c)));
}

/* tile[r][v] += sum over p of A[r, p] B[p, 8 v ... 8 v + 7]; with `half`, the last vector has at most four columns. */
V4_INLINE void v4_multiply(size_t rows, size_t vectors, bool half, const v4_operands *o,
                           __m512d tile[V4_ROWS][V4_VECTORS])
{
    const double *a = o->a, *b = o->b;
    for (size_t p = 0; p < o->depth; p++) {
        __m512d bv[V4_VECTORS];
        V4_UNROLL
        for (size_t v = 0; v < V4_VECTORS; v++)
            if (v < vectors)
                bv[v] = _mm512_maskz_loadu_pd(v4_mask(v, vectors, o->last), b + V4_LANES * v);
        V4_UNROLL
        for (size_t r = 0; r < V4_ROWS; r++) {
            if (r < rows) {
                __m512d av = _mm512_set1_pd(a[r * o->a_row]);
                V4_UNROLL
                for (size_t v = 0; v < V4_VECTORS; v++)
                    if (v < vectors)
                        tile[r][v] = v4_multiply_add(half && v + 1 == vectors, av, bv[v], tile[r][v]);
            }
        }
        a += o->a_step;
        b += o->b_step;
    }
}

#endif
