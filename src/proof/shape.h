/* SPDX-License-Identifier: Apache-2.0
 *
 * shape.h: how many elements the arrays of a call have, and how much work it is.
 */
#ifndef RUNG_PROOF_SHAPE_H
#define RUNG_PROOF_SHAPE_H

#include "rung/proof.h"

/* The length of one axis. */
size_t rung_proof_axis_length(const rung_proof_axis *axis, const rung_value *values);
/* The elements of an array; 0 where one axis has none. */
size_t rung_proof_elements(const rung_proof_op *op, size_t arg, const rung_value *values);
/* A measure of what a call with these sizes costs, about a nanosecond each: floating-point operations where the
 * registry says how many, the product of the sizes otherwise, and the elements of all arrays. */
double rung_proof_work_of(const rung_proof_op *op, const rung_value *values);

/* Copies an array, permuted along every axis that is argument `dim`: to[..., i, ...] = from[..., order[i], ...]. */
void rung_proof_permute(const rung_proof_op *op, size_t arg, const rung_value *values, size_t dim, const size_t *order,
                        void *to, const void *from);

#endif
