/* SPDX-License-Identifier: Apache-2.0
 *
 * A program as an HPC developer links it: static, for a cluster of unlike nodes. It multiplies two small matrices with
 * the best kernel of the node that it is started on, and says which one that was. It calls one op; the linker leaves
 * the kernels of all others out. tests/link builds it in every way that people link and checks the result with nm and
 * readelf.
 */
#include <stdio.h>

#include "rk/gemm_tn.h"
#include "rk/rk.h"

int main(void)
{
    rung_platform *platform;
    rung_error err;
    if (rung_platform_open(&rk_registry, NULL, 0, &platform, &err) != RUNG_OK) {
        fprintf(stderr, "static_example: %s\n", err.text);
        return 1;
    }

    /* C = A^T B of 2 x 2 matrices, row-major. */
    const double a[4] = {1.0, 2.0, 3.0, 4.0};
    const double b[4] = {5.0, 6.0, 7.0, 8.0};
    double c[4] = {0.0, 0.0, 0.0, 0.0};
    rung_ctx cx = rung_ctx_of(platform);
    rung_status status = rk_gemm_tn(&cx, c, a, b, 2, 2, 2, 1.0, 0.0);

    rung_resolution used;
    if (status == RUNG_OK)
        status = rung_resolve(platform, RK_OP_GEMM_TN, RK_VARIANT_DEFAULT, RUNG_MEMORY_HOST, &used, &err);
    if (status == RUNG_OK)
        printf("%s/%s/%s: %g %g %g %g\n", used.cell.op, used.cell.device, used.cell.arch, c[0], c[1], c[2], c[3]);
    else
        fprintf(stderr, "static_example: %s\n", rung_status_text(status));
    rung_platform_close(platform);
    return status == RUNG_OK ? 0 : 1;
}
