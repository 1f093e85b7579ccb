/* SPDX-License-Identifier: Apache-2.0
 *
 * tile_v3.h: the micro-kernel of the matrix products on AVX2 and FMA: up to 4 rows by 12 columns of a product, held in
 * registers (12 accumulators, 3 for B, 1 for a broadcast element of A: all 16).
 *
 * `rows`, `vectors` and `partial` are constants wherever these functions are inlined, so that the loops over them
 * unroll and the accumulators become registers. The loops run to the constant limits with the actual ones inside: clang
 * unrolls a function before it inlines it, and without constant limits it would leave the accumulators in memory.
 */
#ifndef RK_TILE_V3_H
#define RK_TILE_V3_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>

enum { V3_LANES = 4, V3_ROWS = 4, V3_VECTORS = 3, V3_COLUMNS = V3_LANES * V3_VECTORS };

#ifdef __clang__
#define V3_UNROLL _Pragma("unroll")
#else
#define V3_UNROLL _Pragma("GCC unroll 4")
#endif
#define V3_INLINE static inline __attribute__((always_inline))

/* One tile of a product over `depth`: row r of A is a[r * a_row + p * a_step], row p of B is b[p * b_step ...]. */
typedef struct v3_operands {
    const double *a;
    size_t a_row, a_step;
    const double *b;
    size_t b_step;
    size_t depth;
    __m256i last; /* the lanes of the last vector that are columns: in a partial tile no others are touched */
} v3_operands;

/* Lanes of the last vector of `columns` (1 .. V3_COLUMNS) columns. */
V3_INLINE __m256i v3_last_mask(size_t columns)
{
    const __m256i lane = _mm256_setr_epi64x(0, 1, 2, 3);
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)((columns - 1) % V3_LANES) + 1), lane);
}

/* Only the last vector of a partial tile is masked. */
V3_INLINE __m256d v3_load(const double *from, bool masked, __m256i last)
{
    return masked ? _mm256_maskload_pd(from, last) : _mm256_loadu_pd(from);
}

V3_INLINE void v3_store(double *to, bool masked, __m256i last, __m256d value)
{
    if (masked)
        _mm256_maskstore_pd(to, last, value);
    else
        _mm256_storeu_pd(to, value);
}

/* tile[r][v] += sum over p of A[r, p] B[p, 4 v ... 4 v + 3] */
V3_INLINE void v3_multiply(size_t rows, size_t vectors, bool partial, const v3_operands *o,
                           __m256d tile[V3_ROWS][V3_VECTORS])
{
    const double *a = o->a, *b = o->b;
    for (size_t p = 0; p < o->depth; p++) {
        __m256d bv[V3_VECTORS];
        V3_UNROLL
        for (size_t v = 0; v < V3_VECTORS; v++)
            if (v < vectors)
                bv[v] = v3_load(b + V3_LANES * v, partial && v + 1 == vectors, o->last);
        V3_UNROLL
        for (size_t r = 0; r < V3_ROWS; r++) {
            if (r < rows) {
                __m256d av = _mm256_set1_pd(a[r * o->a_row]);
                V3_UNROLL
                for (size_t v = 0; v < V3_VECTORS; v++)
                    if (v < vectors)
                        tile[r][v] = _mm256_fmadd_pd(av, bv[v], tile[r][v]);
            }
        }
        a += o->a_step;
        b += o->b_step;
    }
}

#endif
