/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_nt for cpu/x86-64-v4. A block of B[n, k] is transposed into a buffer that stays in L1; A is read as it is, 8
 * rows at once, one element of each a step.
 */
#include <rk/kernels/gemm_nt.h>

#include "gemm_v4.h"

rung_status rk_gemm_nt__cpu_x86_64_v4(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m,
                                      size_t n, size_t k, double alpha, double beta)
{
    (void)cx;
    _Alignas(64) double panel[V4_DEPTH][V4_COLUMNS]; /* 24 KB; only the columns in use are written and read */
    for (size_t j = 0; j < n; j += V4_COLUMNS) {
        size_t columns = v4_min(n - j, V4_COLUMNS);
        size_t p = 0;
        do { /* at least once: with k == 0, C is still scaled */
            size_t depth = v4_min(k - p, V4_DEPTH);
            for (size_t q = 0; q < columns; q++)
                for (size_t s = 0; s < depth; s++)
                    panel[s][q] = b[(j + q) * k + p + s];
            v4_operands o = {.a = a + p, .a_row = k, .a_step = 1, .b = panel[0], .b_step = V4_COLUMNS, .depth = depth};
            v4_gemm_strip(m, columns, &o, c + j, n, alpha, p == 0 ? beta : 1.0);
            p += depth;
        } while (p < k);
    }
    return RUNG_OK;
}
