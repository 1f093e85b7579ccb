/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_tn for cpu/neon. Both A[k, m] and B[k, n] are read along their rows, so nothing is packed but the last columns
 * of B, where there are fewer than 8.
 */
#include <rk/kernels/gemm_tn.h>

#include "gemm_neon.h"

/* The last `columns` of `depth` rows of B, filled up with zeros. */
static inline void pack(double panel[NEON_DEPTH][NEON_COLUMNS], const double *b, size_t n, size_t columns, size_t depth)
{
    for (size_t p = 0; p < depth; p++)
        for (size_t q = 0; q < NEON_COLUMNS; q++)
            panel[p][q] = q < columns ? b[p * n + q] : 0.0;
}

rung_status rk_gemm_tn__cpu_neon(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m, size_t n,
                                 size_t k, double alpha, double beta)
{
    (void)cx;
    double panel[NEON_DEPTH][NEON_COLUMNS]; /* 16 KB */
    size_t p = 0;
    do { /* at least once: with k == 0, C is still scaled */
        size_t depth = neon_min(k - p, NEON_DEPTH);
        for (size_t j = 0; j < n; j += NEON_COLUMNS) {
            size_t columns = neon_min(n - j, NEON_COLUMNS);
            neon_operands o = {
                .a = a + p * m, .a_row = 1, .a_step = m, .b = b + p * n + j, .b_step = n, .depth = depth};
            if (columns < NEON_COLUMNS) {
                pack(panel, o.b, n, columns, depth);
                o.b = panel[0];
                o.b_step = NEON_COLUMNS;
            }
            neon_gemm_strip(m, columns, o, c + j, n, alpha, p == 0 ? beta : 1.0);
        }
        p += depth;
    } while (p < k);
    return RUNG_OK;
}
