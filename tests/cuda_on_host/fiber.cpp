/* SPDX-License-Identifier: Apache-2.0
 *
 * fiber.cpp: the switch saves the registers that a function has to keep by the ABI: System V's for x86-64, and the
 * Procedure Call Standard for AArch64. It does not end in a return: the processor would expect that to lead elsewhere.
 */
#include "fiber.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef RUNG_FIBER_ASAN
extern "C" void __asan_unpoison_memory_region(void const volatile *at, size_t size);
#endif

namespace rung_on_host
{

/* ---- stacks ------------------------------------------------------------------------------------------------------ */

#ifdef RUNG_FIBER_ASAN
static constexpr size_t stack_size = 256 << 10;
#else
static constexpr size_t stack_size = 64 << 10;
#endif

static stack *pool;

stack *stack_take()
{
    if (pool != nullptr) {
        stack *s = pool;
        pool = s->next;
        return s;
    }
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = (char *)mmap(nullptr, stack_size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == (char *)MAP_FAILED)
        return nullptr;
    stack *s = (stack *)malloc(sizeof *s);
    if (s == nullptr || mprotect(memory, page, PROT_NONE) != 0) {
        (void)munmap(memory, stack_size + page);
        free(s);
        return nullptr;
    }
    *s = stack{memory + page, stack_size, nullptr};
    return s;
}

void stack_give(stack *s)
{
    s->next = pool;
    pool = s;
}

/* ---- the switch -------------------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
asm(R"(
    .text
    .p2align 4
    .hidden rung_fiber_switch
    .globl rung_fiber_switch
    .type rung_fiber_switch, @function
rung_fiber_switch:
    .cfi_startproc
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmpq *%rcx
    .cfi_endproc
    .size rung_fiber_switch, . - rung_fiber_switch
)");
enum { saved_words = 6, entry_word = 6, frame_words = 8 };
#elif defined(__aarch64__)
asm(R"(
    .text
    .p2align 4
    .hidden rung_fiber_switch
    .globl rung_fiber_switch
    .type rung_fiber_switch, %function
rung_fiber_switch:
    .cfi_startproc
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    br x30
    .cfi_endproc
    .size rung_fiber_switch, . - rung_fiber_switch
)");
enum { entry_word = 11, frame_words = 20 };
#endif

void place_new(place *p, stack *s, size_t shift, void (*entry)())
{
    char *top = s->low + s->size - shift;
#ifdef RUNG_FIBER_ASAN
    __asan_unpoison_memory_region(s->low, s->size); /* of whoever left it without returning */
#endif
    p->fake_stack = nullptr;
    p->low = s->low;
    p->size = s->size;
#ifdef RUNG_FIBER_UCONTEXT
    (void)getcontext(&p->context);
    p->context.uc_stack.ss_sp = s->low;
    p->context.uc_stack.ss_size = (size_t)(top - s->low);
    p->context.uc_link = nullptr;
    makecontext(&p->context, entry, 0);
#else
    uintptr_t *frame = (uintptr_t *)(void *)((uintptr_t)top & ~(uintptr_t)63) - frame_words;
    for (int i = 0; i < frame_words; i++)
        frame[i] = 0;
    frame[entry_word] = (uintptr_t)entry;
    p->sp = frame;
#endif
}

#ifdef RUNG_FIBER_ASAN
place *left, gone;
#endif

} // namespace rung_on_host
