/* SPDX-License-Identifier: Apache-2.0
 *
 * test_level LEVEL ARCH: whether this processor has that level, and whether a call takes the kernel of that arch and
 * gives the right result.
 */
#include <stdio.h>
#include <string.h>

#include "rk/gemm_tn.h"
#include "rk/rk.h"

static int same(const char *what, const char *is, const char *should)
{
    if (strcmp(is, should) == 0)
        return 1;
    (void)fprintf(stderr, "%s is %s, and should be %s\n", what, is, should);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    rung_cpu cpu;
    rung_cpu_detect(&cpu);
    int right = same("the level", cpu.level, argv[1]);

    rung_platform *platform;
    rung_error err;
    if (rung_platform_open(&rk_registry, "cpu", RUNG_OPEN_NO_ENV, &platform, &err) != RUNG_OK) {
        (void)fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    /* C = A^T B of 2 x 2 matrices, row-major. */
    const double a[4] = {1.0, 2.0, 3.0, 4.0};
    const double b[4] = {5.0, 6.0, 7.0, 8.0};
    const double want[4] = {26.0, 30.0, 38.0, 44.0};
    double c[4] = {0.0, 0.0, 0.0, 0.0};
    rung_ctx cx = rung_ctx_of(platform);
    rung_resolution used;
    if (rk_gemm_tn(&cx, c, a, b, 2, 2, 2, 1.0, 0.0) != RUNG_OK || memcmp(c, want, sizeof c) != 0) {
        (void)fprintf(stderr, "the product is %g %g %g %g\n", c[0], c[1], c[2], c[3]);
        right = 0;
    } else if (rung_resolve(platform, RK_OP_GEMM_TN, RK_VARIANT_DEFAULT, RUNG_MEMORY_HOST, &used, &err) == RUNG_OK) {
        right = same("the kernel's arch", used.cell.arch, argv[2]) && right;
    } else {
        (void)fprintf(stderr, "%s\n", err.text);
        right = 0;
    }
    rung_platform_close(platform);
    return right ? 0 : 1;
}
