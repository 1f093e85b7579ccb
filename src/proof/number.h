/* SPDX-License-Identifier: Apache-2.0
 *
 * number.h: the elements of arrays and scalars of any type, as double and as rung_wide.
 */
#ifndef RUNG_PROOF_NUMBER_H
#define RUNG_PROOF_NUMBER_H

#include "rung/proof.h"

/* What an element is: a rung_proof_type, or one of these. */
enum { PROOF_BFLOAT16 = RUNG_PROOF_UINT64 + 1, PROOF_WIDE };
typedef unsigned proof_kind;

proof_kind rung_proof_kind_of(const rung_proof_arg *arg);
size_t rung_proof_kind_size(proof_kind kind);
bool rung_proof_kind_floats(proof_kind kind);

/* What bounds a kind. Of integers `tiny` and `normal` are 0. */
typedef struct proof_limits {
    double low, high; /* the lowest and highest finite number; of 64-bit integers the nearest inside */
    double tiny;      /* the smallest above 0 */
    double normal;    /* the smallest that has all of its digits */
} proof_limits;
proof_limits rung_proof_limits_of(proof_kind kind);

double rung_proof_load(const void *array, proof_kind kind, size_t i);
rung_wide rung_proof_load_wide(const void *array, proof_kind kind, size_t i);
/* Rounded to the nearest that the kind has; integers are cut to its bounds, and NaN is 0 for them. */
void rung_proof_store(void *array, proof_kind kind, size_t i, double value);

double rung_proof_scalar(const rung_value *value, uint8_t type);
void rung_proof_scalar_set(rung_value *value, uint8_t type, double to);

/* Writes what shows that nobody has written: NaN, and of integers a pattern. */
void rung_proof_fill_unwritten(void *array, proof_kind kind, size_t count);

/* The same bits; of floating point also NaN and NaN. */
bool rung_proof_same(const void *a, const void *b, proof_kind kind, size_t i);

#endif
