/* SPDX-License-Identifier: Apache-2.0
 *
 * normal.c: gradient and Hessian in centres and widths once the weights are eliminated. With d_kp the derivative of
 * factor k by its parameter p, r = x - f w, G = f'f + penalty, b_kp = r' d_kp:
 *     g[(k,p)] = b_kp . w_k
 *     h[(k,p),(l,q)] = (d_kp' (I - f G^-1 f') d_lq) (w_k . w_l)                        Kaufman's approximation
 * and where the exact Hessian is asked for, from the Schur complement of that in centres, widths and weights,
 *     + (d'f G^-1)[(k,p),l] (w_k . b_lq) + (d'f G^-1)[(l,q),k] (w_l . b_kp) - (G^-1)_kl (b_kp . b_lq)
 *     - [k = l] (second derivative of f_k by p and q)' r w_k'
 * A prior adds its weight to the diagonal of h, and takes weight (theta - mean) off g.
 * Neither the Jacobian, of v t rows, nor d as a whole is ever in memory.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include "rk/rk.h"

/* Second derivatives by pairs of parameters: xx, xy, xz, xs, yy, yz, ys, zz, zs, ss. */
enum { PAIRS = 10 };

int rung_tfa_normal_open(tfa_normal *normal, const tfa_engine *engine)
{
    size_t k = engine->k, n = 4 * k;
    normal->room = malloc((4 * n * n + 3 * k * n + 3 * n + 2 * k * k + 1) * sizeof(double));
    if (normal->room == NULL)
        return RUNG_ERR_MEMORY;
    normal->h = normal->room;
    normal->dd = normal->h + n * n;
    normal->chol = normal->dd + n * n;
    normal->bb = normal->chol + n * n;
    normal->fd = normal->bb + n * n;
    normal->solved = normal->fd + k * n;
    normal->wb = normal->solved + k * n;
    normal->g = normal->wb + k * n;
    normal->diagonal = normal->g + n;
    normal->ww = normal->diagonal + n;
    normal->inverse = normal->ww + k * k;
    return RUNG_OK;
}

void rung_tfa_normal_close(tfa_normal *normal)
{
    free(normal->room);
    normal->room = NULL;
}

/* Where the partial sums of a pass stand; the last ones only with trends, second, own and dx only for the exact
 * Hessian. */
typedef struct sums {
    double *g, *fd, *dd, *second, *own, *dx, *dtrend, *dsmooth;
} sums;

static size_t sums_size(const tfa_data *data, size_t k, bool exact)
{
    size_t n = 4 * k;
    return n + k * n + n * n + (exact ? PAIRS * (2 * k) + n * data->t : 0) +
           (data->trend != NULL ? n * data->m + TFA_SMOOTH * n : 0);
}

static sums lay_out(double *room, const tfa_data *data, size_t k, bool exact)
{
    size_t n = 4 * k;
    sums s = {.g = room};
    s.fd = s.g + n;
    s.dd = s.fd + k * n;
    s.second = s.dd + n * n;
    s.own = s.second + (exact ? PAIRS * k : 0);
    s.dx = s.own + (exact ? PAIRS * k : 0);
    s.dtrend = s.dx + (exact ? n * data->t : 0);
    s.dsmooth = s.dtrend + (data->trend != NULL ? n * data->m : 0);
    return s;
}

typedef struct derivatives {
    const tfa_model *model;
    const double *ww;
    const double *smooth_left; /* [TFA_SMOOTH, m]: the smooth drift left beside the factors */
    bool exact;
} derivatives;

/* e[i, k] += sum over trends of (trend - f w - smooth drift)[i] w[k]. */
static void add_trend_errors(const tfa_data *data, const derivatives *of, const tfa_tile *tile, const double *f,
                             double *e)
{
    const tfa_model *model = of->model;
    size_t k = model->k, m = data->m;
    for (size_t i = 0; i < tile->count; i++) {
        const double *smooth = data->smooth + (tile->from + i) * TFA_SMOOTH;
        for (size_t j = 0; j < m; j++) {
            double left = data->trend[(tile->from + i) * m + j];
            for (size_t c = 0; c < TFA_SMOOTH; c++)
                left -= smooth[c] * of->smooth_left[c * m + j];
            for (size_t l = 0; l < k; l++)
                left -= f[i * k + l] * model->trend_w[l * m + j];
            for (size_t l = 0; l < k; l++)
                e[i * k + l] += left * model->trend_w[l * m + j];
        }
    }
}

