/* SPDX-License-Identifier: Apache-2.0
 *
 * factor_model.c: the builder for every platform whose ops are called with host memory, and what its object does.
 */
#include "../factor_model.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rk/builders/factor_model.h"
#include "rk/rk.h"

const rung_component_spec rung_tfa_spec = {.kind = &rk_factor_model_kind, .id = "tfa"};
const rung_component_spec rung_htfa_spec = {.kind = &rk_factor_model_kind, .id = "htfa"};

/* The object. A single fit is the part `fit` of the options of a group. */
typedef struct factor_model {
    rung_platform *platform;
    rung_htfa_options options;
} factor_model;

static rung_status check(const rung_htfa_options *options, bool group, rung_platform *platform, rung_error *err)
{
    const char *wrong = group ? rung_htfa_options_check(options) : rung_tfa_options_check(&options->fit);
    if (wrong != NULL) {
        (void)snprintf(err->text, sizeof err->text, "%s", wrong);
        return RUNG_ERR_ARGUMENT;
    }
    return rung_tfa_platform_check(platform, options->fit.variant, err);
}

rung_status rk_factor_model__cpu(const rung_component_spec *spec, const void *instance, rung_platform *platform,
                                 rung_built *out, rung_error *err)
{
    bool group = spec->id != NULL && strcmp(spec->id, rung_htfa_spec.id) == 0;
    if (!group && (spec->id == NULL || strcmp(spec->id, rung_tfa_spec.id) != 0)) {
        (void)snprintf(err->text, sizeof err->text, "there is no such factor model: only tfa and htfa");
        return RUNG_ERR_UNKNOWN;
    }
    rung_htfa_options options = rung_htfa_options_default();
    if (instance != NULL && group)
        options = *(const rung_htfa_options *)instance;
    else if (instance != NULL)
        options.fit = *(const rung_tfa_options *)instance;
    rung_status status = check(&options, group, platform, err);
    if (status != RUNG_OK)
        return status;
    factor_model *model = malloc(sizeof *model);
    if (model == NULL)
        return RUNG_ERR_MEMORY;
    *model = (factor_model){platform, options};
    *out = (rung_built){model, free};
    return RUNG_OK;
}

static const factor_model *model_of(const rung_component *component, const rung_component_spec *spec)
{
    const char *id = rung_component_id(component);
    const rung_component_cell *cell = rung_component_built_by(component);
    bool is = id != NULL && strcmp(id, spec->id) == 0 && strcmp(cell->symbol, "rk_factor_model__cpu") == 0;
    return is ? rung_component_object(component) : NULL;
}

rung_tfa_status rung_factor_model_fit(const rung_component *model, const rung_tfa_scan *scan, rung_tfa_result **result,
                                      rung_tfa_error *error)
{
    const factor_model *m = model_of(model, &rung_tfa_spec);
    if (m != NULL)
        return rung_tfa_fit(m->platform, scan, &m->options.fit, result, error);
    if (error != NULL)
        *error = (rung_tfa_error){RUNG_TFA_ERR_ARGUMENT, "this component is not the factor model tfa"};
    return RUNG_TFA_ERR_ARGUMENT;
}

rung_tfa_status rung_factor_model_group(const rung_component *model, const rung_tfa_scan *scans, size_t subjects,
                                        rung_htfa_result **result, rung_htfa_error *error)
{
    const factor_model *m = model_of(model, &rung_htfa_spec);
    if (m != NULL)
        return rung_htfa_fit(m->platform, scans, subjects, &m->options, result, error);
    if (error != NULL)
        *error =
            (rung_htfa_error){RUNG_TFA_ERR_ARGUMENT, RUNG_HTFA_NOBODY, "this component is not the factor model htfa"};
    return RUNG_TFA_ERR_ARGUMENT;
}
