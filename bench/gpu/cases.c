/* SPDX-License-Identifier: Apache-2.0
 *
 * cases.c: one table of the cases. What is written and not read counts once, what is read and written twice; the
 * workspace counts nothing, as it need not leave the chip.
 */
#include "cases.h"

#include <rk/proof.h>
#include <stdio.h>
#include <string.h>

#include "proof/choose.h"
#include "proof/shape.h"

enum { VOXELS = 120000, FACTORS = 20, VOLUMES = 300, SIDE = 4096, VIDEO = 16 << 20 };

const char *bound_text(bound b)
{
    static const char *const texts[] = {[BY_MEMORY] = "memory", [BY_PRODUCT] = "product", [BY_NOTHING] = "none"};
    return texts[b];
}

#define SQUARE                                                                                                         \
    {SIDE, SIDE, SIDE}, {17, 16, 9}, NULL,                                                                             \
    {                                                                                                                  \
        1.0, 0.0                                                                                                       \
    }
#define WEIGHTS                                                                                                        \
    {FACTORS, VOLUMES, VOXELS}, {3, 5, 70}, "k",                                                                       \
    {                                                                                                                  \
        1.0, 0.0                                                                                                       \
    } /* F^T X: of the scan on the factors */
#define PROJECTION                                                                                                     \
    {VOXELS, FACTORS, VOLUMES}, {70, 3, 5}, "m",                                                                       \
    {                                                                                                                  \
        1.0, 0.0                                                                                                       \
    } /* R W^T: of the residual on the weights */
#define STEP                                                                                                           \
    {VIDEO}, {1000}, NULL,                                                                                             \
    {                                                                                                                  \
        0.75, 0.7, 0.7                                                                                                 \
    }
#define FACTORING                                                                                                      \
    {VOXELS, FACTORS}, {70, 3}, "n",                                                                                   \
    {                                                                                                                  \
        0.0                                                                                                            \
    }

/* Inputs are below 1.5: with 2 k on its diagonal the matrix of ridge_solve is positive definite. */
const bench_case bench_cases[] = {
    {"flow_match_step", "video", BY_MEMORY, STEP, NULL},
    {"flow_sde_step", "video", BY_MEMORY, STEP, "sample"},
    {"rbf_factors", "fmri", BY_MEMORY, FACTORING, NULL},
    {"rbf_factors", "fmri values", BY_MEMORY, FACTORING, "d"},
    {"residual_energy", "fmri", BY_MEMORY, {VOXELS, FACTORS, VOLUMES}, {70, 3, 5}, "n", {0.0}, NULL},
    {"factor_gradient", "fmri", BY_MEMORY, FACTORING, NULL},
    {"ridge_solve", "fmri", BY_NOTHING, {FACTORS, VOLUMES}, {3, 5}, "t", {2.0 * FACTORS}, NULL},
    {"gemm_tn", "square", BY_PRODUCT, SQUARE, NULL},
    {"gemm_tn", "fmri", BY_PRODUCT, WEIGHTS, NULL},
    {"gemm_nt", "square", BY_PRODUCT, SQUARE, NULL},
    {"gemm_nt", "fmri", BY_PRODUCT, PROJECTION, NULL},
    {"gemm_nt_f32", "square", BY_PRODUCT, SQUARE, NULL},
    {"gemm_nt_f32", "fmri", BY_PRODUCT, PROJECTION, NULL},
    {"gemm_nt_bf16", "square", BY_PRODUCT, SQUARE, NULL},
    {"gemm_nt_bf16", "fmri", BY_PRODUCT, PROJECTION, NULL},
};
const size_t bench_cases_count = sizeof bench_cases / sizeof bench_cases[0];

const bench_case *bench_case_find(const char *op, const char *name)
{
    for (size_t i = 0; i < bench_cases_count; i++)
        if (strcmp(bench_cases[i].op, op) == 0 && strcmp(bench_cases[i].name, name) == 0)
            return &bench_cases[i];
    return NULL;
}

/* The op, and the scalars of the call. */
static const rung_proof_op *begin(const bench_case *c, const size_t *dims, rung_value *values)
{
    const rung_proof_op *op = rung_proof_op_find(&rk_proof, c->op);
    memset(values, 0, RUNG_PROOF_ARGS_MAX * sizeof *values);
    for (size_t d = 0; d < op->dim_count; d++)
        values[op->dims[d]].size = dims[d];
    for (size_t i = 0, next = 0; i < op->arg_count; i++)
        if (!op->args[i].pointer && !rung_proof_is_size(op, i))
            rung_proof_scalar_set(&values[i], op->args[i].type, c->scalars[next++]);
    return op;
}

void bench_case_arrays(const bench_case *c, const size_t *dims, array *out)
{
    rung_value values[RUNG_PROOF_ARGS_MAX];
    const rung_proof_op *op = begin(c, dims, values);
    memset(out, 0, MOST_ARRAYS * sizeof *out);
    for (size_t i = 0; i < op->arg_count; i++) {
        const rung_proof_arg *arg = &op->args[i];
        if (!arg->pointer || (c->without != NULL && strcmp(arg->name, c->without) == 0))
            continue;
        const unsigned read = rung_proof_is_unread(op, i, values) ? 0 : 1, written = proof_is_written(arg) ? 1 : 0;
        out[i] = (array){rung_proof_kind_of(arg), read + written, rung_proof_elements(op, i, values)};
    }
}

rung_status bench_case_call(const bench_case *c, const rung_ctx *cx, void *const *arrays, const size_t *dims)
{
    rung_value values[RUNG_PROOF_ARGS_MAX];
    const rung_proof_op *op = begin(c, dims, values);
    for (size_t i = 0; i < op->arg_count; i++)
        if (op->args[i].pointer)
            values[i].array = arrays[i];
    return op->call(cx, values);
}

double bench_case_bytes(const bench_case *c, const size_t *dims)
{
    array arrays[MOST_ARRAYS];
    double bytes = 0.0;
    bench_case_arrays(c, dims, arrays);
    for (int i = 0; i < MOST_ARRAYS; i++)
        bytes += (double)arrays[i].times * (double)arrays[i].count * (double)rung_proof_kind_size(arrays[i].kind);
    return bytes;
}

double bench_case_flops(const bench_case *c, const size_t *dims)
{
    rung_value values[RUNG_PROOF_ARGS_MAX];
    const rung_proof_op *op = begin(c, dims, values);
    return c->bound == BY_PRODUCT ? op->flops(values) : 0.0;
}

static const char *dim_name(const rung_proof_op *op, size_t d)
{
    return op->args[op->dims[d]].name;
}

void bench_case_text(const bench_case *c, const size_t *dims, char *text, size_t size)
{
    const rung_proof_op *op = rung_proof_op_find(&rk_proof, c->op);
    size_t used = 0;
    text[0] = '\0';
    for (size_t d = 0; d < op->dim_count && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, "%s%s=%zu", d == 0 ? "" : " ", dim_name(op, d), dims[d]);
}

bool bench_case_halve(const bench_case *c, size_t *dims)
{
    const rung_proof_op *op = rung_proof_op_find(&rk_proof, c->op);
    size_t half[DIMENSIONS] = {0};
    for (size_t d = 0; d < op->dim_count; d++) {
        const bool halved = c->halved == NULL || strcmp(c->halved, dim_name(op, d)) == 0;
        if (halved && dims[d] < 64)
            return false;
        half[d] = halved ? dims[d] / 2 : dims[d];
    }
    memcpy(dims, half, sizeof half);
    return true;
}
