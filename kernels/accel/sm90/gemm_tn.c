/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_tn for accel/sm90: portable C in the manner of a device. A "block" owns 32 by 32 elements of C and keeps them to
 * the end of k; it loads 16 steps of A and of B at a time into "shared" tiles, filled up with zeros at the edges.
 */
#include <rk/kernels/gemm_tn.h>

enum { BLOCK = 32, STEPS = 16 };

/* rows by columns of a matrix with `stride` elements a row; what lies outside of it is 0. */
static void load_tile(double tile[STEPS][BLOCK], const double *from, size_t stride, size_t rows, size_t columns)
{
    for (size_t r = 0; r < STEPS; r++)
        for (size_t q = 0; q < BLOCK; q++)
            tile[r][q] = r < rows && q < columns ? from[r * stride + q] : 0.0;
}

static void multiply_add(double sum[BLOCK][BLOCK], double a[STEPS][BLOCK], double b[STEPS][BLOCK], size_t steps)
{
    for (size_t i = 0; i < BLOCK; i++)
        for (size_t p = 0; p < steps; p++)
            for (size_t j = 0; j < BLOCK; j++)
                sum[i][j] += a[p][i] * b[p][j];
}

rung_status rk_gemm_tn__accel_sm90(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m, size_t n,
                                   size_t k, double alpha, double beta)
{
    (void)cx;
    double a_tile[STEPS][BLOCK], b_tile[STEPS][BLOCK]; /* 4 KB each */
    for (size_t i0 = 0; i0 < m; i0 += BLOCK) {
        size_t rows = m - i0 < BLOCK ? m - i0 : BLOCK;
        for (size_t j0 = 0; j0 < n; j0 += BLOCK) {
            size_t columns = n - j0 < BLOCK ? n - j0 : BLOCK;
            double sum[BLOCK][BLOCK] = {{0.0}}; /* 8 KB */
            for (size_t p = 0; p < k; p += STEPS) {
                size_t steps = k - p < STEPS ? k - p : STEPS;
                load_tile(a_tile, a + p * m + i0, m, steps, rows);
                load_tile(b_tile, b + p * n + j0, n, steps, columns);
                multiply_add(sum, a_tile, b_tile, steps);
            }
            for (size_t i = 0; i < rows; i++) {
                for (size_t j = 0; j < columns; j++) {
                    double *out = c + (i0 + i) * n + j0 + j;
                    *out = beta == 0.0 ? alpha * sum[i][j] : alpha * sum[i][j] + beta * *out;
                }
            }
        }
    }
    return RUNG_OK;
}
