/* SPDX-License-Identifier: Apache-2.0
 *
 * cases.c: one table of the cases, and for each op the arrays of its call. What is written once and not read counts
 * once, what is read and written twice; the workspace counts nothing, as it need not leave the chip.
 */
#include "cases.h"

#include <stdio.h>
#include <string.h>

enum { VOXELS = 120000, FACTORS = 20, VOLUMES = 300, SIDE = 4096, VIDEO = 16 << 20 };

size_t element_bytes(element e)
{
    static const size_t bytes[] = {[F64] = 8, [F32] = 4, [BF16] = 2};
    return bytes[e];
}

const char *bound_text(bound b)
{
    static const char *const texts[] = {[BY_MEMORY] = "memory", [BY_PRODUCT] = "product", [BY_NOTHING] = "none"};
    return texts[b];
}

/* ---- fMRI -------------------------------------------------------------------------------------------------------- */

/* n, k: f and d are written, positions and factors read. */
static void rbf_arrays(const size_t *dims, array *out)
{
    const size_t n = dims[0], k = dims[1];
    out[0] = (array){F64, 1, n * k};
    out[1] = (array){F64, 1, 4 * n * k};
    out[2] = (array){F64, 1, 3 * n};
    out[3] = (array){F64, 1, 4 * k};
}

static rung_status rbf_call(const rung_ctx *cx, void *const *a, const size_t *dims)
{
    return rk_rbf_factors(cx, a[0], a[1], a[2], a[3], dims[0], dims[1]);
}

/* The same without derivatives. */
static void rbf_values_arrays(const size_t *dims, array *out)
{
    rbf_arrays(dims, out);
    out[1].count = 0;
}

/* n, k, t: x, f and w are read, n sums written. */
static void energy_arrays(const size_t *dims, array *out)
{
    const size_t n = dims[0], k = dims[1], t = dims[2];
    out[0] = (array){F64, 1, n};
    out[1] = (array){F32, 1, n * t};
    out[2] = (array){F64, 1, n * k};
    out[3] = (array){F64, 1, k * t};
}

static rung_status energy_call(const rung_ctx *cx, void *const *a, const size_t *dims)
{
    return rk_residual_energy(cx, a[0], a[1], a[2], a[3], dims[0], dims[1], dims[2]);
}

/* n, k: d and e are read, 4 k sums read and written. */
static void gradient_arrays(const size_t *dims, array *out)
{
    const size_t n = dims[0], k = dims[1];
    out[0] = (array){F64, 2, 4 * k};
    out[1] = (array){F64, 1, 4 * n * k};
    out[2] = (array){F64, 1, n * k};
}

static rung_status gradient_call(const rung_ctx *cx, void *const *a, const size_t *dims)
{
    return rk_factor_gradient(cx, a[0], a[1], a[2], dims[0], dims[1]);
}

/* k, t: small, so that starting it is most of its time. */
static void ridge_arrays(const size_t *dims, array *out)
{
    const size_t k = dims[0], t = dims[1];
    out[0] = (array){F64, 1, k * t};
    out[1] = (array){F64, 1, k * k};
    out[2] = (array){F64, 1, k * k};
    out[3] = (array){F64, 1, k * t};
}

/* Inputs are below 1.5, so with this on its diagonal the matrix is positive definite. */
static rung_status ridge_call(const rung_ctx *cx, void *const *a, const size_t *dims)
{
    return rk_ridge_solve(cx, a[0], a[1], a[2], a[3], 2.0 * (double)dims[0], dims[0], dims[1]);
}

/* ---- video diffusion --------------------------------------------------------------------------------------------- */

/* n: x and v are read, y is written. */
static void match_arrays(const size_t *dims, array *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = (array){F32, 1, dims[0]};
}

static rung_status match_call(const rung_ctx *cx, void *const *a, const size_t *dims)
{
    return rk_flow_match_step(cx, a[0], a[1], a[2], dims[0], 0.75, 0.7);
}

/* n: x, v and noise are read, y and mean written, and two numbers. */
static void sde_arrays(const size_t *dims, array *out)
{
    const size_t n = dims[0];
    out[0] = (array){F32, 1, n};
    out[1] = (array){F32, 1, n};
    out[2] = (array){F64, 1, 2};
    out[3] = (array){F32, 1, n};
    out[4] = (array){F32, 1, n};
    out[5] = (array){F32, 1, n};
}

