/* SPDX-License-Identifier: Apache-2.0
 *
 * registers_frame.h: what stands between the part of a watched call that is the same everywhere (registers.c) and that
 * of one processor family (registers_x86.c, registers_aarch64.c).
 */
#ifndef RUNG_PROOF_REGISTERS_FRAME_H
#define RUNG_PROOF_REGISTERS_FRAME_H

#include "proof/registers.h"
#include "text.h"

/* The registers that arguments go to. */
#if defined(__linux__) && defined(__x86_64__) && defined(__LP64__)
#define PROOF_REGISTERS_X86
enum { PROOF_INTEGER_REGISTERS = 6, PROOF_VECTOR_REGISTERS = 8 };
#elif defined(__linux__) && defined(__aarch64__) && defined(__LP64__) && !defined(__AARCH64EB__)
#define PROOF_REGISTERS_AARCH64
enum { PROOF_INTEGER_REGISTERS = 8, PROOF_VECTOR_REGISTERS = 8 };
#endif

#if defined(PROOF_REGISTERS_X86) || defined(PROOF_REGISTERS_AARCH64)
#define PROOF_REGISTERS

/* Where the assembly language finds the members of a frame. */
#define PROOF_FUNCTION       0
#define PROOF_STACK_COUNT    8
#define PROOF_INTEGERS       16
#define PROOF_VECTORS        80
#define PROOF_SAVED          144
#define PROOF_STACK_OWN      304
#define PROOF_STACK_BEFORE   312
#define PROOF_STACK_AFTER    320
#define PROOF_RESULT         328
#define PROOF_CONTROL_BEFORE 336
#define PROOF_CONTROL_AFTER  344
#define PROOF_STACK          384

#define PROOF_WORD(number)         PROOF_WORD_OF(number)
#define PROOF_WORD_OF(number)      #number
#define PROOF_AT(member, register) PROOF_WORD(member) "(" register ")"

enum {
    PROOF_SAVED_MAX = 20,                     /* registers that are to be left alone, of the family with most */
    PROOF_STACK_MAX = RUNG_PROOF_ARGS_MAX + 2 /* with cx, and even */
};

/* One call. */
typedef struct proof_frame {
    rung_proof_function *function;
    uint64_t stack_count; /* even, as the stack is to be aligned */
    uint64_t integers[8], vectors[8];
    uint64_t saved[PROOF_SAVED_MAX];               /* before the call what they are filled with, then what they held */
    uint64_t stack_own, stack_before, stack_after; /* stack pointers: of rung_proof_registers_enter, around the call */
    uint64_t result;
    uint64_t control_before, control_after[5]; /* as the family has them */
    uint64_t stack[PROOF_STACK_MAX];
} proof_frame;

/* The frame of the call that this thread is in: registers that could point to it may come back changed. */
extern _Thread_local proof_frame *rung_proof_registers_current;

/* In assembly language: makes the call. */
void rung_proof_registers_enter(proof_frame *frame);

/* What stands in a saved register before the call. */
uint64_t rung_proof_registers_fill(unsigned number);

/* Of each family: the names of what frame->saved holds, NULL behind the last, and the words on its control state. */
extern const char *const rung_proof_registers_names[];
extern const char rung_proof_registers_stack_name[];
void rung_proof_registers_control(const proof_frame *frame, rung_text *what);

/* Begins one more thing that was changed. */
void rung_proof_registers_and(rung_text *what);

#endif

#endif
