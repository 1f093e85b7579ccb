/* SPDX-License-Identifier: Apache-2.0
 *
 * draw.h: arguments, drawn as the registry says.
 */
#ifndef RUNG_PROOF_DRAW_H
#define RUNG_PROOF_DRAW_H

#include "proof/number.h"
#include "proof/random.h"

/* An array. */
void rung_proof_draw_array(const rung_proof_op *op, size_t arg, const rung_value *values, proof_random *r, void *to);

/* How many values of a scalar matter: those to try, the finite bounds of its range, and a random one. */
size_t rung_proof_levels(const rung_proof_arg *arg);
/* Value number `level` of them. */
double rung_proof_level(const rung_proof_arg *arg, size_t level, proof_random *r);
/* One of them that is finite, or one more that is random: what infinity makes of a call hides all else of it. */
double rung_proof_draw_scalar(const rung_proof_arg *arg, proof_random *r);
/* Whether it is in the range that the dispatch checks. */
bool rung_proof_in_range(const rung_proof_arg *arg, double value);

/* Values that arithmetic treats differently: NaN, infinities, zeros, denormals, the smallest normal. */
enum { PROOF_SPECIALS = 8, PROOF_HUGES = 3 };
double rung_proof_special(proof_kind kind, size_t which);
/* The largest finite one, its negative, and its half. */
double rung_proof_huge(proof_kind kind, size_t which);

#endif
