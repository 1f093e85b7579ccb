/* SPDX-License-Identifier: Apache-2.0
 *
 * internal.h: the parts of the fit, see README.md. All functions return RUNG_OK or the status of the op or allocation
 * that failed; TFA_STOPPED when the progress callback asked to stop.
 */
#ifndef RUNG_TFA_INTERNAL_H
#define RUNG_TFA_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rk/ids.h"
#include "rung/rung.h"
#include "tfa.h"

/* Beside the statuses of rung.h. */
enum { TFA_STOPPED = 1000 };

/* Columns of the spatial polynomial that takes up a smooth drift: 1, x, y, z. */
enum { TFA_SMOOTH = 4 };

/* Most trends in time: the degree of the polynomial. */
enum { TFA_TRENDS = 3 };

/* ---- parallel.c -------------------------------------------------------------------------------------------------- */

typedef int tfa_task_fn(void *user, size_t task, unsigned worker);

/* Runs tasks 0 .. tasks-1, each once, on up to `threads` threads, the caller's included. Returns 0, or what one of the
 * failed tasks returned. Whoever wants the same bits for every number of threads lets each task write its own memory.
 */
int rung_tfa_parallel(unsigned threads, size_t tasks, tfa_task_fn *fn, void *user);

/* CPUs that the process may use, at least 1. */
unsigned rung_tfa_cpus(void);

/* ---- random.c ---------------------------------------------------------------------------------------------------- */

/* q [rows, t]: orthonormal rows, random from the seed, the same on every machine. rows <= t. */
void rung_tfa_random_rows(double *q, size_t rows, size_t t, uint64_t seed);
/* Makes the rows of q orthonormal, from the first on; rows that depend on earlier ones become 0. */
void rung_tfa_orthonormal_rows(double *q, size_t rows, size_t t);

/* ---- trends.c --------------------------------------------------------------------------------------------------- */

/* Orthonormal polynomials in time of degree 0 .. order, as rows: q [order + 1, t]. t > order. */
void rung_tfa_time_polynomials(double *q, unsigned order, size_t t);

/* ---- engine.c ---------------------------------------------------------------------------------------------------- */

/* A fit's machinery: where to call ops, bounds, scratch for each thread, room for partial sums. */
typedef struct tfa_engine {
    rung_ctx cx[RK_OP_COUNT]; /* one for each op: not every op has the variant */
    unsigned threads;
    size_t k, t; /* the most factors and columns */
    double ridge;
    double voxel;           /* mm */
    double quantum;         /* positions and widths are multiples of it, mm */
    double low[4], high[4]; /* bounds of x, y, z, s, mm */
    double *scratch;        /* [threads, scratch_size] */
    size_t scratch_size;
    double *parts; /* [strips, part_size] */
    size_t part_size, strips;
    const char *failed; /* the op that failed, or NULL */
    rung_tfa_progress_fn *progress;
    void *user;
} tfa_engine;

enum { TFA_TILE = 128, TFA_STRIPS = 16 };

/* Contexts for the ops of the fit, of the variant where the op has it. */
void rung_tfa_engine_choose(tfa_engine *engine, rung_platform *platform, uint32_t variant);
/* After rung_tfa_engine_close it may be opened again. */
int rung_tfa_engine_open(tfa_engine *engine, size_t k, size_t t);
void rung_tfa_engine_close(tfa_engine *engine);
/* The op `name` answered `status`: remembers the name of one that failed. */
int rung_tfa_op(tfa_engine *engine, const char *name, rung_status status);
int rung_tfa_report(const tfa_engine *engine, rung_tfa_stage stage, unsigned iteration, double residual);
/* theta [4] moved to the nearest multiple of the quantum within the bounds. */
void rung_tfa_confine(const tfa_engine *engine, double *theta);

/* ---- data.c ------------------------------------------------------------------------------------------------------ */

/* A Gaussian prior on the centres and widths of a model with as many factors: the objective has
 * sum of weight (theta - mean)^2 on top. */
typedef struct tfa_prior {
    const double *mean;   /* [k, 4], mm */
    const double *weight; /* [k, 4]: the noise's variance over the prior's */
} tfa_prior;

/* What is fitted: v voxels by t columns, columns being volumes or projections of them. With trends, m further columns
 * that may also hold a drift that is linear in space: coefficients of the trends in time, scaled to the noise of x. */
