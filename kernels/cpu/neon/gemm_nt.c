/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_nt for cpu/neon. A block of B[n, k] is transposed into a buffer that stays in L1; A is read as it is, 4 rows at
 * once, one element of each a step.
 */
#include <rk/kernels/gemm_nt.h>

#include "gemm_neon.h"

rung_status rk_gemm_nt__cpu_neon(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m, size_t n,
                                 size_t k, double alpha, double beta)
{
    (void)cx;
    double panel[NEON_DEPTH][NEON_COLUMNS]; /* 16 KB */
    for (size_t j = 0; j < n; j += NEON_COLUMNS) {
        size_t columns = neon_min(n - j, NEON_COLUMNS);
        size_t p = 0;
        do { /* at least once: with k == 0, C is still scaled */
            size_t depth = neon_min(k - p, NEON_DEPTH);
            for (size_t q = 0; q < NEON_COLUMNS; q++)
                for (size_t s = 0; s < depth; s++)
                    panel[s][q] = q < columns ? b[(j + q) * k + p + s] : 0.0;
            neon_operands o = {
                .a = a + p, .a_row = k, .a_step = 1, .b = panel[0], .b_step = NEON_COLUMNS, .depth = depth};
            neon_gemm_strip(m, columns, o, c + j, n, alpha, p == 0 ? beta : 1.0);
            p += depth;
        } while (p < k);
    }
    return RUNG_OK;
}
