/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/shape.h"

#include <math.h>
#include <string.h>

#include "proof/number.h"

bool rung_proof_is_size(const rung_proof_op *op, size_t arg)
{
    for (size_t d = 0; d < op->dim_count; d++)
        if (op->dims[d] == arg)
            return true;
    return false;
}

bool rung_proof_is_unread(const rung_proof_op *op, size_t arg, const rung_value *values)
{
    const uint8_t by = op->args[arg].unread_if_zero;
    return !proof_is_read(&op->args[arg]) ||
           (by != RUNG_PROOF_NO_ARG && rung_proof_scalar(&values[by], op->args[by].type) == 0.0);
}

bool rung_proof_says_unread(const rung_proof_op *op, size_t scalar)
{
    for (size_t i = 0; i < op->arg_count; i++)
        if (op->args[i].pointer && op->args[i].unread_if_zero == scalar)
            return true;
    return false;
}

size_t rung_proof_axis_length(const rung_proof_axis *axis, const rung_value *values)
{
    return axis->arg == RUNG_PROOF_NO_ARG ? axis->fixed : values[axis->arg].size;
}

size_t rung_proof_elements(const rung_proof_op *op, size_t arg, const rung_value *values)
{
    size_t count = 1;
    for (unsigned a = 0; a < op->args[arg].axes; a++)
        count *= rung_proof_axis_length(&op->args[arg].shape[a], values);
    return count;
}

double rung_proof_work_of(const rung_proof_op *op, const rung_value *values)
{
    double elements = 0.0, product = 1.0;
    for (size_t i = 0; i < op->arg_count; i++) {
        double count = op->args[i].pointer ? 1.0 : 0.0; /* which may be more than a size_t holds */
        for (unsigned a = 0; a < op->args[i].axes; a++)
            count *= (double)rung_proof_axis_length(&op->args[i].shape[a], values);
        elements += count;
    }
    for (size_t i = 0; i < op->dim_count; i++)
        product *= (double)(values[op->dims[i]].size + 1);
    const double flops = op->flops != NULL ? op->flops(values) : product;
    return 8.0 * elements + (isfinite(flops) ? flops : product); /* the registry's may divide by a size that is 0 */
}

double rung_proof_work_at(const rung_proof_op *op, const size_t *sizes)
{
    rung_value values[RUNG_PROOF_ARGS_MAX];
    memset(values, 0, sizeof values);
    for (size_t d = 0; d < op->dim_count; d++)
        values[op->dims[d]].size = sizes[d];
    return rung_proof_work_of(op, values);
}

void rung_proof_permute(const rung_proof_op *op, size_t arg, const rung_value *values, size_t dim, const size_t *order,
                        void *to, const void *from)
{
    const rung_proof_arg *a = &op->args[arg];
    const size_t count = rung_proof_elements(op, arg, values), size = rung_proof_kind_size(rung_proof_kind_of(a));
    size_t at[RUNG_PROOF_DIMS_MAX] = {0};
    for (size_t i = 0; i < count; i++) {
        size_t source = 0;
        for (unsigned x = 0; x < a->axes; x++)
            source =
                source * rung_proof_axis_length(&a->shape[x], values) + (a->shape[x].arg == dim ? order[at[x]] : at[x]);
        memcpy((char *)to + i * size, (const char *)from + source * size, size);
        for (unsigned x = a->axes; x-- > 0 && ++at[x] == rung_proof_axis_length(&a->shape[x], values);)
            at[x] = 0;
    }
}
