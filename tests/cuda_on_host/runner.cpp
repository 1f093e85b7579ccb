/* SPDX-License-Identifier: Apache-2.0
 *
 * runner.cpp: runs a launch. The threads of a block are fibers, which run one at a time until they wait or return; the
 * one that is next in the launch's order goes on. A thread that returns without having waited leaves its stack to the
 * next, so that a kernel without barriers costs a call per thread.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define RUNG_ON_HOST_TARGET 0
#define RUNG_ON_HOST_IMAGE  runner
#include "fiber.h"
#include "on_host.h"

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace rung_on_host
{

enum { most_threads = 1024, most_warps = most_threads / 32, dynamic_most = 48 << 10 };
enum state : unsigned char { fresh, ready, at_barrier, in_warp, returned };

/* A copy that is made when the thread waits for it. */
struct copy {
    void *to;
    const void *from;
    size_t bytes, zeros;
    copy *next;
    bool last; /* of its batch */
};

struct fiber {
    place at;
    stack *on;
    uint3 index;
    unsigned thread, lane, warp;
    copy *first, *last;
};

/* Lanes that wait for each other. */
struct meeting {
    together_fn *what;
    unsigned mask, there;
    int line;
};

struct warp {
    lane lanes[32];
    unsigned position[32]; /* of each lane in the order */
    unsigned alive;        /* lanes that have not returned */
    unsigned first;        /* position of the lane that stands first in the order */
    unsigned meetings;
    meeting meeting_of[32];
};

/* Everything but states and order is by position in the order. */
static fiber fibers[most_threads];
static unsigned char states[most_threads];
static warp warps[most_warps];
static unsigned threads, current, scan, alive;
static unsigned waiting; /* at the barrier of line `barrier_line` */
static int barrier_line, barrier_sum, barrier_told;
static place runner;
static stack *spare; /* of the fiber that left last for good */
static char *dynamic_memory;
static const rung_on_host_kernel *kernel;
static const rung_on_host_launch *launch;
static rung_on_host_result result;
static char *text;
static size_t text_size;

/* ---- the end of a launch ----------------------------------------------------------------------------------------- */

[[noreturn]] static void give_up(rung_on_host_result how)
{
    result = how;
    place_switch(nullptr, &runner);
    abort();
}

