/* SPDX-License-Identifier: Apache-2.0
 *
 * fiber.h: threads of the host's own making, which run one at a time and change places where they say so.
 */
#ifndef RUNG_ON_HOST_FIBER_H
#define RUNG_ON_HOST_FIBER_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define RUNG_FIBER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RUNG_FIBER_ASAN 1
#endif
#endif

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <ucontext.h>
#define RUNG_FIBER_UCONTEXT 1
#endif

#ifdef RUNG_FIBER_ASAN
extern "C" void __sanitizer_start_switch_fiber(void **save, const void *low, size_t size);
extern "C" void __sanitizer_finish_switch_fiber(void *save, const void **low, size_t *size);
#endif
#ifndef RUNG_FIBER_UCONTEXT
extern "C" __attribute__((visibility("hidden"))) void rung_fiber_switch(void **from, void *to);
#endif

namespace rung_on_host
{

/* A stack with a page behind its end that nobody may touch. */
struct stack {
    char *low;
    size_t size;
    stack *next;
};

/* From a pool, NULL without memory, and back to it. Not for two threads at once. */
stack *stack_take();
void stack_give(stack *s);

/* A place where a fiber stands while another one runs. */
struct place {
#ifdef RUNG_FIBER_UCONTEXT
    ucontext_t context;
#else
    void *sp;
#endif
    void *fake_stack; /* of the address sanitizer */
    const void *low;  /* of its stack */
    size_t size;
};

/* The place at which `entry` begins on a stack. It never returns. shift: bytes that are left free at the top, so that
 * the tops of many stacks do not share the lines of a cache. */
void place_new(place *p, stack *s, size_t shift, void (*entry)());

#ifdef RUNG_FIBER_ASAN
/* The place that was left last: what runs next learns the bounds of its stack. `gone` stands for one left for good. */
extern place *left, gone;
#endif

/* To be called first by `entry`, with the place it was made with. */
inline void place_begun(place *p)
{
#ifdef RUNG_FIBER_ASAN
    __sanitizer_finish_switch_fiber(p->fake_stack, &left->low, &left->size);
#else
    (void)p;
#endif
}

/* Leaves the running fiber at *from (NULL: for good) and goes on at *to. Inline, for the processor predicts few of the
 * returns that follow. */
inline __attribute__((always_inline)) void place_switch(place *from, place *to)
{
    place nowhere;
    place *leave = from != nullptr ? from : &nowhere;
#ifdef RUNG_FIBER_ASAN
    left = from != nullptr ? from : &gone;
    __sanitizer_start_switch_fiber(from != nullptr ? &from->fake_stack : nullptr, to->low, to->size);
#endif
#ifdef RUNG_FIBER_UCONTEXT
    (void)swapcontext(&leave->context, &to->context);
#else
    rung_fiber_switch(&leave->sp, to->sp);
#endif
    place_begun(leave);
}

} // namespace rung_on_host

#endif
