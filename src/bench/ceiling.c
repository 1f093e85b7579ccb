/* SPDX-License-Identifier: Apache-2.0 */
#include "ceiling.h"

size_t rung_bench_elements(const rung_proof_arg *arg, const rung_value *values)
{
    size_t count = 1;
    for (unsigned i = 0; i < arg->axes; i++) {
        const rung_proof_axis *axis = &arg->shape[i];
        count *= axis->arg == RUNG_PROOF_NO_ARG ? axis->fixed : values[axis->arg].size;
    }
    return count;
}

size_t rung_bench_element_bytes(const rung_proof_arg *arg)
{
    switch ((rung_proof_type)arg->type) {
    case RUNG_PROOF_INT8:
    case RUNG_PROOF_UINT8:
        return 1;
    case RUNG_PROOF_INT16:
    case RUNG_PROOF_UINT16:
        return 2;
    case RUNG_PROOF_FLOAT:
    case RUNG_PROOF_INT32:
    case RUNG_PROOF_UINT32:
        return 4;
    case RUNG_PROOF_SIZE:
        return sizeof(size_t);
    case RUNG_PROOF_PTRDIFF:
        return sizeof(ptrdiff_t);
    case RUNG_PROOF_DOUBLE:
    case RUNG_PROOF_INT64:
    case RUNG_PROOF_UINT64:
        break;
    }
    return 8;
}

double rung_bench_bytes(const rung_proof_op *op, const rung_value *values)
{
    double bytes = 0.0;
    for (unsigned i = 0; i < op->arg_count; i++) {
        const rung_proof_arg *arg = &op->args[i];
        const unsigned times =
            ((arg->access & RUNG_PROOF_READ) != 0 ? 1u : 0u) + ((arg->access & RUNG_PROOF_WRITE) != 0 ? 1u : 0u);
        if (arg->pointer)
            bytes += times * (double)rung_bench_elements(arg, values) * (double)rung_bench_element_bytes(arg);
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
