/* SPDX-License-Identifier: Apache-2.0 */
#include "hand_made.h"

#include "rk/rk.h"

unsigned long hand_made_calls;

#define SCALAR(text, of)                                                                                               \
    {                                                                                                                  \
        .name = (text), .type = (of), .unread_if_zero = RUNG_PROOF_NO_ARG                                              \
    }
#define ARRAY(text, of, how, count, ...)                                                                               \
    {                                                                                                                  \
        .name = (text), .type = (of), .pointer = true, .access = (how), .axes = (count), .shape = {__VA_ARGS__},       \
        .unread_if_zero = RUNG_PROOF_NO_ARG                                                                            \
    }

enum { BOTH = RUNG_PROOF_READ | RUNG_PROOF_WRITE };

/* ---- gemm_tn ----------------------------------------------------------------------------------------------------- */

static rung_status gemm_tn(const rung_ctx *cx, const rung_value *v)
{
    hand_made_calls++;
    return rk_gemm_tn(cx, v[0].array, v[1].array, v[2].array, v[3].size, v[4].size, v[5].size, v[6].d, v[7].d);
}

static rung_status gemm_tn_buffers(const rung_ctx *cx, const rung_value *v)
{
    hand_made_calls++;
    return rk_gemm_tn_buf(cx, v[0].buffer, v[1].buffer, v[2].buffer, v[3].size, v[4].size, v[5].size, v[6].d, v[7].d);
}

static double gemm_tn_flops(const rung_value *v)
{
    return 2.0 * (double)v[3].size * (double)v[4].size * (double)v[5].size;
}

static const rung_proof_arg gemm_tn_args[] = {
    ARRAY("c", RUNG_PROOF_DOUBLE, BOTH, 2, {3, 0}, {4, 0}),
    ARRAY("a", RUNG_PROOF_DOUBLE, RUNG_PROOF_READ, 2, {5, 0}, {3, 0}),
    ARRAY("b", RUNG_PROOF_DOUBLE, RUNG_PROOF_READ, 2, {5, 0}, {4, 0}),
    SCALAR("m", RUNG_PROOF_SIZE),
    SCALAR("n", RUNG_PROOF_SIZE),
    SCALAR("k", RUNG_PROOF_SIZE),
    SCALAR("alpha", RUNG_PROOF_DOUBLE),
    SCALAR("beta", RUNG_PROOF_DOUBLE),
};
static const uint8_t gemm_tn_dims[] = {3, 4, 5};
static const size_t gemm_tn_sizes[] = {2, 3, 5, 20, 20, 64};

const rung_proof_op hand_made_gemm_tn = {.name = "gemm_tn",
                                         .args = gemm_tn_args,
                                         .arg_count = 8,
                                         .dim_count = 3,
                                         .dims = gemm_tn_dims,
                                         .call = gemm_tn,
                                         .call_buffers = gemm_tn_buffers,
                                         .bench_count = 2,
                                         .bench = gemm_tn_sizes,
                                         .flops = gemm_tn_flops};

/* ---- flow_match_step --------------------------------------------------------------------------------------------- */

static rung_status flow_match_step(const rung_ctx *cx, const rung_value *v)
{
    hand_made_calls++;
    return rk_flow_match_step(cx, v[0].array, v[1].array, v[2].array, v[3].size, v[4].d, v[5].d);
}

static rung_status flow_match_step_buffers(const rung_ctx *cx, const rung_value *v)
{
    hand_made_calls++;
    return rk_flow_match_step_buf(cx, v[0].buffer, v[1].buffer, v[2].buffer, v[3].size, v[4].d, v[5].d);
}

static const rung_proof_arg flow_match_step_args[] = {
    ARRAY("y", RUNG_PROOF_FLOAT, RUNG_PROOF_WRITE, 1, {3, 0}),
    ARRAY("x", RUNG_PROOF_FLOAT, RUNG_PROOF_READ, 1, {3, 0}),
    ARRAY("v", RUNG_PROOF_FLOAT, RUNG_PROOF_READ, 1, {3, 0}),
    SCALAR("n", RUNG_PROOF_SIZE),
    {.name = "sigma_t", .type = RUNG_PROOF_DOUBLE, .has_low = true, .has_high = true, .high = 1.0},
    {.name = "sigma_n", .type = RUNG_PROOF_DOUBLE, .has_low = true, .has_high = true, .high = 1.0},
};
static const uint8_t flow_match_step_dims[] = {3};
static const size_t flow_match_step_sizes[] = {1000};

const rung_proof_op hand_made_flow_match_step = {.name = "flow_match_step",
                                                 .args = flow_match_step_args,
                                                 .arg_count = 6,
                                                 .dim_count = 1,
                                                 .dims = flow_match_step_dims,
                                                 .call = flow_match_step,
                                                 .call_buffers = flow_match_step_buffers,
                                                 .bench_count = 1,
                                                 .bench = flow_match_step_sizes};

static const rung_proof_op *const ops[] = {&hand_made_flow_match_step, &hand_made_gemm_tn};
const rung_proof hand_made_proof = {.abi = RUNG_PROOF_ABI, .registry = &rk_registry, .op_count = 2, .ops = ops};
