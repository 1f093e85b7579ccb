/* SPDX-License-Identifier: Apache-2.0
 *
 * shape.h: what the arguments of a call are for, how many elements its arrays have, and how much work it is.
 */
#ifndef RUNG_PROOF_SHAPE_H
#define RUNG_PROOF_SHAPE_H

#include "rung/proof.h"

static inline bool proof_is_written(const rung_proof_arg *arg)
{
    return arg->pointer && (arg->access & RUNG_PROOF_WRITE) != 0;
}

static inline bool proof_is_read(const rung_proof_arg *arg)
{
    return arg->pointer && (arg->access & RUNG_PROOF_READ) != 0;
}

/* Whether a scalar is one of the sizes. */
bool rung_proof_is_size(const rung_proof_op *op, size_t arg);
/* Whether a call with these scalars has no business with what an array holds before. */
bool rung_proof_is_unread(const rung_proof_op *op, size_t arg, const rung_value *values);
/* Whether a scalar is a factor of one array alone: the one that is not read where it is 0. */
bool rung_proof_says_unread(const rung_proof_op *op, size_t scalar);

/* The length of one axis. */
size_t rung_proof_axis_length(const rung_proof_axis *axis, const rung_value *values);
/* The elements of an array; 0 where one axis has none. */
size_t rung_proof_elements(const rung_proof_op *op, size_t arg, const rung_value *values);
/* A measure of what a call with these sizes costs, about a nanosecond each: floating-point operations where the
 * registry says how many, the product of the sizes otherwise, and the elements of all arrays. */
double rung_proof_work_of(const rung_proof_op *op, const rung_value *values);

/* The same of its sizes alone, one for each of op->dims. */
double rung_proof_work_at(const rung_proof_op *op, const size_t *sizes);

/* Copies an array, permuted along every axis that is argument `dim`: to[..., i, ...] = from[..., order[i], ...]. */
void rung_proof_permute(const rung_proof_op *op, size_t arg, const rung_value *values, size_t dim, const size_t *order,
                        void *to, const void *from);

#endif
