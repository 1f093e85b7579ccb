/* SPDX-License-Identifier: Apache-2.0
 *
 * cases.h: all that a cell is tried at.
 */
#ifndef RUNG_PROOF_CASES_H
#define RUNG_PROOF_CASES_H

#include "proof/stand.h"

/* Everything below, in this order. */
void rung_proof_cases(proof_stand *s);

void rung_proof_cases_examples(proof_stand *s);     /* values from outside of the project */
void rung_proof_cases_left(proof_stand *s);         /* files, memory and more that calls leave */
void rung_proof_cases_sizes(proof_stand *s);        /* sizes, and places */
void rung_proof_cases_options(proof_stand *s);      /* optional arrays, in place, scalars */
void rung_proof_cases_values(proof_stand *s);       /* special values, and the largest */
void rung_proof_cases_refused(proof_stand *s);      /* what the reference refuses */
void rung_proof_cases_scalings(proof_stand *s);     /* powers of two */
void rung_proof_cases_permutations(proof_stand *s); /* along sizes */

#endif