static rung_status sde_call(const rung_ctx *cx, void *const *a, const size_t *dims)
{
    double *numbers = a[2];
    return rk_flow_sde_step(cx, a[0], a[1], numbers, numbers + 1, a[3], a[4], a[5], NULL, dims[0], 0.75, 0.7, 0.7);
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

/* m, n, k with beta 0: A and B are read, C is written. */
static void product_arrays(const size_t *dims, element factors, element to, array *out)
{
    const size_t m = dims[0], n = dims[1], k = dims[2];
    out[0] = (array){to, 1, m * n};
    out[1] = (array){factors, 1, m * k};
    out[2] = (array){factors, 1, n * k};
}

static void product_arrays_f64(const size_t *dims, array *out)
{
    product_arrays(dims, F64, F64, out);
}

static void product_arrays_f32(const size_t *dims, array *out)
{
    product_arrays(dims, F32, F32, out);
}

static void product_arrays_bf16(const size_t *dims, array *out)
{
    product_arrays(dims, BF16, F32, out);
}

static rung_status tn_call(const rung_ctx *cx, void *const *a, const size_t *dims)
{
    return rk_gemm_tn(cx, a[0], a[1], a[2], dims[0], dims[1], dims[2], 1.0, 0.0);
}

static rung_status nt_call(const rung_ctx *cx, void *const *a, const size_t *dims)
{
    return rk_gemm_nt(cx, a[0], a[1], a[2], dims[0], dims[1], dims[2], 1.0, 0.0);
}

static rung_status nt_f32_call(const rung_ctx *cx, void *const *a, const size_t *dims)
{
    return rk_gemm_nt_f32(cx, a[0], a[1], a[2], dims[0], dims[1], dims[2], 1.0F, 0.0F);
}

static rung_status nt_bf16_call(const rung_ctx *cx, void *const *a, const size_t *dims)
{
    return rk_gemm_nt_bf16(cx, a[0], a[1], a[2], dims[0], dims[1], dims[2], 1.0F, 0.0F);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

#define SQUARE     {SIDE, SIDE, SIDE}, {17, 16, 9}, "mnk"
#define WEIGHTS    {FACTORS, VOLUMES, VOXELS}, {3, 5, 70}, "k" /* F^T X: the projection of the scan on the factors */
#define PROJECTION {VOXELS, FACTORS, VOLUMES}, {70, 3, 5}, "m" /* R W^T: the residual on the weights */

const bench_case bench_cases[] = {
    {"flow_match_step", "video", BY_MEMORY, "n", {VIDEO}, {1000}, "n", match_arrays, match_call},
    {"flow_sde_step", "video", BY_MEMORY, "n", {VIDEO}, {1000}, "n", sde_arrays, sde_call},
    {"rbf_factors", "fmri", BY_MEMORY, "nk", {VOXELS, FACTORS}, {70, 3}, "n", rbf_arrays, rbf_call},
    {"rbf_factors", "fmri values", BY_MEMORY, "nk", {VOXELS, FACTORS}, {70, 3}, "n", rbf_values_arrays, rbf_call},
    {"residual_energy",
     "fmri",
     BY_MEMORY,
     "nkt",
     {VOXELS, FACTORS, VOLUMES},
     {70, 3, 5},
     "n",
     energy_arrays,
     energy_call},
    {"factor_gradient", "fmri", BY_MEMORY, "nk", {VOXELS, FACTORS}, {70, 3}, "n", gradient_arrays, gradient_call},
    {"ridge_solve", "fmri", BY_NOTHING, "kt", {FACTORS, VOLUMES}, {3, 5}, "t", ridge_arrays, ridge_call},
    {"gemm_tn", "square", BY_PRODUCT, "mnk", SQUARE, product_arrays_f64, tn_call},
    {"gemm_tn", "fmri", BY_PRODUCT, "mnk", WEIGHTS, product_arrays_f64, tn_call},
    {"gemm_nt", "square", BY_PRODUCT, "mnk", SQUARE, product_arrays_f64, nt_call},
    {"gemm_nt", "fmri", BY_PRODUCT, "mnk", PROJECTION, product_arrays_f64, nt_call},
    {"gemm_nt_f32", "square", BY_PRODUCT, "mnk", SQUARE, product_arrays_f32, nt_f32_call},
    {"gemm_nt_f32", "fmri", BY_PRODUCT, "mnk", PROJECTION, product_arrays_f32, nt_f32_call},
    {"gemm_nt_bf16", "square", BY_PRODUCT, "mnk", SQUARE, product_arrays_bf16, nt_bf16_call},
    {"gemm_nt_bf16", "fmri", BY_PRODUCT, "mnk", PROJECTION, product_arrays_bf16, nt_bf16_call},
};
const size_t bench_cases_count = sizeof bench_cases / sizeof bench_cases[0];

const bench_case *bench_case_find(const char *op, const char *name)
{
    for (size_t i = 0; i < bench_cases_count; i++)
        if (strcmp(bench_cases[i].op, op) == 0 && strcmp(bench_cases[i].name, name) == 0)
            return &bench_cases[i];
    return NULL;
}

double bench_case_bytes(const bench_case *c, const size_t *dims)
{
    array arrays[MOST_ARRAYS] = {{F64, 0, 0}};
    double bytes = 0.0;
    c->arrays(dims, arrays);
    for (int i = 0; i < MOST_ARRAYS; i++)
        bytes += (double)arrays[i].times * (double)arrays[i].count * (double)element_bytes(arrays[i].element);
    return bytes;
}

double bench_case_flops(const bench_case *c, const size_t *dims)
{
    return c->bound == BY_PRODUCT ? 2.0 * (double)dims[0] * (double)dims[1] * (double)dims[2] : 0.0;
}

void bench_case_text(const bench_case *c, const size_t *dims, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; c->letters[i] != '\0' && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%c=%zu", i == 0 ? "" : " ", c->letters[i], dims[i]);
}

bool bench_case_halve(const bench_case *c, size_t *dims)
{
    for (size_t i = 0; c->letters[i] != '\0'; i++)
        if (strchr(c->halved, c->letters[i]) != NULL && dims[i] < 64)
            return false;
    for (size_t i = 0; c->letters[i] != '\0'; i++)
        if (strchr(c->halved, c->letters[i]) != NULL)
            dims[i] /= 2;
    return true;
}
