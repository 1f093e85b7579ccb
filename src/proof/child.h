/* SPDX-License-Identifier: Apache-2.0
 *
 * child.h: the proof of one cell in a process of its own, so that a fault in a kernel is a result.
 */
#ifndef RUNG_PROOF_CHILD_H
#define RUNG_PROOF_CHILD_H

#include "proof/cell.h"

/* As rung_proof_try_cell; options->in_process: without another process. The journal is put where both see it, filled
 * from *journal first and copied back. */
void rung_proof_in_child(const rung_proof *proof, const rung_proof_op *op, const rung_cell *cell,
                         const rung_proof_options *options, rung_proof_how how, proof_journal *journal);

#endif
