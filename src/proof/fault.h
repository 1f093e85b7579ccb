/* SPDX-License-Identifier: Apache-2.0
 *
 * fault.h: what a process does about a fault in a kernel: it notes where it was, and dies of it.
 */
#ifndef RUNG_PROOF_FAULT_H
#define RUNG_PROOF_FAULT_H

#include "proof/journal.h"

/* From now on a fault of a memory access notes in the journal which array it was at; the process then dies of the
 * signal. With `say` the cell is also written to stderr, and the signal does what it did before. */
void rung_proof_fault_watch(proof_journal *journal, bool say);
/* No longer. */
void rung_proof_fault_unwatch(void);

#endif