/* second[k] += second derivatives of f_k times e. */
static void add_second(const tfa_data *data, const tfa_model *model, const tfa_tile *tile, const double *f,
                       const double *e, double *second)
{
    size_t k = model->k;
    for (size_t i = 0; i < tile->count; i++) {
        const double *at = data->xyz + 3 * (tile->from + i);
        for (size_t j = 0; j < k; j++) {
            const double *theta = model->theta + 4 * j;
            double *sum = second + PAIRS * j, by = 1.0 / (theta[3] * theta[3]), fe = f[i * k + j] * e[i * k + j];
            double x = (at[0] - theta[0]) * by, y = (at[1] - theta[1]) * by, z = (at[2] - theta[2]) * by;
            double q = (x * x + y * y + z * z) / by; /* squared distance in widths */
            double mixed = fe * (q - 2.0) / theta[3];
            sum[0] += fe * (x * x - by);
            sum[1] += fe * x * y;
            sum[2] += fe * x * z;
            sum[3] += mixed * x;
            sum[4] += fe * (y * y - by);
            sum[5] += fe * y * z;
            sum[6] += mixed * y;
            sum[7] += fe * (z * z - by);
            sum[8] += mixed * z;
            sum[9] += fe * q * (q - 3.0) * by;
        }
    }
}

static int sum_tile(tfa_engine *engine, const tfa_data *data, const void *user, const tfa_tile *tile)
{
    const derivatives *of = user;
    const tfa_model *model = of->model;
    size_t k = model->k, t = data->t, n = tile->count, m = data->m;
    double *f = tile->scratch, *d = f + TFA_TILE * k, *e = d + TFA_TILE * (4 * k), *x = e + TFA_TILE * k;
    sums s = lay_out(tile->part, data, k, of->exact);
    int status = rung_tfa_op(
        engine, "rbf_factors",
        rk_rbf_factors(&engine->cx[RK_OP_RBF_FACTORS], f, d, data->xyz + 3 * tile->from, model->theta, n, k));
    if (status != RUNG_OK)
        return status;
    rung_tfa_widen(x, data->x + tile->from * t, n * t);
    status = rung_tfa_op(engine, "gemm_nt", rk_gemm_nt(&engine->cx[RK_OP_GEMM_NT], e, x, model->w, n, k, t, 1.0, 0.0));
    if (status == RUNG_OK)
        status =
            rung_tfa_op(engine, "gemm_nt", rk_gemm_nt(&engine->cx[RK_OP_GEMM_NT], e, f, of->ww, n, k, k, -1.0, 1.0));
    if (status == RUNG_OK && data->trend != NULL)
        add_trend_errors(data, of, tile, f, e);
    if (status == RUNG_OK)
        status = rung_tfa_op(engine, "factor_gradient",
                             rk_factor_gradient(&engine->cx[RK_OP_FACTOR_GRADIENT], s.g, d, e, n, k));
    if (status == RUNG_OK)
        status =
            rung_tfa_op(engine, "gemm_tn", rk_gemm_tn(&engine->cx[RK_OP_GEMM_TN], s.fd, f, d, k, 4 * k, n, 1.0, 1.0));
    if (status == RUNG_OK)
        status = rung_tfa_op(engine, "gemm_tn",
                             rk_gemm_tn(&engine->cx[RK_OP_GEMM_TN], s.dd, d, d, 4 * k, 4 * k, n, 1.0, 1.0));
    if (status == RUNG_OK && of->exact) {
        add_second(data, model, tile, f, e, s.second);
        add_second(data, model, tile, f, f, s.own);
        status =
            rung_tfa_op(engine, "gemm_tn", rk_gemm_tn(&engine->cx[RK_OP_GEMM_TN], s.dx, d, x, 4 * k, t, n, 1.0, 1.0));
    }
    if (status == RUNG_OK && data->trend != NULL)
        status = rung_tfa_op(
            engine, "gemm_tn",
            rk_gemm_tn(&engine->cx[RK_OP_GEMM_TN], s.dtrend, d, data->trend + tile->from * m, 4 * k, m, n, 1.0, 1.0));
    if (status == RUNG_OK && data->trend != NULL)
        status = rung_tfa_op(engine, "gemm_tn",
                             rk_gemm_tn(&engine->cx[RK_OP_GEMM_TN], s.dsmooth, data->smooth + tile->from * TFA_SMOOTH,
                                        d, TFA_SMOOTH, 4 * k, n, 1.0, 1.0));
    return status;
}

