/* SPDX-License-Identifier: Apache-2.0
 *
 * choose.h: cells and ops by their names.
 */
#ifndef RUNG_PROOF_CHOOSE_H
#define RUNG_PROOF_CHOOSE_H

#include "rung/proof.h"

/* As rung_proof_options says of `only`. */
bool rung_proof_pattern_fits(const char *pattern, const rung_cell *cell);
/* Whether one of them fits; every cell is chosen where there is none. Those that fit are noted in `fitted`, if that is
 * not NULL. */
bool rung_proof_is_chosen(const char *const *patterns, size_t count, bool *fitted, const rung_cell *cell);

/* For people: "gemm_tn cpu/x86-64-v3", and "/openblas" after it unless the variant is `default`. */
enum { PROOF_NAME = 256 };
void rung_proof_cell_name(const rung_cell *cell, char name[PROOF_NAME]);

/* NULL: the proof has no such op. */
const rung_proof_op *rung_proof_op_find(const rung_proof *proof, const char *name);

#endif
