/* SPDX-License-Identifier: Apache-2.0
 *
 * registers_x86.c: a watched call by the System V ABI of x86-64. Apart from the callee-saved registers a function has
 * to leave as they were the control bits of MXCSR and the x87 control word; the direction flag has to be clear, and the
 * x87 registers have to be empty, on entry and on return.
 */
#include "proof/registers_frame.h"

#ifdef PROOF_REGISTERS_X86

/* control_before: MXCSR, then the x87 control word. control_after: MXCSR; the 28 bytes of FNSTENV; in the last one
 * RFLAGS. */
#define MXCSR_BEFORE 336
#define X87_BEFORE   340
#define MXCSR_AFTER  344
#define X87_AFTER    348
#define FLAGS_AFTER  376
_Static_assert(MXCSR_BEFORE == PROOF_CONTROL_BEFORE && MXCSR_AFTER == PROOF_CONTROL_AFTER, "");
_Static_assert(X87_AFTER + 28 == FLAGS_AFTER && FLAGS_AFTER + 8 == PROOF_STACK, "");

enum { MXCSR_STATUS = 0x3f, X87_EMPTY = 0xffff, DIRECTION = 1 << 10 };

const char *const rung_proof_registers_names[] = {"rbx", "rbp", "r12", "r13", "r14", "r15", NULL};
const char rung_proof_registers_stack_name[] = "rsp";

/* clang-format off */
__asm__(
    ".pushsection .text.rung_proof_registers_enter, \"ax\", @progbits\n"
    ".globl rung_proof_registers_enter\n"
    ".hidden rung_proof_registers_enter\n"
    ".type rung_proof_registers_enter, @function\n"
    "rung_proof_registers_enter:\n"
    "    pushq %rbp\n"
    "    pushq %rbx\n"
    "    pushq %r12\n"
    "    pushq %r13\n"
    "    pushq %r14\n"
    "    pushq %r15\n"
    "    subq $8, %rsp\n"                       /* a multiple of 16 from here on */
    "    movq %rsp, " PROOF_AT(PROOF_STACK_OWN, "%rdi") "\n"
    "    stmxcsr " PROOF_AT(MXCSR_BEFORE, "%rdi") "\n"
    "    fnstcw " PROOF_AT(X87_BEFORE, "%rdi") "\n"
    "    movq " PROOF_AT(PROOF_STACK_COUNT, "%rdi") ", %rcx\n"
    "1:  testq %rcx, %rcx\n"
    "    jz 2f\n"
    "    pushq " PROOF_WORD(PROOF_STACK) "-8(%rdi,%rcx,8)\n"
    "    decq %rcx\n"
    "    jmp 1b\n"
    "2:  movq %rsp, " PROOF_AT(PROOF_STACK_BEFORE, "%rdi") "\n"
    "    movq " PROOF_AT(PROOF_SAVED, "%rdi") ", %rbx\n"
    "    movq " PROOF_AT(PROOF_SAVED + 8, "%rdi") ", %rbp\n"
    "    movq " PROOF_AT(PROOF_SAVED + 16, "%rdi") ", %r12\n"
    "    movq " PROOF_AT(PROOF_SAVED + 24, "%rdi") ", %r13\n"
    "    movq " PROOF_AT(PROOF_SAVED + 32, "%rdi") ", %r14\n"
    "    movq " PROOF_AT(PROOF_SAVED + 40, "%rdi") ", %r15\n"
    "    movsd " PROOF_AT(PROOF_VECTORS, "%rdi") ", %xmm0\n"
    "    movsd " PROOF_AT(PROOF_VECTORS + 8, "%rdi") ", %xmm1\n"
    "    movsd " PROOF_AT(PROOF_VECTORS + 16, "%rdi") ", %xmm2\n"
    "    movsd " PROOF_AT(PROOF_VECTORS + 24, "%rdi") ", %xmm3\n"
    "    movsd " PROOF_AT(PROOF_VECTORS + 32, "%rdi") ", %xmm4\n"
    "    movsd " PROOF_AT(PROOF_VECTORS + 40, "%rdi") ", %xmm5\n"
    "    movsd " PROOF_AT(PROOF_VECTORS + 48, "%rdi") ", %xmm6\n"
    "    movsd " PROOF_AT(PROOF_VECTORS + 56, "%rdi") ", %xmm7\n"
    "    movq " PROOF_AT(PROOF_FUNCTION, "%rdi") ", %r11\n"
    "    movq " PROOF_AT(PROOF_INTEGERS + 8, "%rdi") ", %rsi\n"
    "    movq " PROOF_AT(PROOF_INTEGERS + 16, "%rdi") ", %rdx\n"
    "    movq " PROOF_AT(PROOF_INTEGERS + 24, "%rdi") ", %rcx\n"
    "    movq " PROOF_AT(PROOF_INTEGERS + 32, "%rdi") ", %r8\n"
    "    movq " PROOF_AT(PROOF_INTEGERS + 40, "%rdi") ", %r9\n"
    "    movq " PROOF_AT(PROOF_INTEGERS, "%rdi") ", %rdi\n"
    "    call *%r11\n"
    "    movq rung_proof_registers_current@gottpoff(%rip), %rcx\n"
    "    movq %fs:(%rcx), %rcx\n"
    "    movq %rsp, " PROOF_AT(PROOF_STACK_AFTER, "%rcx") "\n"
    "    movq " PROOF_AT(PROOF_STACK_OWN, "%rcx") ", %rsp\n"
    "    pushfq\n"
    "    popq " PROOF_AT(FLAGS_AFTER, "%rcx") "\n"
    "    cld\n"
    "    movq %rax, " PROOF_AT(PROOF_RESULT, "%rcx") "\n"
    "    movq %rbx, " PROOF_AT(PROOF_SAVED, "%rcx") "\n"
    "    movq %rbp, " PROOF_AT(PROOF_SAVED + 8, "%rcx") "\n"
    "    movq %r12, " PROOF_AT(PROOF_SAVED + 16, "%rcx") "\n"
    "    movq %r13, " PROOF_AT(PROOF_SAVED + 24, "%rcx") "\n"
    "    movq %r14, " PROOF_AT(PROOF_SAVED + 32, "%rcx") "\n"
    "    movq %r15, " PROOF_AT(PROOF_SAVED + 40, "%rcx") "\n"
    "    stmxcsr " PROOF_AT(MXCSR_AFTER, "%rcx") "\n"
    "    ldmxcsr " PROOF_AT(MXCSR_BEFORE, "%rcx") "\n"
    "    fnstenv " PROOF_AT(X87_AFTER, "%rcx") "\n"
    "    fninit\n"                              /* empties the registers, as emms would */
    "    fldcw " PROOF_AT(X87_BEFORE, "%rcx") "\n"
    "    addq $8, %rsp\n"
    "    popq %r15\n"
    "    popq %r14\n"
    "    popq %r13\n"
    "    popq %r12\n"
    "    popq %rbx\n"
    "    popq %rbp\n"
    "    ret\n"
    ".size rung_proof_registers_enter, .-rung_proof_registers_enter\n"
    ".popsection\n");
