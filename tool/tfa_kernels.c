/* SPDX-License-Identifier: Apache-2.0
 *
 * tfa_kernels.c: what a fit is made of and runs on, said before it starts.
 */
#include <stdlib.h>

#include "describe.h"
#include "json.h"
#include "rk/rk.h"
#include "say.h"
#include "table.h"
#include "tfa_job.h"

json_t *tfa_kernels_json(const tfa_options *options, const rung_platform *platform)
{
    json_t *list = json_array();
    for (size_t i = 0; i < RUNG_TFA_OPS; i++) {
        rung_resolution r;
        if (rung_tfa_kernel(platform, rung_tfa_ops[i], options->fit.variant, &r, NULL) == RUNG_OK)
            json_add(list, describe_cell_json(&r.cell));
    }
    return list;
}

int tfa_kernels_print(const tfa_options *options, const rung_platform *platform, FILE *to)
{
    const uint32_t variant = options->fit.variant;
    rung_error err;
    if (rung_tfa_platform_check(platform, variant, &err) != RUNG_OK) {
        say_error("variant %s on %s: %s; see 'rung matrix'", rung_variant_name(&rk_registry, variant),
                  rung_platform_text(platform), err.text);
        return EXIT_PLATFORM;
    }
    if (to == NULL)
        return EXIT_OK;
    fprintf(to, "platform %s: %s\n", rung_platform_text(platform), rung_platform_reason(platform));
    fputs("not chosen\n", to);
    describe_candidates(platform, to);
    rung_component_resolution model;
    if (rung_component_resolve(platform, RK_KIND_FACTOR_MODEL, RK_VARIANT_DEFAULT, &model, NULL) == RUNG_OK)
        fprintf(to, "factor model %s/%s  %s\n", model.cell.device, model.cell.variant, model.cell.source);
    fputs("kernels\n", to);
    table *t = table_new(3, NULL);
    for (size_t i = 0; i < RUNG_TFA_OPS; i++) {
        rung_resolution r;
        (void)rung_tfa_kernel(platform, rung_tfa_ops[i], variant, &r, NULL);
        char *cell = say_format("%s/%s/%s", r.cell.device, r.cell.arch, r.cell.variant);
        const char *cells[] = {r.cell.op, cell, r.cell.source};
        table_row(t, cells);
        free(cell);
    }
    table_end(t, to, 2);
    fflush(to);
    return EXIT_OK;
}

rung_component *tfa_model(rung_platform *platform, const rung_component_spec *spec, const void *options)
{
    rung_component *model = NULL;
    rung_error err;
    if (rung_component_build(platform, spec, options, RK_VARIANT_DEFAULT, &model, &err) != RUNG_OK)
        say_error("%s", err.text);
    return model;
}
