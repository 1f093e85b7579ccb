/* SPDX-License-Identifier: Apache-2.0
 *
 * moments.h: a random result against another one: their means and their standard deviations.
 */
#ifndef RUNG_PROOF_MOMENTS_H
#define RUNG_PROOF_MOMENTS_H

#include "proof/compare.h"

/* Within six standard errors. Arrays too small for that (below 64 elements) are held to be finite where the other one
 * is. */
void rung_proof_compare_moments(proof_stand *s, size_t arg, const void *got, const proof_wanted *wanted);

#endif
