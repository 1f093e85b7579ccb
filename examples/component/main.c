/* SPDX-License-Identifier: Apache-2.0
 *
 * A component: a factor model, built for the platform that is chosen for this machine, finds one factor in a scan made
 * here.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "factor_model.h"
#include "rk/rk.h"

enum { SIDE = 12, VOLUMES = 30, VOXELS = SIDE * SIDE * SIDE };

/* A ball of 3 mm about (6, 5, 4) mm whose strength goes up and down; a voxel is 1 mm wide. */
static void make_scan(float *x, double *xyz)
{
    for (int i = 0; i < VOXELS; i++) {
        double *at = xyz + (size_t)3 * (size_t)i;
        const int slice = i / (SIDE * SIDE);
        at[0] = i % SIDE;
        at[1] = i / SIDE % SIDE;
        at[2] = slice;
        double d2 = pow(at[0] - 6, 2) + pow(at[1] - 5, 2) + pow(at[2] - 4, 2);
        for (int t = 0; t < VOLUMES; t++)
            x[i * VOLUMES + t] = (float)(exp(-d2 / (2.0 * 9.0)) * sin(0.7 * t));
    }
}

int main(void)
{
    float *x = malloc((size_t)VOXELS * VOLUMES * sizeof *x);
    double *xyz = malloc((size_t)VOXELS * 3 * sizeof *xyz);
    if (x == NULL || xyz == NULL)
        return EXIT_FAILURE;
    make_scan(x, xyz);

    rung_tfa_options options = rung_tfa_options_default();
    options.factors = 1;
    rung_component *model;
    rung_error err;
    if (rung_component_build(NULL, &rung_tfa_spec, &options, RK_VARIANT_DEFAULT, &model, &err) != RUNG_OK) {
        fprintf(stderr, "%s\n", err.text);
        return EXIT_FAILURE;
    }
    printf("%s from %s, on %s\n", rung_component_id(model), rung_component_built_by(model)->source,
           rung_platform_text(rung_component_platform(model)));

    const rung_tfa_scan scan = {.x = x, .xyz = xyz, .voxels = VOXELS, .volumes = VOLUMES};
    rung_tfa_result *result;
    rung_tfa_error error;
    int good = rung_factor_model_fit(model, &scan, &result, &error) == RUNG_TFA_OK;
    if (good)
        printf("centre %.2f %.2f %.2f mm, width %.2f mm\n", result->theta[0], result->theta[1], result->theta[2],
               result->theta[3]);
    else
        fprintf(stderr, "%s\n", error.text);
    if (good)
        rung_tfa_result_free(result);
    rung_component_destroy(model);
    free(x);
    free(xyz);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
