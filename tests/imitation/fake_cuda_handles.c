/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda_handles.c: objects behind handles. They stand in memory of their own that is never given back, so that any
 * value can be asked whether it is one, or was.
 */
#include "fake_cuda_state.h"

#include <sys/mman.h>

enum { MAGIC = 0x0fa4e0cd };
static const size_t room = (size_t)32 << 20; /* reserved, not used */
static char *memory_of_handles;
static size_t used;

static handle *first_of[HANDLE_KINDS], *last_of[HANDLE_KINDS];
static handle *first_dead[HANDLE_KINDS];
static int live_of[HANDLE_KINDS];
static const char *const names[HANDLE_KINDS] = {"library", "kernel", "function", "stream",       "event",
                                                "graph",   "exec",   "memory",   "pinned memory"};

void *fake_keep(size_t size)
{
    size = (size + 15) / 16 * 16;
    if (memory_of_handles == NULL) {
        void *at = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED)
            return NULL;
        memory_of_handles = at;
    }
    if (size > room - used)
        return NULL;
    used += size;
    return memory_of_handles + used - size;
}

void *fake_make(handle_kind kind, size_t size, context *of)
{
    handle *h = fake_keep(size);
    if (h == NULL)
        return NULL;
    *h = (handle){.magic = MAGIC, .kind = kind, .live = true, .of = of, .generation = of == NULL ? 0 : of->generation};
    h->previous = last_of[kind];
    *(h->previous == NULL ? &first_of[kind] : &h->previous->next) = h;
    last_of[kind] = h;
    live_of[kind]++;
    return h;
}

void fake_unmake(void *object)
{
    handle *h = object;
    const handle_kind kind = h->kind;
    *(h->previous == NULL ? &first_of[kind] : &h->previous->next) = h->next;
    *(h->next == NULL ? &last_of[kind] : &h->next->previous) = h->previous;
    h->live = false;
    h->next = first_dead[kind];
    first_dead[kind] = h;
    live_of[kind]--;
}

handle *fake_first_dead(handle_kind kind)
{
    return first_dead[kind];
}

handle *fake_first(handle_kind kind)
{
    return first_of[kind];
}

int fake_live(handle_kind kind)
{
    return live_of[kind];
}

int fake_check(handle_kind kind, const void *object, bool in_context)
{
    const char *at = object;
    const handle *h = object;
    if (memory_of_handles == NULL || at < memory_of_handles || at >= memory_of_handles + used ||
        (uintptr_t)at % 16 != 0 || h->magic != MAGIC || h->kind != kind)
        return fake_violation(INVALID_HANDLE, "%p is no %s", object, names[kind]);
    if (!h->live)
        return fake_violation(INVALID_HANDLE, "%p is a %s that was destroyed", object, names[kind]);
    if (h->of != NULL && h->generation != h->of->generation)
        return fake_violation(CONTEXT_IS_DESTROYED, "%p is a %s of a context that was destroyed", object, names[kind]);
    if (in_context && h->of != fake_current())
        return fake_violation(INVALID_CONTEXT, "%p is a %s of another context than the current one", object,
                              names[kind]);
    return 0;
}
