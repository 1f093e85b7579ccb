/* SPDX-License-Identifier: Apache-2.0
 *
 * registers_aarch64.c: a watched call by AAPCS64. A function has to leave as they were x19 to x29, the stack pointer,
 * the lower halves of v8 to v15 (d8 to d15) and FPCR.
 */
#include "proof/registers_frame.h"

#ifdef PROOF_REGISTERS_AARCH64

const char *const rung_proof_registers_names[] = {"x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
                                                  "x29", "d8",  "d9",  "d10", "d11", "d12", "d13", "d14", "d15", NULL};
const char rung_proof_registers_stack_name[] = "sp";

/* clang-format off */
__asm__(
    ".pushsection .text.rung_proof_registers_enter, \"ax\", %progbits\n"
    ".globl rung_proof_registers_enter\n"
    ".hidden rung_proof_registers_enter\n"
    ".type rung_proof_registers_enter, %function\n"
    "rung_proof_registers_enter:\n"
    "    hint #34\n"                            /* bti c */
    "    stp x29, x30, [sp, #-160]!\n"
    "    stp x19, x20, [sp, #16]\n"
    "    stp x21, x22, [sp, #32]\n"
    "    stp x23, x24, [sp, #48]\n"
    "    stp x25, x26, [sp, #64]\n"
    "    stp x27, x28, [sp, #80]\n"
    "    stp d8, d9, [sp, #96]\n"
    "    stp d10, d11, [sp, #112]\n"
    "    stp d12, d13, [sp, #128]\n"
    "    stp d14, d15, [sp, #144]\n"
    "    mov x9, sp\n"
    "    str x9, [x0, #" PROOF_WORD(PROOF_STACK_OWN) "]\n"
    "    mrs x9, fpcr\n"
    "    str x9, [x0, #" PROOF_WORD(PROOF_CONTROL_BEFORE) "]\n"
    "    ldr x10, [x0, #" PROOF_WORD(PROOF_STACK_COUNT) "]\n"
    "    add x11, x0, #" PROOF_WORD(PROOF_STACK) "\n"
    "    sub sp, sp, x10, lsl #3\n"
    "    mov x9, sp\n"
    "    str x9, [x0, #" PROOF_WORD(PROOF_STACK_BEFORE) "]\n"
    "1:  cbz x10, 2f\n"
    "    sub x10, x10, #1\n"
    "    ldr x12, [x11, x10, lsl #3]\n"
    "    str x12, [x9, x10, lsl #3]\n"
    "    b 1b\n"
    "2:  add x9, x0, #" PROOF_WORD(PROOF_SAVED) "\n"
    "    ldp x19, x20, [x9]\n"
    "    ldp x21, x22, [x9, #16]\n"
    "    ldp x23, x24, [x9, #32]\n"
    "    ldp x25, x26, [x9, #48]\n"
    "    ldp x27, x28, [x9, #64]\n"
    "    ldr x29, [x9, #80]\n"
    "    ldp d8, d9, [x9, #88]\n"
    "    ldp d10, d11, [x9, #104]\n"
    "    ldp d12, d13, [x9, #120]\n"
    "    ldp d14, d15, [x9, #136]\n"
    "    add x9, x0, #" PROOF_WORD(PROOF_VECTORS) "\n"
    "    ldp d0, d1, [x9]\n"
    "    ldp d2, d3, [x9, #16]\n"
    "    ldp d4, d5, [x9, #32]\n"
    "    ldp d6, d7, [x9, #48]\n"
    "    ldr x16, [x0, #" PROOF_WORD(PROOF_FUNCTION) "]\n"
    "    add x9, x0, #" PROOF_WORD(PROOF_INTEGERS) "\n"
    "    ldp x0, x1, [x9]\n"
    "    ldp x2, x3, [x9, #16]\n"
    "    ldp x4, x5, [x9, #32]\n"
    "    ldp x6, x7, [x9, #48]\n"
    "    blr x16\n"
    "    mrs x9, tpidr_el0\n"
    "    adrp x10, :gottprel:rung_proof_registers_current\n"
    "    ldr x10, [x10, #:gottprel_lo12:rung_proof_registers_current]\n"
    "    ldr x9, [x9, x10]\n"
    "    str x0, [x9, #" PROOF_WORD(PROOF_RESULT) "]\n"
    "    mov x10, sp\n"
    "    str x10, [x9, #" PROOF_WORD(PROOF_STACK_AFTER) "]\n"
    "    ldr x10, [x9, #" PROOF_WORD(PROOF_STACK_OWN) "]\n"
    "    mov sp, x10\n"
    "    mrs x10, fpcr\n"
    "    str x10, [x9, #" PROOF_WORD(PROOF_CONTROL_AFTER) "]\n"
    "    ldr x10, [x9, #" PROOF_WORD(PROOF_CONTROL_BEFORE) "]\n"
    "    msr fpcr, x10\n"
    "    add x9, x9, #" PROOF_WORD(PROOF_SAVED) "\n"
    "    stp x19, x20, [x9]\n"
    "    stp x21, x22, [x9, #16]\n"
    "    stp x23, x24, [x9, #32]\n"
    "    stp x25, x26, [x9, #48]\n"
    "    stp x27, x28, [x9, #64]\n"
    "    str x29, [x9, #80]\n"
    "    stp d8, d9, [x9, #88]\n"
    "    stp d10, d11, [x9, #104]\n"
    "    stp d12, d13, [x9, #120]\n"
    "    stp d14, d15, [x9, #136]\n"
    "    ldp x19, x20, [sp, #16]\n"
    "    ldp x21, x22, [sp, #32]\n"
    "    ldp x23, x24, [sp, #48]\n"
    "    ldp x25, x26, [sp, #64]\n"
    "    ldp x27, x28, [sp, #80]\n"
    "    ldp d8, d9, [sp, #96]\n"
    "    ldp d10, d11, [sp, #112]\n"
    "    ldp d12, d13, [sp, #128]\n"
    "    ldp d14, d15, [sp, #144]\n"
    "    ldp x29, x30, [sp], #160\n"
    "    ret\n"
    ".size rung_proof_registers_enter, .-rung_proof_registers_enter\n"
    ".popsection\n");
/* clang-format on */

void rung_proof_registers_control(const proof_frame *frame, rung_text *what)
{
    if (frame->control_after[0] == frame->control_before)
        return;
    rung_proof_registers_and(what);
    rung_text_add(what, "FPCR was left as 0x");
    rung_text_hex(what, frame->control_after[0], 8);
    rung_text_add(what, ", not 0x");
    rung_text_hex(what, frame->control_before, 8);
}

#else
typedef int proof_registers_aarch64_is_empty; /* ISO C has no empty translation units */
#endif