typedef struct tfa_data {
    const float *x;    /* [v, t] */
    const double *xyz; /* [v, 3] */
    size_t v, t;
    double total;               /* sum of squares, trends included, without what the smooth drift explains of them */
    const double *trend;        /* [v, m] */
    const double *smooth;       /* [v, TFA_SMOOTH], orthonormal columns; NULL without trends */
    const double *smooth_trend; /* [TFA_SMOOTH, m]: smooth' trend */
    size_t m;
    const tfa_prior *prior; /* NULL: flat */
} tfa_data;

/* Strips are fixed stretches of voxels, the same for every number of threads; tiles are parts of a strip. */
typedef struct tfa_tile {
    size_t from, count; /* voxels */
    double *scratch;    /* of this thread */
    double *part;       /* the strip's partial sums */
} tfa_tile;
typedef int tfa_tile_fn(tfa_engine *engine, const tfa_data *data, const void *user, const tfa_tile *tile);

/* Calls fn for every tile; the strips' partial sums, `size` numbers each, are zeroed before and added up to `sum` in
 * order after. */
int rung_tfa_sum(tfa_engine *engine, const tfa_data *data, tfa_tile_fn *fn, const void *user, double *sum, size_t size);

/* The tile's rows of x in double. */
void rung_tfa_widen(double *out, const float *x, size_t count);

/* The sum of squares of x. */
int rung_tfa_total(tfa_engine *engine, const tfa_data *data, double *total);
/* y [v, rows] = x q', q [rows, t]. */
int rung_tfa_project(tfa_engine *engine, const tfa_data *data, const double *q, size_t rows, float *y);
/* smooth [v, TFA_SMOOTH] for positions xyz. */
void rung_tfa_smooth_basis(double *smooth, const double *xyz, size_t v);

/* ---- model.c ----------------------------------------------------------------------------------------------------- */

/* The sum of squares of a factor over a lattice of voxels: pi^(3/2) width^3 over the volume of a voxel. */
double rung_tfa_lattice_energy(const tfa_engine *engine, double width);
/* How much of it counts in the scale of a factor. */
#define TFA_BESIDE 0.01

/* Factors with their best weights for some data. Gram matrices are of factors times scale[k], which gives a factor that
 * is well within the head about norm 1. The penalty is lambda times the squares of the weights for these: it is about
 * the same for all but factors that lie between or outside the voxels, whose weights would otherwise be huge. */
typedef struct tfa_model {
    size_t k;
    double *theta;      /* [k, 4] */
    double *w;          /* [k, t] */
    double *trend_w;    /* [k, m] */
    double *scale;      /* [k] */
    double *gram;       /* [k, k] */
    double *trend_gram; /* [k, k]: smooth drift projected out */
    double *smooth_f;   /* [TFA_SMOOTH, k]: smooth' f, not scaled */
    double lambda;      /* ridge in force, for scaled factors */
    double objective;   /* sum of squares left over, penalty and prior included */
    double *room;       /* what all of these point into */
} tfa_model;

int rung_tfa_model_open(tfa_model *model, const tfa_engine *engine);
void rung_tfa_model_close(tfa_model *model);
void rung_tfa_model_copy(tfa_model *to, const tfa_model *from, const tfa_engine *engine);
/* Weights and objective for model->theta. */
int rung_tfa_model_fit(tfa_engine *engine, const tfa_data *data, tfa_model *model);
/* The prior's share of the objective; 0 without one. */
double rung_tfa_prior_cost(const tfa_data *data, const tfa_model *model);
/* loss [k]: how much the objective would rise without the factor, the other factors' weights fitted anew. */
int rung_tfa_model_losses(tfa_engine *engine, const tfa_data *data, const tfa_model *model, double *loss);
/* r = x - f w. r may be x. */
int rung_tfa_model_residual(tfa_engine *engine, const tfa_data *data, const tfa_model *model, float *r);

/* ---- normal.c ---------------------------------------------------------------------------------------------------- */

/* Gradient and Hessian at a fitted model: h [4k, 4k] step = g [4k] is the step to the minimum. diagonal [4k]: that of
 * Kaufman's approximation, never negative. The rest is scratch. */
typedef struct tfa_normal {
    double *h, *g, *diagonal;
    double *dd, *fd, *solved, *chol, *ww, *bb, *wb, *inverse;
    double *room;
} tfa_normal;

