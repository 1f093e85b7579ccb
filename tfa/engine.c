/* SPDX-License-Identifier: Apache-2.0
 *
 * engine.c: scratch memory, bounds, errors and progress of one fit.
 */
#include "internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rung_status rung_tfa_kernel(const rung_platform *platform, uint32_t op, uint32_t variant, rung_resolution *out,
                            rung_error *err)
{
    rung_status status = rung_resolve(platform, op, variant, RUNG_MEMORY_HOST, out, NULL);
    return status == RUNG_OK ? status : rung_resolve(platform, op, RK_VARIANT_DEFAULT, RUNG_MEMORY_HOST, out, err);
}

const uint32_t rung_tfa_ops[RUNG_TFA_OPS] = {RK_OP_RBF_FACTORS, RK_OP_GEMM_TN,         RK_OP_GEMM_NT,
                                             RK_OP_RIDGE_SOLVE, RK_OP_FACTOR_GRADIENT, RK_OP_RESIDUAL_ENERGY};

static rung_status fail(rung_error *err, rung_status status, const char *text)
{
    if (err != NULL) {
        err->status = status;
        (void)snprintf(err->text, sizeof err->text, "%s", text);
    }
    return status;
}

rung_status rung_tfa_platform_check(const rung_platform *platform, uint32_t variant, rung_error *err)
{
    if (rung_platform_registry(platform) != &rk_registry)
        return fail(err, RUNG_ERR_ARGUMENT, "the platform is not one of rk_registry");
    const char *name = rung_variant_name(&rk_registry, variant);
    bool used = variant == RK_VARIANT_DEFAULT;
    for (size_t i = 0; i < RUNG_TFA_OPS; i++) {
        rung_resolution found;
        rung_status status = rung_tfa_kernel(platform, rung_tfa_ops[i], variant, &found, err);
        if (status != RUNG_OK)
            return status;
        used = used || (name != NULL && strcmp(found.cell.variant, name) == 0);
    }
    return used ? RUNG_OK : fail(err, RUNG_ERR_UNAVAILABLE, "no op has a kernel of this variant on this platform");
}

void rung_tfa_engine_choose(tfa_engine *engine, rung_platform *platform, uint32_t variant)
{
    for (size_t i = 0; i < RUNG_TFA_OPS; i++) {
        uint32_t op = rung_tfa_ops[i];
        rung_resolution found;
        bool has = rung_resolve(platform, op, variant, RUNG_MEMORY_HOST, &found, NULL) == RUNG_OK;
        engine->cx[op] = rung_ctx_of(platform);
        engine->cx[op].variant = has ? variant : RK_VARIANT_DEFAULT;
        engine->cx[op].threads = 1; /* voxels are shared out among threads by the fit itself */
    }
}

/* A tile needs factors, their derivatives, errors, and x in double; at most all of these at once. */
static size_t scratch_size(size_t k, size_t t)
{
    return TFA_TILE * (k + 4 * k + k + t + TFA_SMOOTH) + 64;
}

/* Sums of normal.c, which are the most: 4k + k 4k + 4k 4k + 20k + 4k t + 4k (trends + smooth). */
static size_t part_size(size_t k, size_t t)
{
    return 20 * k * k + 4 * k * t + 52 * k + 64;
}

int rung_tfa_engine_open(tfa_engine *engine, size_t k, size_t t)
{
    engine->k = k;
    engine->t = t;
    engine->scratch_size = scratch_size(k, t);
    engine->part_size = part_size(k, t);
    /* by the sizes alone, as results depend on it; fewer when sums are large */
    size_t fit = ((size_t)1 << 24) / engine->part_size;
    engine->strips = fit < 1 ? 1 : fit > TFA_STRIPS ? TFA_STRIPS : fit;
    engine->scratch = malloc(engine->threads * engine->scratch_size * sizeof(double));
    engine->parts = malloc(engine->strips * engine->part_size * sizeof(double));
    /* far below any error of measurement, far above the rounding errors of one step: fits on different CPU levels,
     * whose sums differ in their last bits, keep to the same path */
    engine->quantum = ldexp(1.0, ilogb(engine->voxel) - 24);
    for (size_t p = 0; p < 4; p++) { /* so that what stands at a bound stays there */
        engine->low[p] = ceil(engine->low[p] / engine->quantum) * engine->quantum;
        engine->high[p] = fmax(floor(engine->high[p] / engine->quantum) * engine->quantum, engine->low[p]);
    }
    return engine->scratch != NULL && engine->parts != NULL ? RUNG_OK : RUNG_ERR_MEMORY;
}

void rung_tfa_engine_close(tfa_engine *engine)
{
    free(engine->scratch);
    free(engine->parts);
    engine->scratch = engine->parts = NULL;
}

int rung_tfa_op(tfa_engine *engine, const char *name, rung_status status)
{
    if (status != RUNG_OK)
        engine->failed = name;
    return status;
}

int rung_tfa_report(const tfa_engine *engine, rung_tfa_stage stage, unsigned iteration, double residual)
{
    if (engine->progress == NULL)
        return RUNG_OK;
    rung_tfa_progress progress = {.stage = stage, .iteration = iteration, .residual = residual};
    return engine->progress(&progress, engine->user) != 0 ? TFA_STOPPED : RUNG_OK;
}

void rung_tfa_confine(const tfa_engine *engine, double *theta)
{
    for (size_t p = 0; p < 4; p++) {
        double value = rint(theta[p] / engine->quantum) * engine->quantum;
        value = value > engine->low[p] ? value : engine->low[p];
        theta[p] = value < engine->high[p] ? value : engine->high[p];
    }
}
