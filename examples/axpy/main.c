/* SPDX-License-Identifier: Apache-2.0
 *
 * A registry of one's own: registry.yaml beside this file, two kernels, and this program.
 */
#include <stdio.h>

#include "ex/ex.h"

static int print_rung(const rung_cell *cell, void *user)
{
    (void)user;
    printf("%s/%s: %s %s\n", cell->device, cell->arch, cell->chosen ? "chosen" : rung_reason_text(cell->reason),
           cell->detail);
    return 0;
}

int main(void)
{
    rung_platform *platform;
    rung_error err;
    if (rung_platform_open(&ex_registry, NULL, 0, &platform, &err) != RUNG_OK) {
        fprintf(stderr, "axpy: %s\n", err.text);
        return 1;
    }
    float x[3] = {1, 2, 3};
    float y[3] = {10, 20, 30};
    rung_ctx cx = rung_ctx_of(platform);
    rung_status status = ex_axpy(&cx, y, x, 3, 2.0F);
    printf("%g %g %g\n", y[0], y[1], y[2]);
    rung_explain(platform, EX_OP_AXPY, EX_VARIANT_DEFAULT, print_rung, NULL);
    rung_platform_close(platform);
    return status == RUNG_OK ? 0 : 1;
}
