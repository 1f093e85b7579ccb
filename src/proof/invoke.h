/* SPDX-License-Identifier: Apache-2.0
 *
 * invoke.h: the calls of the case at work: of the cell that is proven, of the reference, and of that with wide numbers.
 */
#ifndef RUNG_PROOF_INVOKE_H
#define RUNG_PROOF_INVOKE_H

#include "proof/stand.h"

/* Puts the arrays of s->before where the case wants them (s->at), with the workspace. False, and a failed check: no
 * memory. */
bool rung_proof_place(proof_stand *s);
/* Writes what they have to hold before a call into them once more. */
void rung_proof_refill(proof_stand *s);

/* Calls the cell on them, by its dispatch, or where that is possible and `direct` by its address, with a check of the
 * registers. What has been written is in the arrays when it returns. */
rung_status rung_proof_call_cell(proof_stand *s, bool direct);
/* Checks that nothing was written around arrays, or to those that are read alone. */
void rung_proof_check_memory(proof_stand *s);

/* Calls the reference on s->before; what it writes is in s->want. */
rung_status rung_proof_call_reference(proof_stand *s);
/* Calls it on their absolute values: what it writes is in s->magnitude. False where it does not answer. */
bool rung_proof_call_magnitude(proof_stand *s);
/* Calls it as compiled with wide numbers; results in s->wide. */
rung_status rung_proof_call_wide(proof_stand *s);

#endif
