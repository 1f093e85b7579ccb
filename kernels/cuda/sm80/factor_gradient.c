/* SPDX-License-Identifier: Apache-2.0
 *
 * factor_gradient: launches tfa.cu. The rows are shared out to slices of blocks as far as the workspace holds their
 * sums, which are added up afterwards. The grid depends on the sizes alone, so that the results do as well.
 */
#include "rk/kernels/factor_gradient.h"
#include "../tiles.h"
#include "rung/launch.h"

enum {
    PARTIAL = 0,
    FINISH = 1,
    THREADS = 256,
    ENOUGH_BLOCKS = 512,
    LEAST_CHUNK = 64,       /* rows of a slice */
    WORKSPACE = 1024 * 1024 /* bytes, as the registry says */
};

rung_status RUNG_KERNEL(rk_factor_gradient)(const rung_ctx *cx, double *g, const double *d, const double *e, size_t n,
                                            size_t k)
{
    if (n == 0 || k == 0)
        return RUNG_OK;
    uint32_t blocks = rung_blocks(2 * k, THREADS);
    size_t wanted = least(ENOUGH_BLOCKS / blocks, least(n / LEAST_CHUNK, WORKSPACE / (4 * sizeof(double)) / k));
    size_t chunk = wanted < 2 ? n : tiles_along(n, wanted), columns = 4 * k;
    uint32_t slices = (uint32_t)tiles_along(n, chunk);
    double *partial = slices > 1 ? cx->workspace : NULL;
    const rung_grid grid = {.blocks = {blocks, slices}, .threads = {THREADS}};
    rung_status status = rung_launch(cx, &RUNG_CELL(rk_factor_gradient), PARTIAL, &grid,
                                     (void *[]){&g, &partial, &d, &e, &n, &k, &chunk});
    if (status != RUNG_OK || slices == 1)
        return status;
    const rung_grid all = adding_grid(columns);
    return rung_launch(cx, &RUNG_CELL(rk_factor_gradient), FINISH, &all, (void *[]){&g, &partial, &columns, &slices});
}
