/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls a kernel with every register that it has to leave alone filled, and looks at them afterwards: callee-saved
 * registers, the stack pointer, and the floating-point control state, by the System V ABI of x86-64 and by AAPCS64.
 */
#ifndef RUNG_PROOF_REGISTERS_H
#define RUNG_PROOF_REGISTERS_H

#include "rung/proof.h"

/* Whether this build knows the calling convention of its target. Where it does not, proof_registers_call may not be
 * called; the caller uses op->call. */
bool proof_registers_supported(void);

/* Calls fn, a kernel of the op on the processor, with cx and the op's arguments; *status is its answer. True: it left
 * all as the calling convention demands. Otherwise `what` (size bytes) says what it changed, e.g. "rbx was changed";
 * either way the caller's registers and control state are as before. `fn` is called as it is: what dispatch checks is
 * not checked. Safe in threads. */
bool proof_registers_call(rung_proof_function *fn, const rung_ctx *cx, const rung_proof_op *op,
                          const rung_value *values, rung_status *status, char *what, size_t size);

#endif
