/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_tn for cpu/x86-64-v3. Both A[k, m] and B[k, n] are read along their rows, so nothing is packed: a tile of C
 * takes 4 neighbours of a row of A and 12 of a row of B at every step of k.
 */
#include <rk/kernels/gemm_tn.h>

#include "gemm_v3.h"

rung_status rk_gemm_tn__cpu_x86_64_v3(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m,
                                      size_t n, size_t k, double alpha, double beta)
{
    (void)cx;
    size_t p = 0;
    do { /* at least once: with k == 0, C is still scaled */
        size_t depth = v3_min(k - p, V3_DEPTH);
        for (size_t j = 0; j < n; j += V3_COLUMNS) {
            v3_operands o = {.a = a + p * m, .a_row = 1, .a_step = m, .b = b + p * n + j, .b_step = n, .depth = depth};
            v3_gemm_strip(m, v3_min(n - j, V3_COLUMNS), &o, c + j, n, alpha, p == 0 ? beta : 1.0);
        }
        p += depth;
    } while (p < k);
    return RUNG_OK;
}
