/* SPDX-License-Identifier: Apache-2.0
 *
 * fit.h: what the stages of one fit share: fit.c runs them, see there.
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

/* NULL, or what is wrong with them. */
const char *tfa_check_options(const rung_tfa_options *options);
const char *tfa_check_scan(const rung_tfa_scan *scan, const rung_tfa_options *options);
/* The size of a voxel, and the bounds of centres and widths. */
void tfa_set_bounds(tfa_engine *engine, const rung_tfa_scan *scan, const rung_tfa_options *options);

/* ---- trends.c ---------------------------------------------------------------------------------------------------- */

/* Multiplies x [v, t] by the unit, and takes mean and trends out, in place; their coefficients are kept.
 * RUNG_ERR_ARGUMENT, with no op that failed, at a value that is not finite. */
int tfa_take_out_trends(tfa_fit *f, float *x);
/* Adds the trends' columns to the data, each by how far it can be trusted. f->model is fitted to x. */
int tfa_take_in_trends(tfa_fit *f);

/* ---- result.c ---------------------------------------------------------------------------------------------------- */

/* What the fit has found, in the caller's order. */
int tfa_write_result(tfa_fit *f, rung_tfa_result **result);

#endif
