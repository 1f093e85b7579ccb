/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_tn for cpu/x86-64-v4. Both A[k, m] and B[k, n] are read along their rows, so nothing is packed: a tile of C
 * takes 8 neighbours of a row of A and 24 of a row of B at every step of k.
 */
#include <rk/kernels/gemm_tn.h>

#include "gemm_v4.h"

rung_status rk_gemm_tn__cpu_x86_64_v4(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m,
                                      size_t n, size_t k, double alpha, double beta)
{
    (void)cx;
    size_t p = 0;
    do { /* at least once: with k == 0, C is still scaled */
        size_t depth = v4_min(k - p, V4_DEPTH);
        for (size_t j = 0; j < n; j += V4_COLUMNS) {
            v4_operands o = {.a = a + p * m, .a_row = 1, .a_step = m, .b = b + p * n + j, .b_step = n, .depth = depth};
            v4_gemm_strip(m, v4_min(n - j, V4_COLUMNS), &o, c + j, n, alpha, p == 0 ? beta : 1.0);
        }
        p += depth;
    } while (p < k);
    return RUNG_OK;
}