/* clang-format on */

static void differs(rung_text *what, const char *name, uint64_t after, uint64_t before)
{
    if (after == before)
        return;
    rung_proof_registers_and(what);
    rung_text_join(what, (const char *const[]){name, " was left as 0x", NULL});
    rung_text_hex(what, after, 4);
    rung_text_add(what, ", not 0x");
    rung_text_hex(what, before, 4);
}

void rung_proof_registers_control(const proof_frame *frame, rung_text *what)
{
    uint32_t mxcsr_before = (uint32_t)frame->control_before, mxcsr = (uint32_t)frame->control_after[0];
    uint16_t x87_before = (uint16_t)(frame->control_before >> 32), x87 = (uint16_t)(frame->control_after[0] >> 32);
    uint16_t tags = (uint16_t)(frame->control_after[1] >> 32); /* bytes 8 and 9 of FNSTENV's */
    differs(what, "MXCSR", mxcsr & ~(uint32_t)MXCSR_STATUS, mxcsr_before & ~(uint32_t)MXCSR_STATUS);
    differs(what, "the x87 control word", x87, x87_before);
    if (tags != X87_EMPTY) {
        rung_proof_registers_and(what);
        rung_text_add(what, "the x87 stack was left used (no EMMS)");
    }
    if ((frame->control_after[4] & DIRECTION) != 0) {
        rung_proof_registers_and(what);
        rung_text_add(what, "the direction flag was left set");
    }
}

#else
typedef int proof_registers_x86_is_empty; /* ISO C has no empty translation units */
#endif
