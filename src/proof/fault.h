/* SPDX-License-Identifier: Apache-2.0
 *
 * fault.h: what a process does about a fault in a kernel: it notes where it was, and dies of it.
 */
#ifndef RUNG_PROOF_FAULT_H
#define RUNG_PROOF_FAULT_H

#include "proof/journal.h"

/* From now on a fault of a memory access notes in the journal which array it was at; with `say` it also writes the cell
 * to stderr. Then the signal does what it did before. */
void proof_fault_watch(proof_journal *journal, bool say);
/* No longer. */
void proof_fault_unwatch(void);

#endif
