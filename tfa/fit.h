/* SPDX-License-Identifier: Apache-2.0
 *
 * fit.h: one fit, and what its stages share: fit.c runs them, see there.
 */
#ifndef RUNG_TFA_FIT_H
#define RUNG_TFA_FIT_H

#include "internal.h"

typedef struct tfa_fit {
    const rung_tfa_options *options;
    tfa_engine engine;
    tfa_model model;
    tfa_data data; /* the scan without mean and trend; trends only once they have been weighed */
    tfa_final final;
    double *polynomials; /* [detrend + 1, t] */
    double *trend;       /* [v, detrend]: coefficients of the trends, times the root of their weight */
    double *smooth;      /* [v, TFA_SMOOTH] */
    double smooth_trend[TFA_SMOOTH * TFA_TRENDS];
    double weight[TFA_TRENDS];
    double unit;      /* power of two that x is multiplied by: single precision holds squares of numbers about 1 only */
    float *projected; /* [v, r], r >= k */
    float *left;
    double energy_x;
    bool still; /* the scan does not vary in time */
} tfa_fit;

/* ---- input.c ----------------------------------------------------------------------------------------------------- */

/* NULL, or what is wrong with it. */
const char *rung_tfa_check_scan(const rung_tfa_scan *scan, const rung_tfa_options *options);
/* The size of a voxel, and the bounds of centres and widths. */
void rung_tfa_set_bounds(tfa_engine *engine, const rung_tfa_scan *scan, const rung_tfa_options *options);

/* ---- trends.c ---------------------------------------------------------------------------------------------------- */

/* Multiplies x [v, t] by the unit, and takes mean and trends out, in place; their coefficients are kept.
 * RUNG_ERR_ARGUMENT, with no op that failed, at a value that is not finite. */
int rung_tfa_take_out_trends(tfa_fit *f, float *x);
/* Adds the trends' columns to the data, each by how far it can be trusted. f->model is fitted to x. */
int rung_tfa_take_in_trends(tfa_fit *f);

/* ---- fit.c ------------------------------------------------------------------------------------------------------- */

/* NULL, or what is wrong with the arguments; there is then nothing to end. options must live as long as f. */
const char *rung_tfa_fit_begin(tfa_fit *f, rung_platform *platform, const rung_tfa_scan *scan,
                               const rung_tfa_options *options);
/* The fit of a scan by itself, x being that of the scan. Leaves the engine open. RUNG_ERR_ARGUMENT, with no op that
 * failed, at values that cannot be fitted. */
int rung_tfa_fit_own(tfa_fit *f, float *x);
/* The joint fit once more, from model.theta on and with data.prior. The engine must be open. */
int rung_tfa_fit_again(tfa_fit *f);
void rung_tfa_fit_end(tfa_fit *f);

/* ---- result.c ---------------------------------------------------------------------------------------------------- */

/* What the fit has found. ranked: factors in descending order of what they explain; else in the model's order. */
int rung_tfa_write_result(tfa_fit *f, bool ranked, rung_tfa_result **result);
/* order [k]: factors by what they explain, the most first. What differs only beyond single precision is a tie. */
int rung_tfa_rank(const double *explained, size_t k, size_t *order);
/* Brings the factors of a result into the order. */
int rung_tfa_reorder(rung_tfa_result *result, const size_t *order);

/* ---- errors.c ---------------------------------------------------------------------------------------------------- */

/* All return the status that they store; error may be NULL. */
rung_tfa_status rung_tfa_fail(rung_tfa_error *error, rung_tfa_status status, const char *text);
rung_tfa_status rung_tfa_fail_op(rung_tfa_error *error, const tfa_engine *engine, int status);
/* The status of rung_tfa_fit_own or rung_tfa_fit_again. */
rung_tfa_status rung_tfa_fail_fit(rung_tfa_error *error, const tfa_fit *f, int status);

#endif
