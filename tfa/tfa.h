/* SPDX-License-Identifier: Apache-2.0
 *
 * tfa.h: topographic factor analysis. A scan X, of V voxels by T volumes, is approximated by F W: every factor k is a
 * sphere F[v,k] = exp(-|r_v - c_k|^2 / (2 s_k^2)) about a centre c_k with a width s_k, and has one weight for every
 * volume. The fit finds centres, widths and weights with the least sum of squares of X - F W.
 *
 *     rung_tfa_options options = rung_tfa_options_default();
 *     options.factors = 8;
 *     rung_tfa_result *result;
 *     rung_tfa_error error;
 *     size_t kept = rung_tfa_compact(x, voxels, volumes, index);          // drop what carries no signal
 *     ... write the positions of the voxels index[0 .. kept) to xyz ...
 *     rung_tfa_scan scan = {.x = x, .xyz = xyz, .voxels = kept, .volumes = volumes};
 *     if (rung_tfa_fit(platform, &scan, &options, &result, &error) == RUNG_TFA_OK) { ... }
 *     rung_tfa_result_free(result);
 *
 * Method: docs in tfa/README.md. Heavy steps are ops of the registry `rk`, called on the platform that is given.
 *
 * Same scan, options and platform: the same bits, whatever the number of threads. Nothing is printed, no file is read,
 * and there is no global state: calls may run at the same time.
 *
 * Units: positions, centres and widths are in mm; weights have the units of X; fractions are between 0 and 1.
 */
#ifndef RUNG_TFA_H
#define RUNG_TFA_H

#include <stddef.h>
#include <stdint.h>

#include "rung/rung.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rung_tfa_status {
    RUNG_TFA_OK = 0,
    RUNG_TFA_ERR_ARGUMENT, /* options or scan that cannot be fitted; the text says what is wrong */
    RUNG_TFA_ERR_MEMORY,
    RUNG_TFA_ERR_KERNEL, /* an op failed; the text has its name and the library's words for the status */
    RUNG_TFA_CANCELLED   /* the progress callback asked to stop */
} rung_tfa_status;

#define RUNG_TFA_ERROR_TEXT 256
typedef struct rung_tfa_error {
    rung_tfa_status status;
    char text[RUNG_TFA_ERROR_TEXT]; /* one line, no newline, always terminated; empty on success */
} rung_tfa_error;

typedef enum rung_tfa_stage {
    RUNG_TFA_STAGE_START = 0, /* factors are being found one after another */
    RUNG_TFA_STAGE_REPAIR,    /* weak or doubled factors are tried elsewhere */
    RUNG_TFA_STAGE_FIT        /* all factors are refined together */
} rung_tfa_stage;

/* What a progress callback gets. The numbers of a stage start anew with it. */
typedef struct rung_tfa_progress {
    rung_tfa_stage stage;
    unsigned iteration; /* FIT: steps taken; START: factors found; REPAIR: exchanges tried */
    double residual;    /* sum of squares left over, as a fraction of that of X; FIT only, else 1 */
} rung_tfa_progress;

/* Called from the thread that called rung_tfa_fit. Return non-zero to stop: the fit ends with RUNG_TFA_CANCELLED. */
typedef int rung_tfa_progress_fn(const rung_tfa_progress *progress, void *user);

typedef struct rung_tfa_options {
    size_t factors;    /* K, 1 to 1000; default 8 */
    uint64_t seed;     /* of the random projection of time that the start uses when T is large; default 0 */
    unsigned max_iter; /* most steps of the joint fit, at least 1; default 200 */
    double tol;        /* the fit has converged when a step moves no centre and width by more than tol voxels; 1e-6 */
    unsigned detrend;  /* order of the polynomial in time that is taken out of every voxel: 0 (the mean) to 3; 1 */
    double ridge;      /* penalty on the weights' squares, relative to the factor's own sum of squares; default 1e-5 */
    double width_min;  /* bounds of the widths in mm; 0, the default: a quarter of a voxel, */
    double width_max;  /* ... and the longest side of the box around all voxels */
    unsigned threads;  /* 0, the default: one for every CPU that the process may use */
    uint32_t variant;  /* RK_VARIANT_*, for the ops that have it; default 0 */
    rung_tfa_progress_fn *progress; /* NULL, the default: none */
    void *user;                     /* for the callback */
} rung_tfa_options;

