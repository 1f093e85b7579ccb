/* SPDX-License-Identifier: Apache-2.0
 *
 * registers.h: calls a kernel with every register that it has to leave alone filled, and looks at them afterwards: the
 * callee-saved registers, the stack pointer and the floating-point control state. By the System V ABI of x86-64
 * (gitlab.com/x86-psABIs/x86-64-ABI, 3.2) and by AAPCS64 (github.com/ARM-software/abi-aa, 6.1), as Linux has them.
 * Registers that a call may change are not looked at, so neither are the upper halves of ymm0 to ymm15: to leave them
 * in use costs time and breaks no rule.
 */
#ifndef RUNG_PROOF_REGISTERS_H
#define RUNG_PROOF_REGISTERS_H

#include "rung/proof.h"

/* Whether this build knows the calling convention of its target. Where it does not, the caller uses op->call. */
bool rung_proof_registers_supported(void);

/* Calls fn, a kernel of the op on the processor, with cx and the op's arguments; *status is its answer. True: it left
 * all as the calling convention demands. Otherwise `what` (size bytes) names all that it changed, e.g.
 * "rbx was changed; MXCSR was left as 0x9fc0, not 0x1f80". Either way the caller's registers and control state are as
 * before. `fn` is called as it is, without the checks of a dispatch. Safe in threads. Only where supported. */
bool rung_proof_registers_call(rung_proof_function *fn, const rung_ctx *cx, const rung_proof_op *op,
                               const rung_value *values, rung_status *status, char *what, size_t size);

#endif
