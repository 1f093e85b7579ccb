/* SPDX-License-Identifier: Apache-2.0
 *
 * tfa_kernels.c: what a fit runs on, said before it starts.
 */
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "json.h"
#include "rk/rk.h"
#include "say.h"
#include "table.h"
#include "tfa_job.h"

/* The ops that the fit calls, in the order of its steps. What each of them calls is the fit's own answer, because it
 * takes the default kernel of an op that has none of the variant. */
static const uint32_t ops[] = {RK_OP_RBF_FACTORS, RK_OP_GEMM_TN,         RK_OP_GEMM_NT,
                               RK_OP_RIDGE_SOLVE, RK_OP_FACTOR_GRADIENT, RK_OP_RESIDUAL_ENERGY};

json_t *tfa_kernels_json(const tfa_options *options, const rung_platform *platform)
{
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        rung_resolution r;
        if (rung_tfa_kernel(platform, ops[i], options->fit.variant, &r, NULL) == RUNG_OK)
            json_add(list, describe_cell_json(&r.cell));
    }
    return list;
}

int tfa_kernels_print(const tfa_options *options, const rung_platform *platform, FILE *to)
{
    const uint32_t variant = options->fit.variant;
    const char *name = rung_variant_name(&rk_registry, variant);
    table *t = table_new(3, NULL);
    int code = EXIT_OK;
    bool used = variant == RK_VARIANT_DEFAULT;
    for (size_t i = 0; i < sizeof ops / sizeof *ops && code == EXIT_OK; i++) {
        rung_resolution r;
        rung_error err;
        if (rung_tfa_kernel(platform, ops[i], variant, &r, &err) != RUNG_OK) {
            say_error("%s", err.text);
            code = EXIT_PLATFORM;
            continue;
        }
        used = used || strcmp(r.cell.variant, name) == 0;
        char *cell = say_format("%s/%s/%s", r.cell.device, r.cell.arch, r.cell.variant);
        const char *cells[] = {r.cell.op, cell, r.cell.source};
        table_row(t, cells);
        free(cell);
    }
    if (code == EXIT_OK && !used) {
        say_error("variant %s: no kernel of it for any op of the fit on %s; see 'rung matrix'", name,
                  rung_platform_text(platform));
        code = EXIT_PLATFORM;
    }
    if (code != EXIT_OK || to == NULL) {
        table_end(t, NULL, 0);
        return code;
    }
    fprintf(to, "platform %s: %s\n", rung_platform_text(platform), rung_platform_reason(platform));
    fputs("not chosen\n", to);
    describe_candidates(platform, to);
    fputs("kernels\n", to);
    table_end(t, to, 2);
    fflush(to);
    return code;
}
