/* SPDX-License-Identifier: Apache-2.0
 *
 * factor_model.h: factor models of brain scans as components of kind `factor_model`: "tfa" for one scan (tfa.h), "htfa"
 * for several with a template (htfa.h).
 *
 *     rung_htfa_options options = rung_htfa_options_default();
 *     rung_component *model;
 *     rung_error err;
 *     if (rung_component_build(NULL, &rung_htfa_spec, &options, RK_VARIANT_DEFAULT, &model, &err) == RUNG_OK) {
 *         rung_factor_model_group(model, scans, subjects, &result, &error);
 *         ...
 *         rung_component_destroy(model);
 *     }
 *
 * With NULL as platform the model is built for the one that is chosen for this machine. Building checks the options,
 * and that every op of the fit has a kernel on the platform, so that a long job does not find out in the middle.
 */
#ifndef RUNG_FACTOR_MODEL_H
#define RUNG_FACTOR_MODEL_H

#include "htfa.h"
#include "tfa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Specs for rung_component_build. The instance is a const rung_tfa_options * for the first, a const rung_htfa_options *
 * for the second, copied; NULL: the defaults. Fails with ARGUMENT for bad options, NO_KERNEL, or MEMORY. */
extern const rung_component_spec rung_tfa_spec;
extern const rung_component_spec rung_htfa_spec;

/* rung_tfa_fit with the model's platform and options. RUNG_TFA_ERR_ARGUMENT also for a component that is not a "tfa".
 * One model may fit several scans, from several threads at once. */
rung_tfa_status rung_factor_model_fit(const rung_component *model, const rung_tfa_scan *scan, rung_tfa_result **result,
                                      rung_tfa_error *error);

/* rung_htfa_fit likewise, for an "htfa". */
rung_tfa_status rung_factor_model_group(const rung_component *model, const rung_tfa_scan *scans, size_t subjects,
                                        rung_htfa_result **result, rung_htfa_error *error);

#ifdef __cplusplus
}
#endif
#endif