int rung_tfa_normal_open(tfa_normal *normal, const tfa_engine *engine);
void rung_tfa_normal_close(tfa_normal *normal);
typedef enum tfa_curvature {
    TFA_KAUFMAN,    /* an approximation of the Hessian */
    TFA_EXACT,      /* the Hessian, which need not be positive definite */
    TFA_INFORMATION /* Kaufman's without the penalty's share: never negative, but for rounding */
} tfa_curvature;
int rung_tfa_normal_build(tfa_engine *engine, const tfa_data *data, const tfa_model *model, tfa_normal *normal,
                          tfa_curvature curvature);

/* ---- marquardt.c ------------------------------------------------------------------------------------------------- */

typedef struct tfa_marquardt {
    unsigned max_iter;
    double tol;          /* voxels */
    bool exact;          /* steps with the exact Hessian: for fits that are run to the end */
    double energy;       /* reported: (energy - explained) / energy; 0: not reported and no trace */
    double *trace;       /* [max_iter], or NULL */
    unsigned iterations; /* out: steps accepted */
    unsigned done;       /* in: steps before these, for reports */
    bool converged;      /* out */
} tfa_marquardt;

/* Refines model (fitted here first). */
int rung_tfa_marquardt_run(tfa_engine *engine, const tfa_data *data, tfa_model *model, tfa_marquardt *options);

/* ---- detect.c ---------------------------------------------------------------------------------------------------- */

typedef struct tfa_peak {
    double theta[4];
    double gain; /* sum of squares that a factor there would explain, about */
} tfa_peak;

/* The peaks of the data, strongest first, no two of them close; at most `most`. */
int rung_tfa_detect(tfa_engine *engine, const tfa_data *data, tfa_peak *peaks, size_t most, size_t *count);

/* ---- start.c ----------------------------------------------------------------------------------------------------- */

/* Fits one factor to the data about the peak, which gets its place and its gain. */
int rung_tfa_peak_refine(tfa_engine *engine, const tfa_data *data, tfa_peak *peak);
/* Finds factors one after another until there are k; model may already have some, fitted. r [v, t] is scratch; it
 * holds the residual in the end. */
int rung_tfa_start(tfa_engine *engine, const tfa_data *data, tfa_model *model, size_t k, float *r);

/* ---- small.c ----------------------------------------------------------------------------------------------------- */

/* a [4, 4] to its lower Cholesky factor; the upper triangle keeps what it had. False when a pivot is not above `least`
 * times the largest element of the diagonal. */
bool rung_tfa_cholesky4(double *a, double least);
/* x [4] = a^-1 b, from a's factor. b may be x. */
void rung_tfa_solve4(const double *l, const double *b, double *x);

/* ---- split.c ----------------------------------------------------------------------------------------------------- */

/* score [k]: sum of squares that a second source near the factor would explain, about; direction [k, 4]: where the two
 * lie apart, in centre and width, of no particular length. */
int rung_tfa_splits(tfa_engine *engine, const tfa_data *residual, const tfa_model *model, double *score,
                    double *direction);

/* ---- repair.c ---------------------------------------------------------------------------------------------------- */

/* The gain of the best place for a factor where there is only noise of this variance: that of t columns, with a margin
 * for the best of very many places. */
double rung_tfa_best_of_noise(double noise, double t);
/* Moves weak and doubled factors to where the residual r is strongest, as long as that helps. */
int rung_tfa_repair(tfa_engine *engine, const tfa_data *data, tfa_model *model, float *r);

/* ---- final.c ----------------------------------------------------------------------------------------------------- */

typedef struct tfa_final {
    unsigned max_iter;
    double energy_x;     /* sum of squares of x, trends not included */
    float *room;         /* [v, k] to work in the span of the weights; NULL to work on all columns */
    double *trace;       /* [max_iter + 1]: fractions left over, written anew by every run */
    size_t trace_length; /* out */
    unsigned iterations; /* in and out: steps of all runs */
    bool converged;
} tfa_final;

/* Refines model on all of data, until nothing moves by more than tol voxels. */
int rung_tfa_final_run(tfa_engine *engine, const tfa_data *data, tfa_model *model, tfa_final *final, double tol);
/* weight [m]: how far each of data's trends can be trusted, 0 to 1: by how much noisier it is than x's columns, of
 * which `columns` are independent. Model is fitted to x. */
int rung_tfa_final_weigh_trends(tfa_engine *engine, const tfa_data *data, const tfa_model *model, double columns,
                                double *weight);

#endif