/* One set of columns: x's or the trends', which have their own projection. */
typedef struct columns {
    const double *gram; /* [k, k], scaled */
    const double *w;    /* [k, t] */
    double *b;          /* [4k, t], NULL for Kaufman's approximation */
    size_t t;
} columns;

/* Rows of a [k, n] times the factors' scales. */
static void scale_rows(double *a, const tfa_model *model, size_t n)
{
    for (size_t i = 0; i < model->k; i++)
        for (size_t j = 0; j < n; j++)
            a[i * n + j] *= model->scale[i];
}

/* normal->inverse: G^-1, not scaled. */
static int invert(tfa_engine *engine, const tfa_model *model, tfa_normal *normal, const double *gram)
{
    size_t k = model->k;
    memset(normal->ww, 0, k * k * sizeof(double));
    for (size_t i = 0; i < k; i++)
        normal->ww[i * k + i] = model->scale[i];
    int status = rung_tfa_op(engine, "ridge_solve",
                             rk_ridge_solve(&engine->cx[RK_OP_RIDGE_SOLVE], normal->inverse, normal->chol, gram,
                                            normal->ww, model->lambda, k, k));
    scale_rows(normal->inverse, model, k);
    return status;
}

/* What the exact Hessian has beside Kaufman's approximation, but for second derivatives. */
static int add_exact(tfa_engine *engine, const tfa_model *model, tfa_normal *normal, const columns *of)
{
    size_t k = model->k, n = 4 * k;
    int status = invert(engine, model, normal, of->gram);
    if (status == RUNG_OK)
        status = rung_tfa_op(engine, "gemm_nt",
                             rk_gemm_nt(&engine->cx[RK_OP_GEMM_NT], normal->wb, of->w, of->b, k, n, of->t, 1.0, 0.0));
    if (status == RUNG_OK)
        status = rung_tfa_op(engine, "gemm_nt",
                             rk_gemm_nt(&engine->cx[RK_OP_GEMM_NT], normal->bb, of->b, of->b, n, n, of->t, 1.0, 0.0));
    for (size_t i = 0; status == RUNG_OK && i < n; i++)
        for (size_t j = 0; j < n; j++)
            normal->h[i * n + j] += normal->solved[(j / 4) * n + i] * normal->wb[(i / 4) * n + j] +
                                    normal->solved[(i / 4) * n + j] * normal->wb[(j / 4) * n + i] -
                                    normal->inverse[(i / 4) * k + j / 4] * normal->bb[i * n + j];
    return status;
}

