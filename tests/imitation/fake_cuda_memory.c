/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda_memory.c: allocations. Memory of a device is pages that nobody may touch but copies to and from it, and
 * kernels that have an address of it among their parameters. Behind each allocation stands a page that none may, and
 * what is left free of its own pages is watched. Freed addresses are never used again.
 */
#include "fake_cuda_api.h"
#include "fake_cuda_state.h"

#include <sys/mman.h>

enum { FRESH_BYTE = 0xff, WATCHED_BYTE = 0xa5, ALIGNMENT = 256, UNIT = 512 };

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static bool is_usable(const memory *m)
{
    return m->h.live && (m->h.of == NULL || m->h.generation == m->h.of->generation);
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */

memory *fake_memory_at(const void *address)
{
    for (handle_kind kind = MEMORY; kind <= PINNED; kind++)
        for (handle *h = fake_first(kind); h != NULL; h = h->next) {
            memory *m = (memory *)h;
            if (is_usable(m) && (const char *)address >= m->start && (const char *)address < m->start + m->bytes)
                return m;
        }
    return NULL;
}

static bool was_freed(const void *address)
{
    for (handle *h = fake_first_dead(MEMORY); h != NULL; h = h->next) {
        const memory *m = (const memory *)h;
        if ((const char *)address >= m->start && (const char *)address < m->start + m->bytes)
            return true;
    }
    return false;
}

int fake_in_device(deviceptr at, size_t bytes, const char *what)
{
    const memory *m = fake_memory_at((const void *)at);
    if (bytes == 0)
        return 0;
    if (m == NULL)
        return fake_violation(INVALID_VALUE, "%s %p is %s", what, (void *)at,
                              was_freed((const void *)at) ? "freed memory" : "no memory of a device");
    if (m->h.of != fake_current())
        return fake_violation(INVALID_VALUE, "%s %p is memory of another context", what, (void *)at);
    const size_t room = m->bytes - (size_t)((const char *)at - m->start);
    if (bytes > room)
        return fake_violation(INVALID_VALUE, "%s %p has %zu bytes left, not %zu", what, (void *)at, room, bytes);
    return 0;
}

int fake_in_host(const void *at, size_t bytes, bool *pinned)
{
    const memory *m = fake_memory_at(at);
    *pinned = m != NULL;
    if (m == NULL && bytes > 0 && was_freed(at))
        return fake_violation(INVALID_VALUE, "the host's side %p is freed memory", at);
    if (m == NULL || bytes == 0)
        return 0;
    if (m->type == DEVICE_MEMORY)
        return fake_violation(INVALID_VALUE, "the host's side %p is memory of a device", at);
    const size_t room = m->bytes - (size_t)((const char *)at - m->start);
    if (bytes > room)
        return fake_violation(INVALID_VALUE, "the host's side %p has %zu pinned bytes left, not %zu", at, room, bytes);
    return 0;
}

/* ---- access ------------------------------------------------------------------------------------------------------ */

static bool holds(const memory *m, const void *address)
{
    return (const char *)address >= m->start && (const char *)address <= m->start + m->bytes;
}

/* Whether a word of the kernel's parameters is an address of the memory. */
static bool is_given(const memory *m, const op *o)
{
    const rung_on_host_kernel *code = o->launched->code;
    for (uint32_t i = 0; i < code->parameters; i++)
        for (size_t at = 0; at + sizeof(void *) <= code->sizes[i]; at += sizeof(void *)) {
            const void *word;
            memcpy(&word, (const char *)o->launch.parameters[i] + at, sizeof word);
            if (holds(m, word))
                return true;
        }
    return false;
}

static bool is_touched(const memory *m, const op *o)
{
    switch (o->kind) {
    case OP_COPY:
        return holds(m, o->to) || holds(m, o->from);
    case OP_FILL:
        return holds(m, o->to);
    case OP_LAUNCH:
        return is_given(m, o);
    case OP_WORK:
        return true;
    default:
        return false;
    }
}

static void protect(const op *o, int how)
{
    for (handle *h = fake_first(MEMORY); h != NULL; h = h->next) {
        memory *m = (memory *)h;
        if (is_usable(m) && m->h.of == o->of && m->type == DEVICE_MEMORY && is_touched(m, o))
            (void)mprotect(m->mapped, m->pages, how);
    }
}

void fake_memory_open(const op *o)
{
    protect(o, PROT_READ | PROT_WRITE);
}

void fake_memory_close(const op *o)
{
    protect(o, PROT_NONE);
}

static bool is_watched(const char *from, const char *to)
{
    for (; from < to; from++)
        if ((unsigned char)*from != WATCHED_BYTE)
            return false;
    return true;
}

int fake_memory_whole(const op *o, const char *kernel)
{
    for (handle *h = fake_first(MEMORY); h != NULL; h = h->next) {
        const memory *m = (const memory *)h;
        if (!is_usable(m) || m->h.of != o->of || !is_touched(m, o))
            continue;
        if (!is_watched(m->mapped, m->start) || !is_watched(m->start + m->bytes, m->mapped + m->pages)) {
            memset(m->mapped, WATCHED_BYTE, (size_t)(m->start - m->mapped));
            memset(m->start + m->bytes, WATCHED_BYTE, (size_t)(m->mapped + m->pages - m->start) - m->bytes);
            return fake_violation(ILLEGAL_ADDRESS, "kernel %s wrote beside the %zu bytes at %p", kernel, m->bytes,
                                  (void *)m->start);
        }
    }
    return 0;
}

/* ---- allocating -------------------------------------------------------------------------------------------------- */

static void unmap(memory *m)
{
    /* the addresses stay taken */
    (void)mmap(m->mapped, m->pages + page_size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
               -1, 0);
    fake_unmake(m);
}

/* Its end is that of its pages, as near as its alignment allows. */
static memory *map(memory_kind type, size_t bytes, context *c)
{
    const size_t page = page_size();
    const size_t pages = up(up(bytes, ALIGNMENT), page);
    char *at = mmap(NULL, pages + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    memory *m = mprotect(at, pages, PROT_READ | PROT_WRITE) != 0
                    ? NULL
                    : fake_make(type == PINNED_MEMORY ? PINNED : MEMORY, sizeof *m, c);
    if (m == NULL) {
        (void)munmap(at, pages + page);
        return NULL;
    }
    m->type = type;
    m->bytes = bytes;
    m->mapped = at;
    m->pages = pages;
    m->start = at + pages - up(bytes, ALIGNMENT);
    memset(m->mapped, WATCHED_BYTE, (size_t)(m->start - m->mapped));
    memset(m->start + bytes, WATCHED_BYTE, up(bytes, ALIGNMENT) - bytes);
    memset(m->start, FRESH_BYTE, bytes);
    if (type == DEVICE_MEMORY)
        (void)mprotect(m->mapped, m->pages, PROT_NONE);
    return m;
}

static int allocate(deviceptr *out, size_t bytes, memory_kind type)
{
    context *c = fake_current();
    const size_t most = fake_seen[c->device].bytes;
    if (bytes == 0)
        return fake_violation(INVALID_VALUE, "0 bytes");
    if (bytes > most || c->used + up(bytes, UNIT) > most)
        return OUT_OF_MEMORY;
    memory *m = map(type, bytes, c);
    if (m == NULL)
        return OUT_OF_MEMORY;
    c->used += up(bytes, UNIT);
    *out = (deviceptr)m->start;
    return 0;
}

int cuMemAlloc_v2(deviceptr *out, size_t bytes)
{
    int code = fake_enter("cuMemAlloc_v2", NEEDS_INIT | NEEDS_CONTEXT | ENDS_CAPTURE);
    if (code != 0)
        return code;
    return fake_leave(allocate(out, bytes, DEVICE_MEMORY));
}

int cuMemAllocManaged(deviceptr *out, size_t bytes, unsigned flags)
{
    int code = fake_enter("cuMemAllocManaged", NEEDS_INIT | NEEDS_CONTEXT | ENDS_CAPTURE);
    if (code != 0)
        return code;
    if (flags != 1 && flags != 2)
        code = fake_violation(INVALID_VALUE, "flags %u", flags);
    return fake_leave(code == 0 ? allocate(out, bytes, MANAGED_MEMORY) : code);
}

/* Objects are given back after an error that ended the use of the context as well; the call says so. */
static int give_back(memory *m)
{
    context *c = m->h.of;
    const int code = fake_run_all(c);
    if (m->type != PINNED_MEMORY)
        c->used -= up(m->bytes, UNIT);
    unmap(m);
    return code;
}

int cuMemFree_v2(deviceptr at)
{
    int code = fake_enter("cuMemFree_v2", NEEDS_INIT | ENDS_CAPTURE);
    if (code != 0)
        return code;
    memory *m = fake_memory_at((void *)at);
    if (at == 0)
        return fake_leave(0);
    if (m == NULL || m->start != (char *)at || m->h.kind != MEMORY)
        return fake_leave(fake_violation(INVALID_VALUE, "%p is %s", (void *)at,
                                         was_freed((void *)at) ? "freed already" : "no allocation of a device"));
    if (m->h.of != fake_current())
        return fake_leave(fake_violation(INVALID_CONTEXT, "%p is memory of another context", (void *)at));
    return fake_leave(give_back(m));
}

int cuMemGetInfo_v2(size_t *free, size_t *total)
{
    int code = fake_enter("cuMemGetInfo_v2", NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    const context *c = fake_current();
    *total = fake_seen[c->device].bytes;
    *free = *total - c->used;
    return fake_leave(0);
}

/* ---- pinned memory ----------------------------------------------------------------------------------------------- */

int cuMemHostAlloc(void **out, size_t bytes, unsigned flags)
{
    int code = fake_enter("cuMemHostAlloc", NEEDS_INIT | NEEDS_CONTEXT | ENDS_CAPTURE);
    if (code != 0)
        return code;
    if (bytes == 0 || flags > 7)
        return fake_leave(fake_violation(INVALID_VALUE, "%zu bytes, flags %u", bytes, flags));
    memory *m = map(PINNED_MEMORY, bytes, fake_current());
    if (m == NULL)
        return fake_leave(OUT_OF_MEMORY);
    *out = m->start;
    return fake_leave(0);
}

int cuMemFreeHost(void *at)
{
    int code = fake_enter("cuMemFreeHost", NEEDS_INIT | ENDS_CAPTURE);
    if (code != 0)
        return code;
    memory *m = fake_memory_at(at);
    if (m == NULL || m->start != at || m->type != PINNED_MEMORY)
        return fake_leave(fake_violation(INVALID_VALUE, "%p is no pinned allocation", at));
    return fake_leave(give_back(m));
}

int cuMemHostRegister_v2(void *at, size_t bytes, unsigned flags)
{
    int code = fake_enter("cuMemHostRegister_v2", NEEDS_INIT | NEEDS_CONTEXT | ENDS_CAPTURE);
    if (code != 0)
        return code;
    if (at == NULL || bytes == 0 || flags > 15)
        return fake_leave(fake_violation(INVALID_VALUE, "%zu bytes at %p, flags %u", bytes, at, flags));
    for (handle *h = fake_first(PINNED); h != NULL; h = h->next) {
        const memory *m = (const memory *)h;
        if (is_usable(m) && m->start < (char *)at + bytes && (char *)at < m->start + m->bytes)
            return fake_leave(fake_violation(HOST_MEMORY_ALREADY_REGISTERED, "%p is pinned already", at));
    }
    memory *m = fake_make(PINNED, sizeof *m, fake_current());
    if (m == NULL)
        return fake_leave(OUT_OF_MEMORY);
    m->type = REGISTERED_MEMORY;
    m->start = at;
    m->bytes = bytes;
    return fake_leave(0);
}

int cuMemHostUnregister(void *at)
{
    int code = fake_enter("cuMemHostUnregister", NEEDS_INIT | ENDS_CAPTURE);
    if (code != 0)
        return code;
    memory *m = fake_memory_at(at);
    if (m == NULL || m->start != at || m->type != REGISTERED_MEMORY)
        return fake_leave(fake_violation(HOST_MEMORY_NOT_REGISTERED, "%p is not registered", at));
    code = fake_run_all(m->h.of);
    fake_unmake(m);
    return fake_leave(code);
}

/* ---- what an address is ------------------------------------------------------------------------------------------ */

enum {
    A_CONTEXT = 1,
    A_TYPE,
    A_DEVICE_POINTER,
    A_HOST_POINTER,
    A_MANAGED = 8,
    A_ORDINAL,
    A_START = 11,
    A_SIZE,
    A_MAPPED
};

static bool tell(const memory *m, int attribute, deviceptr at, void *value)
{
    const bool device = m != NULL && (m->type == DEVICE_MEMORY || m->type == MANAGED_MEMORY);
    switch (attribute) {
    case A_CONTEXT:
        *(void **)value = m == NULL ? NULL : m->h.of;
        return true;
    case A_TYPE:
        *(unsigned *)value = m == NULL ? 0 : device ? 2 : 1;
        return true;
    case A_DEVICE_POINTER:
        *(deviceptr *)value = m == NULL ? 0 : at;
        return true;
    case A_HOST_POINTER:
        *(void **)value = m == NULL || m->type == DEVICE_MEMORY ? NULL : (void *)at;
        return true;
    case A_MANAGED:
        *(unsigned *)value = m != NULL && m->type == MANAGED_MEMORY;
        return true;
    case A_ORDINAL:
        *(int *)value = m == NULL ? -2 : m->h.of->device;
        return true;
    case A_START:
        *(deviceptr *)value = m == NULL ? 0 : (deviceptr)m->start;
        return true;
    case A_SIZE:
        *(size_t *)value = m == NULL ? 0 : m->bytes;
        return true;
    case A_MAPPED:
        *(unsigned *)value = m != NULL;
        return true;
    default:
        return false;
    }
}

int cuPointerGetAttribute(void *value, int attribute, deviceptr at)
{
    int code = fake_enter("cuPointerGetAttribute", NEEDS_INIT);
    if (code != 0)
        return code;
    const memory *m = fake_memory_at((void *)at);
    if (m == NULL)
        return fake_leave(INVALID_VALUE);
    return fake_leave(tell(m, attribute, at, value) ? 0 : fake_violation(INVALID_VALUE, "attribute %d", attribute));
}

int cuPointerGetAttributes(unsigned count, int *attributes, void **values, deviceptr at)
{
    int code = fake_enter("cuPointerGetAttributes", NEEDS_INIT);
    if (code != 0)
        return code;
    const memory *m = fake_memory_at((void *)at);
    for (unsigned i = 0; code == 0 && i < count; i++)
        if (!tell(m, attributes[i], at, values[i]))
            code = fake_violation(INVALID_VALUE, "attribute %d", attributes[i]);
    return fake_leave(code);
}