rung_tfa_options rung_tfa_options_default(void);

/* A scan in the caller's memory. */
typedef struct rung_tfa_scan {
    float *x;          /* [voxels, volumes]; OVERWRITTEN: scaled, the mean and trend of every voxel taken out */
    const double *xyz; /* [voxels, 3], mm */
    size_t voxels;     /* V, at least K */
    size_t volumes;    /* T, at least detrend + 2 */
    double voxel_mm;   /* shortest edge of a voxel; 0: the shortest distance of voxels that follow each other in xyz */
} rung_tfa_scan;

/* Moves the rows of x that can be fitted, those that are finite and not constant in time, to its front, in order;
 * index[i] is the former row of row i. Returns their number. index has room for `voxels` entries. */
size_t rung_tfa_compact(float *x, size_t voxels, size_t volumes, size_t *index);

/* What was fitted. Owned by the caller, arrays included; free with rung_tfa_result_free. Factors are in descending
 * order of `explained`. */
typedef struct rung_tfa_result {
    size_t factors;      /* K */
    size_t voxels;       /* V */
    size_t volumes;      /* T */
    double *theta;       /* [K, 4]: centre x, y, z, and width s, mm */
    double *weights;     /* [K, T], without mean; with the trend where `trend_used` says so */
    double *explained;   /* [K]: R^2 that would be lost without this factor, the others' weights fitted anew */
    double *residual;    /* [V]: what is left of every voxel's variance, a fraction; 0 for a voxel without any */
    double r2;           /* 1 - sum of squares of X - F W over that of X, X as fitted: without mean and trend */
    double trend_used;   /* 0 to 1: how far the linear trend in time counted, see tfa/README.md */
    size_t at_bound;     /* factors whose centre or width ended at a bound */
    unsigned iterations; /* steps of the joint fit */
    int converged;       /* the last step was below tol; 0 when max_iter ended the fit */
    double *trace;       /* [trace_length]: fraction left over, before the joint fit and after every step of it, ... */
    size_t trace_length; /* ... from where the trend, if used, was taken in; at most iterations + 1 */
} rung_tfa_result;

/* Fits the scan. The platform must be one of rk_registry, and outlive the call. On success *result is set; otherwise it
 * is NULL and *error, which may be NULL, says why. Memory beside x: about (2 K + 40) floats for every voxel or twice
 * that of x, whichever is less. */
rung_tfa_status rung_tfa_fit(rung_platform *platform, const rung_tfa_scan *scan, const rung_tfa_options *options,
                             rung_tfa_result **result, rung_tfa_error *error);

/* NULL is allowed. */
void rung_tfa_result_free(rung_tfa_result *result);

/* The factors' images: f [voxels, K], each 1 at its factor's centre. theta is [K, 4] as in a result. */
rung_tfa_status rung_tfa_images(rung_platform *platform, uint32_t variant, const double *theta, size_t factors,
                                const double *xyz, size_t voxels, double *f, rung_tfa_error *error);

/* What is wrong with options, whatever the scan; NULL: nothing. A constant text. */
const char *rung_tfa_options_check(const rung_tfa_options *options);

/* The ops that a fit calls, in the order of its steps. */
enum { RUNG_TFA_OPS = 6 };
extern const uint32_t rung_tfa_ops[RUNG_TFA_OPS];

/* Whether a fit can be made on this platform: it is one of rk_registry, every op has a kernel for host memory, and at
 * least one has a kernel of the variant, unless that is `default`. ARGUMENT, NO_KERNEL or UNAVAILABLE otherwise. */
rung_status rung_tfa_platform_check(const rung_platform *platform, uint32_t variant, rung_error *err);

/* The kernel that a fit with this platform and variant calls for RK_OP_*: that of the variant, for an op without it the
 * default one. */
rung_status rung_tfa_kernel(const rung_platform *platform, uint32_t op, uint32_t variant, rung_resolution *out,
                            rung_error *err);

/* A constant text such as "bad argument"; never NULL. */
const char *rung_tfa_status_text(rung_tfa_status status);

#ifdef __cplusplus
}
#endif
#endif
