/* SPDX-License-Identifier: Apache-2.0 */
#include "ceiling.h"

#include "proof/number.h"
#include "proof/shape.h"

double rung_bench_bytes(const rung_proof_op *op, const rung_value *values)
{
    double bytes = 0.0;
    for (unsigned i = 0; i < op->arg_count; i++) {
        const rung_proof_arg *arg = &op->args[i];
        const unsigned times = (unsigned)proof_is_read(arg) + (unsigned)proof_is_written(arg);
        if (arg->pointer)
            bytes += times * (double)rung_proof_elements(op, i, values) *
                     (double)rung_proof_kind_size(rung_proof_kind_of(arg));
    }
    return bytes;
}

bool rung_bench_is_f64(const rung_proof_op *op)
{
    for (unsigned i = 0; i < op->arg_count; i++)
        if (op->args[i].pointer && op->args[i].type == RUNG_PROOF_DOUBLE)
            return true;
    return false;
}

void rung_bench_ceiling(rung_bench_result *result, const rung_bench_roof *roof)
{
    const double moved = result->bytes / roof->copy;
    const double computed = result->flops / (rung_bench_is_f64(result->op) ? roof->f64 : roof->f32);
    result->arithmetic = computed > moved;
    result->ceiling = result->arithmetic ? computed : moved;
}
