/* SPDX-License-Identifier: Apache-2.0
 *
 * htfa.h: hierarchical topographic factor analysis (Manning et al. 2018, doi:10.1016/j.neuroimage.2018.01.071): the
 * scans of several subjects, each with a grid, an orientation and a number of volumes of its own, are fitted with the
 * same K factors. Every factor has a place and a width in a template, and may differ from it in every subject:
 *     centre and width of factor k in subject i  ~  Normal(template k, spread k)
 *
 *     rung_htfa_options options = rung_htfa_options_default();
 *     options.fit.factors = 8;
 *     rung_htfa_result *result;
 *     rung_htfa_error error;
 *     if (rung_htfa_fit(platform, scans, subjects, &options, &result, &error) == RUNG_TFA_OK) { ... }
 *     rung_htfa_result_free(result);
 *
 * Method: tfa/htfa.md. Positions of all scans must be in one space, that of the template.
 *
 * Same scans, options and platform: the same bits, whatever the number of threads and the order of the scans. Nothing
 * is printed, no file is read, and there is no global state: calls may run at the same time.
 *
 * Units are those of tfa.h: mm, and the units of each scan for its weights.
 */
#ifndef RUNG_HTFA_H
#define RUNG_HTFA_H

#include "tfa.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RUNG_HTFA_NOBODY SIZE_MAX

typedef struct rung_htfa_error {
    rung_tfa_status status;
    size_t subject;                 /* whose scan it was, from 0; RUNG_HTFA_NOBODY: not that of one subject */
    char text[RUNG_TFA_ERROR_TEXT]; /* one line, no newline, always terminated; empty on success; without the subject */
} rung_htfa_error;

/* What a progress callback gets. */
typedef struct rung_htfa_progress {
    unsigned round;        /* 0: subjects are fitted by themselves; from 1 on: with the template */
    size_t done;           /* subjects of this round that are done */
    size_t subject;        /* which one is being fitted, from 0 */
    rung_tfa_progress fit; /* ... and where its fit is */
    double moved;          /* how far the template moved last, in voxels; 0 before the second round */
} rung_htfa_progress;

/* Called from the thread that called rung_htfa_fit. Return non-zero to stop with RUNG_TFA_CANCELLED. */
typedef int rung_htfa_progress_fn(const rung_htfa_progress *progress, void *user);

typedef struct rung_htfa_options {
    rung_tfa_options fit;            /* of every subject; its progress and user are not used */
    unsigned max_rounds;             /* most rounds of subjects and template, at least 1; default 30 */
    double template_tol;             /* done when the template moves by no more than this, in voxels; default 1e-4 */
    rung_htfa_progress_fn *progress; /* NULL, the default: none */
    void *user;                      /* for the callback */
} rung_htfa_options;

rung_htfa_options rung_htfa_options_default(void);

/* What is wrong with options, whatever the scans; NULL: nothing. A constant text. */
const char *rung_htfa_options_check(const rung_htfa_options *options);

/* Owned by the caller, arrays included; free with rung_htfa_result_free. Factors are in descending order of their mean
 * `explained` over subjects; subjects are in the order of the scans, and their factors in that of the template. */
typedef struct rung_htfa_result {
    size_t subjects;           /* S */
    size_t factors;            /* K */
    double *theta;             /* [K, 4]: the template: centre x, y, z, and width, mm */
    double *spread;            /* [K, 2]: standard deviation over subjects of the centre along any axis, and of the
                                  width, mm; NaN where fewer than two have the factor */
    double *error;             /* [K, 2]: standard error of the template's centre along an axis, and of its width, mm */
    double *share;             /* [S, K]: the subject's share in the template's factor; a factor's shares add up to 1 */
    double *noise;             /* [S]: standard deviation of what each fit leaves, in units of the scan */
    rung_tfa_result **subject; /* [S]: as from rung_tfa_fit; `iterations` counts the steps of all rounds, `trace` is
                                  that of the last one, the prior's share included */
    unsigned rounds;           /* with the template; 0 with one subject */
    double moved;              /* how far the template moved in the last round, in voxels */
    int converged;             /* it moved by no more than template_tol, and every subject's fit has converged */
} rung_htfa_result;

/* Fits all scans. Each is used as rung_tfa_fit uses it: x is OVERWRITTEN. The platform must be one of rk_registry, and
 * outlive the call. With one scan the result is that of rung_tfa_fit. On success *result is set; otherwise it is NULL
 * and *error, which may be NULL, says why. Memory beside the scans: that of rung_tfa_fit for the largest one, and
 * (4 + detrend) doubles for every voxel of all. */
rung_tfa_status rung_htfa_fit(rung_platform *platform, const rung_tfa_scan *scans, size_t subjects,
                              const rung_htfa_options *options, rung_htfa_result **result, rung_htfa_error *error);

/* NULL is allowed. */
void rung_htfa_result_free(rung_htfa_result *result);

#ifdef __cplusplus
}
#endif
#endif
