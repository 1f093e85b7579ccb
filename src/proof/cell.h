/* SPDX-License-Identifier: Apache-2.0
 *
 * cell.h: the proof of one cell, in this process.
 */
#ifndef RUNG_PROOF_CELL_H
#define RUNG_PROOF_CELL_H

#include "proof/journal.h"

/* Opens the platform on which calls reach the cell, and tries all cases; the answer is in the journal. `how`: by what
 * the processor's own cells are run. */
void rung_proof_try_cell(const rung_proof *proof, const rung_proof_op *op, const rung_cell *cell,
                         const rung_proof_options *options, rung_proof_how how, proof_journal *journal);

#endif
