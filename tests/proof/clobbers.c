/* SPDX-License-Identifier: Apache-2.0 */
#include "clobbers.h"

/* A function that does `code` and answers 8, RUNG_ERR_NUMERIC. */
#define FUNCTION(name, code)                                                                                           \
    __asm__(".pushsection .text\n.globl " #name "\n.hidden " #name "\n" #name ":\n" code "\n.popsection\n");           \
    extern rung_proof_function name __attribute__((visibility("hidden")));

_Static_assert(RUNG_ERR_NUMERIC == 8, "the functions below answer it");

#if defined(__linux__) && defined(__x86_64__)

#define ANSWER "\nmovl $8, %eax\nret"

FUNCTION(clobbers_alignment, "leaq 8(%rsp), %rax\nandl $15, %eax\nret")
FUNCTION(clobbers_nothing, "pushq %rbx\nmovq $1, %rbx\nmovq $1, %rcx\nmovq $1, %r11\nxorps %xmm15, %xmm15\n"
                           "popq %rbx" ANSWER)
/* flags that an operation sets, and that a call may change */
FUNCTION(clobbers_status, "pushq $0x1f9f\nldmxcsr (%rsp)\nldmxcsr (%rsp)\npopq %rax" ANSWER)
FUNCTION(clobbers_rbx, "incq %rbx" ANSWER)
FUNCTION(clobbers_rbp, "movq $0, %rbp" ANSWER)
FUNCTION(clobbers_r12, "movq $0, %r12" ANSWER)
FUNCTION(clobbers_r13, "movq $0, %r13" ANSWER)
FUNCTION(clobbers_r14, "movq $0, %r14" ANSWER)
FUNCTION(clobbers_r15, "btcq $63, %r15" ANSWER)
FUNCTION(clobbers_rsp, "movl $8, %eax\nret $8")
FUNCTION(clobbers_mxcsr, "pushq $0x9fc0\nldmxcsr (%rsp)\npopq %rax" ANSWER)
FUNCTION(clobbers_rounding, "pushq $0x3f80\nldmxcsr (%rsp)\npopq %rax" ANSWER)
FUNCTION(clobbers_x87, "pushq $0x027f\nfldcw (%rsp)\npopq %rax" ANSWER)
FUNCTION(clobbers_mmx, "pxor %mm0, %mm0" ANSWER)
FUNCTION(clobbers_stack, "fld1" ANSWER)
FUNCTION(clobbers_direction, "std" ANSWER)
FUNCTION(clobbers_many, "movq $0, %rbx\nmovq $0, %r15\nfld1\nstd" ANSWER)

const clobber clobbers[] = {
    {clobbers_nothing, ""},
    {clobbers_status, ""},
    {clobbers_rbx, "rbx was changed"},
    {clobbers_rbp, "rbp was changed"},
    {clobbers_r12, "r12 was changed"},
    {clobbers_r13, "r13 was changed"},
    {clobbers_r14, "r14 was changed"},
    {clobbers_r15, "r15 was changed"},
    {clobbers_rsp, "rsp was changed"},
    {clobbers_mxcsr, "MXCSR was left as 0x9fc0, not 0x1f80"},
    {clobbers_rounding, "MXCSR was left as 0x3f80, not 0x1f80"},
    {clobbers_x87, "the x87 control word was left as 0x027f, not 0x037f"},
    {clobbers_mmx, "the x87 stack was left used (no EMMS)"},
    {clobbers_stack, "the x87 stack was left used (no EMMS)"},
    {clobbers_direction, "the direction flag was left set"},
    {clobbers_many, "rbx was changed; r15 was changed; the x87 stack was left used (no EMMS); "
                    "the direction flag was left set"},
};

#elif defined(__linux__) && defined(__aarch64__)

#define ANSWER "\nmov w0, #8\nret"

FUNCTION(clobbers_alignment, "mov x0, sp\nand x0, x0, #15\nret")
/* the upper halves of v8 to v15 are a call's to change, and FPSR, and x18 on Linux */
FUNCTION(clobbers_nothing, "mov x9, #1\nmov x18, #1\nmov v8.d[1], x9\nmov v15.d[1], x9\nmsr fpsr, x9" ANSWER)
FUNCTION(clobbers_x19, "add x19, x19, #1" ANSWER)
FUNCTION(clobbers_x20, "mov x20, #0" ANSWER)
FUNCTION(clobbers_x21, "mov x21, #0" ANSWER)
FUNCTION(clobbers_x22, "mov x22, #0" ANSWER)
FUNCTION(clobbers_x23, "mov x23, #0" ANSWER)
FUNCTION(clobbers_x24, "mov x24, #0" ANSWER)
FUNCTION(clobbers_x25, "mov x25, #0" ANSWER)
FUNCTION(clobbers_x26, "mov x26, #0" ANSWER)
FUNCTION(clobbers_x27, "mov x27, #0" ANSWER)
FUNCTION(clobbers_x28, "mov x28, #0" ANSWER)
FUNCTION(clobbers_x29, "mov x29, #0" ANSWER)
FUNCTION(clobbers_sp, "sub sp, sp, #16" ANSWER)
FUNCTION(clobbers_d8, "fmov d8, xzr" ANSWER)
FUNCTION(clobbers_d9, "fmov d9, xzr" ANSWER)
FUNCTION(clobbers_d10, "fmov d10, xzr" ANSWER)
FUNCTION(clobbers_d11, "fmov d11, xzr" ANSWER)
FUNCTION(clobbers_d12, "fmov d12, xzr" ANSWER)
FUNCTION(clobbers_d13, "fmov d13, xzr" ANSWER)
FUNCTION(clobbers_d14, "fmov d14, xzr" ANSWER)
FUNCTION(clobbers_d15, "fmov d15, xzr" ANSWER)
FUNCTION(clobbers_fpcr, "mov x9, #0x1000000\nmsr fpcr, x9" ANSWER)
FUNCTION(clobbers_many, "mov x19, #0\nmov x29, #0\nfmov d8, xzr" ANSWER)

const clobber clobbers[] = {
    {clobbers_nothing, ""},
    {clobbers_x19, "x19 was changed"},
    {clobbers_x20, "x20 was changed"},
    {clobbers_x21, "x21 was changed"},
    {clobbers_x22, "x22 was changed"},
    {clobbers_x23, "x23 was changed"},
    {clobbers_x24, "x24 was changed"},
    {clobbers_x25, "x25 was changed"},
    {clobbers_x26, "x26 was changed"},
    {clobbers_x27, "x27 was changed"},
    {clobbers_x28, "x28 was changed"},
    {clobbers_x29, "x29 was changed"},
    {clobbers_sp, "sp was changed"},
    {clobbers_d8, "d8 was changed"},
    {clobbers_d9, "d9 was changed"},
    {clobbers_d10, "d10 was changed"},
    {clobbers_d11, "d11 was changed"},
    {clobbers_d12, "d12 was changed"},
    {clobbers_d13, "d13 was changed"},
    {clobbers_d14, "d14 was changed"},
    {clobbers_d15, "d15 was changed"},
    {clobbers_fpcr, "FPCR was left as 0x01000000, not 0x00000000"},
    {clobbers_many, "x19 was changed; x29 was changed; d8 was changed"},
};

#endif

const size_t clobber_count = sizeof clobbers / sizeof *clobbers;
