/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_nt for cpu/x86-64-v3. A block of B[n, k] is transposed into a buffer that stays in L1; A is read as it is, 4
 * rows at once, one element of each a step.
 */
#include <rk/kernels/gemm_nt.h>

#include "gemm_v3.h"

rung_status rk_gemm_nt__cpu_x86_64_v3(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m,
                                      size_t n, size_t k, double alpha, double beta)
{
    (void)cx;
    _Alignas(64) double panel[V3_DEPTH][V3_COLUMNS]; /* 24 KB; only the columns in use are written and read */
    for (size_t j = 0; j < n; j += V3_COLUMNS) {
        size_t columns = v3_min(n - j, V3_COLUMNS);
        size_t p = 0;
        do { /* at least once: with k == 0, C is still scaled */
            size_t depth = v3_min(k - p, V3_DEPTH);
            for (size_t q = 0; q < columns; q++)
                for (size_t s = 0; s < depth; s++)
                    panel[s][q] = b[(j + q) * k + p + s];
            v3_operands o = {.a = a + p, .a_row = k, .a_step = 1, .b = panel[0], .b_step = V3_COLUMNS, .depth = depth};
            v3_gemm_strip(m, columns, &o, c + j, n, alpha, p == 0 ? beta : 1.0);
            p += depth;
        } while (p < k);
    }
    return RUNG_OK;
}