/* Adds the share of some columns to h and its diagonal. Overwrites normal->fd and normal->dd. */
static int add_columns(tfa_engine *engine, const tfa_model *model, tfa_normal *normal, const columns *of)
{
    size_t k = model->k, n = 4 * k;
    scale_rows(normal->fd, model, n);
    int status = rung_tfa_op(engine, "ridge_solve",
                             rk_ridge_solve(&engine->cx[RK_OP_RIDGE_SOLVE], normal->solved, normal->chol, of->gram,
                                            normal->fd, model->lambda, k, n));
    if (status == RUNG_OK)
        status = rung_tfa_op(
            engine, "gemm_tn",
            rk_gemm_tn(&engine->cx[RK_OP_GEMM_TN], normal->dd, normal->fd, normal->solved, n, n, k, -1.0, 1.0));
    if (status == RUNG_OK)
        status = rung_tfa_op(engine, "gemm_nt",
                             rk_gemm_nt(&engine->cx[RK_OP_GEMM_NT], normal->ww, of->w, of->w, k, k, of->t, 1.0, 0.0));
    if (status != RUNG_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            normal->h[i * n + j] += normal->dd[i * n + j] * normal->ww[(i / 4) * k + j / 4];
    for (size_t i = 0; i < n; i++)
        normal->diagonal[i] += normal->dd[i * n + i] * normal->ww[(i / 4) * k + i / 4];
    scale_rows(normal->solved, model, n);
    return of->b != NULL ? add_exact(engine, model, normal, of) : RUNG_OK;
}

/* smooth' trend less what the factors explain of it. */
static void find_smooth_left(const tfa_data *data, const tfa_model *model, double *left)
{
    for (size_t c = 0; c < TFA_SMOOTH; c++) {
        for (size_t j = 0; j < data->m; j++) {
            double sum = data->smooth_trend[c * data->m + j];
            for (size_t l = 0; l < model->k; l++)
                sum -= model->smooth_f[c * model->k + l] * model->trend_w[l * data->m + j];
            left[c * data->m + j] = sum;
        }
    }
}

/* b [4k, t] = d'x - d'f w, in place of d'x. */
static void subtract_fitted(double *b, const double *fd, const double *w, size_t k, size_t t)
{
    for (size_t i = 0; i < 4 * k; i++)
        for (size_t l = 0; l < k; l++)
            for (size_t p = 0; p < t; p++)
                b[i * t + p] -= fd[l * 4 * k + i] * w[l * t + p];
}

/* The trends' share: the smooth drift is projected out beside the factors. left is smooth_left. */
static int add_trends(tfa_engine *engine, const tfa_data *data, const tfa_model *model, tfa_normal *normal,
                      const sums *s, const double *left, bool exact)
{
    size_t k = model->k, n = 4 * k, m = data->m;
    for (size_t i = 0; i < k * n; i++) {
        normal->fd[i] = s->fd[i];
        for (size_t c = 0; c < TFA_SMOOTH; c++)
            normal->fd[i] -= model->smooth_f[c * k + i / n] * s->dsmooth[c * n + i % n];
    }
    for (size_t i = 0; i < n * n; i++) {
        normal->dd[i] = s->dd[i];
        for (size_t c = 0; c < TFA_SMOOTH; c++)
            normal->dd[i] -= s->dsmooth[c * n + i / n] * s->dsmooth[c * n + i % n];
    }
    /* d'(trend - f w) less the drift that the factors leave */
    for (size_t i = 0; i < n * m; i++)
        for (size_t c = 0; c < TFA_SMOOTH; c++)
            s->dtrend[i] -= s->dsmooth[c * n + i / m] * left[c * m + i % m];
    columns of = {.gram = model->trend_gram, .w = model->trend_w, .b = exact ? s->dtrend : NULL, .t = m};
    return add_columns(engine, model, normal, &of);
}

/* Adds `by` times the second derivatives of a factor, sums by pairs, to its block of h. */
static void add_pairs(double *h, const double *sum, double by, size_t i, size_t n)
{
    for (size_t p = 0; p < 4; p++) {
        for (size_t q = p; q < 4; q++) {
            h[(4 * i + p) * n + 4 * i + q] += by * *sum;
            if (q != p)
                h[(4 * i + q) * n + 4 * i + p] += by * *sum;
            sum++;
        }
    }
}

/* The penalty lambda |w_k|^2 / scale_k^2 moves with the factor's sum of squares: its share of g and h, and of the
 * derivative by parameters and weights, for which fd stands. */
static void add_penalty(const tfa_engine *engine, const tfa_data *data, const tfa_model *model, tfa_normal *normal,
                        sums *s, tfa_curvature curvature)
{
    size_t k = model->k, n = 4 * k;
    for (size_t i = 0; i < k; i++) {
        double squares = 0.0, width = model->theta[4 * i + 3], lattice = rung_tfa_lattice_energy(engine, width);
        for (size_t p = 0; p < data->t; p++)
            squares += model->w[i * data->t + p] * model->w[i * data->t + p];
        for (size_t j = 0; data->trend != NULL && j < data->m; j++)
            squares += model->trend_w[i * data->m + j] * model->trend_w[i * data->m + j];
        double by = model->lambda * squares;
        for (size_t p = 0; p < 4; p++) {
            double slope = 2.0 * s->fd[i * n + 4 * i + p];
            if (p == 3)
                slope += TFA_BESIDE * 3.0 * lattice / width;
            normal->g[4 * i + p] -= 0.5 * by * slope;
            if (curvature != TFA_INFORMATION)
                s->fd[i * n + 4 * i + p] += model->lambda * slope;
        }
        if (curvature == TFA_EXACT) {
            add_pairs(normal->h, s->own + PAIRS * i, by, i, n);
            for (size_t p = 0; p < 16; p++) {
                size_t at = (4 * i + p / 4) * n + 4 * i + p % 4;
                normal->h[at] += by * s->dd[at];
            }
            normal->h[(4 * i + 3) * (n + 1)] += by * TFA_BESIDE * 3.0 * lattice / (width * width);
        }
    }
}

static void add_prior(const tfa_data *data, const tfa_model *model, tfa_normal *normal)
{
    size_t n = 4 * model->k;
    for (size_t i = 0; data->prior != NULL && i < n; i++) {
        double weight = data->prior->weight[i];
        normal->g[i] -= weight * (model->theta[i] - data->prior->mean[i]);
        normal->h[i * n + i] += weight;
        normal->diagonal[i] += weight;
    }
}

static int assemble(tfa_engine *engine, const tfa_data *data, const tfa_model *model, tfa_normal *normal, sums *s,
                    const double *left, tfa_curvature curvature)
{
    bool exact = curvature == TFA_EXACT;
    size_t k = model->k, n = 4 * k;
    memset(normal->h, 0, n * n * sizeof(double));
    memset(normal->diagonal, 0, n * sizeof(double));
    memcpy(normal->g, s->g, n * sizeof(double));
    if (exact) {
        for (size_t i = 0; i < k; i++)
            add_pairs(normal->h, s->second + PAIRS * i, -1.0, i, n);
        subtract_fitted(s->dx, s->fd, model->w, k, data->t);
    }
    if (data->trend != NULL)
        subtract_fitted(s->dtrend, s->fd, model->trend_w, k, data->m);
    add_penalty(engine, data, model, normal, s, curvature);
    memcpy(normal->fd, s->fd, k * n * sizeof(double));
    memcpy(normal->dd, s->dd, n * n * sizeof(double));
    columns of = {.gram = model->gram, .w = model->w, .b = exact ? s->dx : NULL, .t = data->t};
    int status = add_columns(engine, model, normal, &of);
    if (status == RUNG_OK && data->trend != NULL)
        status = add_trends(engine, data, model, normal, s, left, exact);
    add_prior(data, model, normal);
    return status;
}

int rung_tfa_normal_build(tfa_engine *engine, const tfa_data *data, const tfa_model *model, tfa_normal *normal,
                          tfa_curvature curvature)
{
    bool exact = curvature == TFA_EXACT;
    size_t k = model->k;
    double *room = malloc((sums_size(data, k, exact) + TFA_SMOOTH * (data->m + 1)) * sizeof(double));
    if (room == NULL)
        return RUNG_ERR_MEMORY;
    sums s = lay_out(room, data, k, exact);
    size_t size = sums_size(data, k, exact);
    double *left = room + size;
    derivatives of = {.model = model, .ww = normal->ww, .smooth_left = left, .exact = exact};
    if (data->trend != NULL)
        find_smooth_left(data, model, left);
    int status =
        rung_tfa_op(engine, "gemm_nt",
                    rk_gemm_nt(&engine->cx[RK_OP_GEMM_NT], normal->ww, model->w, model->w, k, k, data->t, 1.0, 0.0));
    if (status == RUNG_OK)
        status = rung_tfa_sum(engine, data, sum_tile, &of, room, size);
    if (status == RUNG_OK)
        status = assemble(engine, data, model, normal, &s, left, curvature);
    free(room);
    return status;
}