void fail(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int said = snprintf(text, text_size, "block (%u, %u, %u), thread (%u, %u, %u): ", blockIdx.x, blockIdx.y,
                              blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
    if (said > 0 && (size_t)said < text_size)
        (void)vsnprintf(text + said, text_size - (size_t)said, format, list);
    va_end(list);
    give_up(RUNG_ON_HOST_DIVERGED);
}

/* Nobody can go on: who waits where. */
[[noreturn]] static void fail_stuck()
{
    char barrier[96] = "no thread waits at a barrier";
    if (waiting > 0)
        (void)snprintf(barrier, sizeof barrier, "%u of %u threads wait at the barrier of line %d, %u have returned",
                       waiting, threads, barrier_line, threads - alive);
    for (unsigned w = 0; w * 32 < threads; w++)
        if (warps[w].meetings > 0)
            fail("line %d: lanes %08x of warp %u wait for the others of mask %08x; %s", warps[w].meeting_of[0].line,
                 warps[w].meeting_of[0].there, w, warps[w].meeting_of[0].mask, barrier);
    fail("%s", barrier);
}

/* ---- who runs ---------------------------------------------------------------------------------------------------- */

static void fiber_main();

/* The next in the order that can go on; `threads` when there is none. */
static unsigned find_next()
{
    for (unsigned i = scan + 1; i < threads; i++)
        if (states[i] <= ready)
            return i;
    for (unsigned i = 0; i <= scan && i < threads; i++)
        if (states[i] <= ready)
            return i;
    return threads;
}

static void become(unsigned position)
{
    current = scan = position;
    threadIdx = fibers[position].index;
}

/* The running fiber goes on when its state says so; from: NULL for one that has returned. */
static inline __attribute__((always_inline)) void leave_to(fiber *from, unsigned position)
{
    fiber &to = fibers[position];
    if (from == &to) {
        become(position);
        return;
    }
    if (states[position] == fresh) {
        to.on = spare != nullptr ? spare : stack_take();
        if (to.on == nullptr)
            fail("no memory for a stack");
        spare = nullptr;
        place_new(&to.at, to.on, position % 61 * 64, fiber_main);
        states[position] = ready;
    }
    if (from == nullptr) {
        if (spare != nullptr)
            stack_give(spare);
        spare = fibers[current].on;
        fibers[current].on = nullptr;
    }
    become(position);
    place_switch(from != nullptr ? &from->at : nullptr, &to.at);
}

static inline __attribute__((always_inline)) void wait_as(state how)
{
    fiber &me = fibers[current];
    states[current] = how;
    const unsigned next = find_next();
    if (next == threads)
        fail_stuck();
    leave_to(&me, next);
}

/* ---- warps ------------------------------------------------------------------------------------------------------- */

static bool is_complete(const warp &w, const meeting &m)
{
    return (m.mask & w.alive & ~m.there) == 0;
}

static void complete(warp &w, unsigned which)
{
    const meeting m = w.meeting_of[which];
    w.meeting_of[which] = w.meeting_of[--w.meetings];
    m.what(w.lanes, m.there);
    for (unsigned l = 0; l < 32; l++)
        if ((m.there >> l & 1U) != 0)
            states[w.position[l]] = ready;
    scan = w.first > 0 ? w.first - 1 : threads - 1; /* the warp goes on first */
}

lane &own_lane()
{
    return warps[fibers[current].warp].lanes[fibers[current].lane];
}

unsigned lane_number()
{
    return fibers[current].lane;
}

lane &together(together_fn *what, unsigned mask, int line)
{
    fiber &me = fibers[current];
    warp &w = warps[me.warp];
    const unsigned bit = 1U << me.lane;
    if ((mask & bit) == 0)
        fail("line %d: mask %08x lacks the lane %u that comes with it", line, mask, me.lane);
    unsigned which = 0;
    for (; which < w.meetings && w.meeting_of[which].mask != mask; which++)
        ;
    meeting &m = w.meeting_of[which];
    if (which == w.meetings) {
        w.meetings++;
        m = meeting{what, mask, 0, line};
    } else if (m.what != what || m.line != line) {
        fail("line %d: lanes of mask %08x wait for this one at line %d", line, mask, m.line);
    }
    m.there |= bit;
    if (is_complete(w, m))
        complete(w, which);
    else
        wait_as(in_warp);
    return w.lanes[me.lane];
}

void need_whole_warp(int line)
{
    const unsigned there = warps[fibers[current].warp].alive;
    if (there != 0xffffffffU)
        fail("line %d wants a whole warp, not lanes %08x", line, there);
}

void meet(lane *, unsigned)
{
}

void shuffle(lane *lanes, unsigned there)
{
    for (unsigned l = 0; l < 32; l++) {
        if ((there >> l & 1U) == 0)
            continue;
        const unsigned source = lanes[l].source % 32;
        if ((there >> source & 1U) != 0)
            memcpy(lanes[l].result, lanes[source].value, sizeof lanes[l].result);
        else
            memset(lanes[l].result, 0xff, sizeof lanes[l].result);
    }
}

void vote(lane *lanes, unsigned there)
{
    unsigned yes = 0;
    for (unsigned l = 0; l < 32; l++)
        if ((there >> l & 1U) != 0 && lanes[l].source != 0)
            yes |= 1U << l;
    for (unsigned l = 0; l < 32; l++)
        memcpy(lanes[l].result, &yes, sizeof yes);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

int barrier(int value, int line)
{
    if (waiting > 0 && line != barrier_line)
        fail("the barrier of line %d, while others wait at that of line %d", line, barrier_line);
    barrier_line = line;
    barrier_sum += value != 0;
    if (++waiting < threads) {
        wait_as(at_barrier);
        return barrier_told;
    }
    barrier_told = barrier_sum;
    barrier_sum = 0;
    waiting = 0;
    memset(states, ready, threads);
    return barrier_told;
}

unsigned threads_of_block()
{
    return threads;
}

void *dynamic_shared()
{
    /* its end is that of the memory, as near as an alignment to 16 bytes allows */
    return dynamic_memory + dynamic_most - ((size_t)launch->shared + 15) / 16 * 16;
}

/* The thread has returned. */
static void leave_warp(fiber &me)
{
    warp &w = warps[me.warp];
    w.alive &= ~(1U << me.lane);
    for (unsigned which = 0; which < w.meetings;)
        if (is_complete(w, w.meeting_of[which]))
            complete(w, which);
        else
            which++;
}

static void fiber_main()
{
    place_begun(&fibers[current].at);
    for (;;) {
        kernel->call(launch->parameters);
        fiber &me = fibers[current];
        if (me.first != nullptr)
            fail("the thread returns without having waited for its copies");
        states[current] = returned;
        alive--;
        leave_warp(me);
        const unsigned next = find_next();
        if (next == threads && alive > 0)
            fail_stuck();
        if (next == threads)
            give_up(RUNG_ON_HOST_DONE);
        if (states[next] == fresh) { /* on this stack */
            states[next] = ready;
            fibers[next].on = me.on;
            fibers[next].at = me.at;
            me.on = nullptr;
            become(next);
        } else {
            leave_to(nullptr, next);
        }
    }
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

void copy_later(void *to, const void *from, size_t bytes, size_t zeros)
{
    fiber &me = fibers[current];
    copy *c = (copy *)malloc(sizeof *c);
    if (c == nullptr)
        fail("no memory for a copy");
    *c = copy{to, from, bytes, zeros, nullptr, false};
    if (me.first == nullptr)
        me.first = c;
    else
        me.last->next = c;
    me.last = c;
}

/* A batch without copies is one of its own. */
void copies_commit()
{
    fiber &me = fibers[current];
    if (me.first == nullptr || me.last->last)
        copy_later(nullptr, nullptr, 0, 0);
    me.last->last = true;
}

static void drop(fiber &f, bool make)
{
    copy *c = f.first;
    f.first = c->next;
    if (make && c->to != nullptr) {
        memcpy(c->to, c->from, c->bytes);
        memset((char *)c->to + c->bytes, 0, c->zeros);
    }
    free(c);
}

void copies_wait(size_t ahead)
{
    fiber &me = fibers[current];
    size_t batches = 0;
    for (const copy *c = me.first; c != nullptr; c = c->next)
        batches += c->last;
    for (; batches > ahead; batches--) {
        bool last = false;
        while (!last) {
            last = me.first->last;
            drop(me, true);
        }
    }
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

static unsigned order[most_threads]; /* the thread at each position */

static uint64_t drawn(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* Fills the order and what follows from it. */
static void set_up()
{
    uint64_t seed = launch->order * 0x9e3779b97f4a7c15U + 1;
    for (unsigned i = 0; i < threads; i++)
        order[i] = launch->order == 1 ? threads - 1 - i : i;
    for (unsigned i = threads; launch->order > 1 && i > 1; i--) {
        const unsigned k = (unsigned)(drawn(&seed) % i), swap = order[i - 1];
        order[i - 1] = order[k];
        order[k] = swap;
    }
    for (unsigned w = 0; w < most_warps; w++)
        warps[w].first = most_threads;
    for (unsigned i = 0; i < threads; i++) {
        fiber &f = fibers[i];
        const unsigned t = order[i];
        f.thread = t;
        f.lane = t % 32;
        f.warp = t / 32;
        f.index = make_uint3(t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y);
        warps[f.warp].position[f.lane] = i;
        if (i < warps[f.warp].first)
            warps[f.warp].first = i;
    }
}

static void run_block()
{
    memset(states, fresh, threads);
    alive = threads;
    waiting = 0;
    barrier_sum = 0;
    for (unsigned w = 0; w * 32 < threads; w++) {
        const unsigned lanes = threads - w * 32;
        warps[w].alive = lanes >= 32 ? 0xffffffffU : (1U << lanes) - 1;
        warps[w].meetings = 0;
    }
    memset(kernel->shared_from, 0xff, (size_t)((char *)kernel->shared_to - (char *)kernel->shared_from));
    if (launch->shared > 0)
        memset(dynamic_shared(), 0xff, (launch->shared + 15U) / 16 * 16);

    fiber &first = fibers[0];
    become(0);
    states[0] = ready;
    first.on = stack_take();
    if (first.on == nullptr) {
        (void)snprintf(text, text_size, "no memory for a stack");
        result = RUNG_ON_HOST_DIVERGED;
        return;
    }
    place_new(&first.at, first.on, 0, fiber_main);
    place_switch(&runner, &first.at);

    for (unsigned i = 0; i < threads; i++) {
        if (fibers[i].on != nullptr)
            stack_give(fibers[i].on);
        fibers[i].on = nullptr;
        while (fibers[i].first != nullptr)
            drop(fibers[i], false);
    }
    if (spare != nullptr)
        stack_give(spare);
    spare = nullptr;
}

/* Whether no byte behind the dynamic shared memory has been written. */
static bool is_slack_whole()
{
    const unsigned char *slack = (const unsigned char *)dynamic_shared() + launch->shared;
    for (; slack < (unsigned char *)dynamic_memory + dynamic_most; slack++)
        if (*slack != 0xff)
            return false;
    return true;
}

static void run_blocks()
{
    for (unsigned z = 0; z < gridDim.z; z++)
        for (unsigned y = 0; y < gridDim.y; y++)
            for (unsigned x = 0; x < gridDim.x; x++) {
                blockIdx = make_uint3(x, y, z);
                run_block();
                if (result == RUNG_ON_HOST_DONE && launch->shared > 0 && !is_slack_whole()) {
                    (void)snprintf(text, text_size, "block (%u, %u, %u) wrote behind its %u bytes of shared memory", x,
                                   y, z, launch->shared);
                    result = RUNG_ON_HOST_FAULT;
                }
                if (result != RUNG_ON_HOST_DONE)
                    return;
            }
}

/* ---- memory that may not be touched ------------------------------------------------------------------------------ */

static char fault_stack[64 << 10];

/* On the stack of the handler, which has returned. Not said to be without return: the address sanitizer would clean up
 * a stack that it takes this one for. */
static void after_fault()
{
    result = RUNG_ON_HOST_FAULT;
    place_switch(nullptr, &runner);
}

/* Lets the thread go on in after_fault. */
static void on_fault(int, siginfo_t *info, void *context)
{
    (void)snprintf(text, text_size, "block (%u, %u, %u), thread (%u, %u, %u) touched %p, which it may not", blockIdx.x,
                   blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, info->si_addr);
    ucontext_t *registers = (ucontext_t *)context;
    char *top = fault_stack + sizeof fault_stack - 64;
    top -= (uintptr_t)top % 16;
#if defined(__x86_64__)
    registers->uc_mcontext.gregs[REG_RSP] = (greg_t)(top - 8); /* as if called */
    registers->uc_mcontext.gregs[REG_RIP] = (greg_t)after_fault;
#elif defined(__aarch64__)
    registers->uc_mcontext.sp = (uintptr_t)top;
    registers->uc_mcontext.pc = (uintptr_t)after_fault;
#else
    (void)registers;
    (void)top;
    after_fault();
#endif
}

static pthread_mutex_t one_launch = PTHREAD_MUTEX_INITIALIZER;

static bool make_dynamic_memory()
{
    if (dynamic_memory != nullptr)
        return true;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t pages = (dynamic_most + page - 1) / page * page;
    char *memory = (char *)mmap(nullptr, pages + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == (char *)MAP_FAILED)
        return false;
    if (mprotect(memory + pages, page, PROT_NONE) != 0)
        return false;
    dynamic_memory = memory + pages - dynamic_most;
    return true;
}

rung_on_host_result run(const rung_on_host_kernel *of, const rung_on_host_launch *with, char *message, size_t size)
{
    (void)pthread_mutex_lock(&one_launch);
    kernel = of;
    launch = with;
    text = message;
    text_size = size;
    result = RUNG_ON_HOST_DONE;
    gridDim = dim3(with->grid[0], with->grid[1], with->grid[2]);
    blockDim = dim3(with->block[0], with->block[1], with->block[2]);
    threads = blockDim.x * blockDim.y * blockDim.z;
    if (threads == 0 || threads > most_threads || with->shared > dynamic_most || !make_dynamic_memory()) {
        (void)snprintf(message, size, "a block of %u threads with %u bytes of shared memory", threads, with->shared);
        result = RUNG_ON_HOST_DIVERGED;
    } else {
        stack_t stack = {}, stack_before;
        stack.ss_sp = fault_stack;
        stack.ss_size = sizeof fault_stack;
        struct sigaction action = {}, segv, bus;
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        (void)sigaltstack(&stack, &stack_before);
        (void)sigaction(SIGSEGV, &action, &segv);
        (void)sigaction(SIGBUS, &action, &bus);
        set_up();
        run_blocks();
        (void)sigaction(SIGBUS, &bus, nullptr);
        (void)sigaction(SIGSEGV, &segv, nullptr);
        (void)sigaltstack(&stack_before, nullptr);
    }
    const rung_on_host_result how = result;
    (void)pthread_mutex_unlock(&one_launch);
    return how;
}

} // namespace rung_on_host

/* ---- what the library shows -------------------------------------------------------------------------------------- */

extern RUNG_HIDDEN const rung_on_host_kernel *__start_kernels_on_host[], *__stop_kernels_on_host[];

extern "C" __attribute__((visibility("default"))) const rung_on_host_kernel *rung_on_host_find(const char *name)
{
    for (const rung_on_host_kernel **k = __start_kernels_on_host; k < __stop_kernels_on_host; k++)
        if (strcmp((*k)->name, name) == 0)
            return *k;
    return nullptr;
}
