/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/guard.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CANARY_BYTES = 192, CANARY = 0xa5, LEAST_BYTES = 1 << 16 };

typedef struct slot {
    unsigned char *base; /* `capacity` bytes, a multiple of the page size, with such a page on either side */
    size_t capacity;
    unsigned char *start, *end;
} slot;

static slot slots[PROOF_GUARD_SLOTS];
static size_t slack;

void rung_proof_guard_slack(size_t bytes)
{
    slack = bytes;
}

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void release(slot *s)
{
    if (s->base != NULL)
        (void)munmap(s->base - page_size(), s->capacity + 2 * page_size());
    *s = (slot){0};
}

static bool reserve(slot *s, size_t bytes)
{
    if (bytes <= s->capacity)
        return true;
    const size_t page = page_size();
    size_t capacity = LEAST_BYTES;
    while (capacity < bytes)
        capacity *= 2;
    release(s);
    unsigned char *all = mmap(NULL, capacity + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return false;
    s->base = all + page;
    s->capacity = capacity;
    if (mprotect(s->base, capacity, PROT_READ | PROT_WRITE) == 0)
        return true;
    release(s);
    return false;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t canary_before(const slot *s)
{
    return least((size_t)(s->start - s->base), CANARY_BYTES);
}

static size_t canary_after(const slot *s)
{
    return least((size_t)(s->base + s->capacity - s->end), CANARY_BYTES);
}

void *rung_proof_guard_place(unsigned number, size_t bytes, size_t element, int place)
{
    slot *s = &slots[number];
    if (!reserve(s, bytes + 2 * (size_t)CANARY_BYTES + PROOF_PLACES * element + slack))
        return NULL;
    if (place == PROOF_AT_END)
        s->start = s->base + s->capacity - slack - bytes;
    else
        s->start = place == PROOF_AT_START ? s->base : s->base + CANARY_BYTES + (size_t)place * element;
    s->end = s->start + bytes;
    memset(s->start - canary_before(s), CANARY, canary_before(s));
    memset(s->end, CANARY, canary_after(s));
    return s->start;
}

static bool all_canary(const unsigned char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (from[i] != CANARY)
            return false;
    return true;
}

bool rung_proof_guard_intact(unsigned number)
{
    const slot *s = &slots[number];
    return s->base == NULL ||
           (all_canary(s->start - canary_before(s), canary_before(s)) && all_canary(s->end, canary_after(s)));
}

bool rung_proof_guard_find(const void *address, unsigned *number, ptrdiff_t *offset, size_t *bytes)
{
    const uintptr_t at = (uintptr_t)address;
    const size_t page = page_size();
    for (unsigned i = 0; i < PROOF_GUARD_SLOTS; i++) {
        const slot *s = &slots[i];
        if (s->base == NULL || at < (uintptr_t)s->base - page || at >= (uintptr_t)s->base + s->capacity + page)
            continue;
        *number = i;
        *offset = (ptrdiff_t)(at - (uintptr_t)s->start);
        *bytes = (size_t)(s->end - s->start);
        return true;
    }
    return false;
}

void rung_proof_guard_protect(unsigned number, bool on)
{
    if (slots[number].base != NULL)
        (void)mprotect(slots[number].base, slots[number].capacity, on ? PROT_READ : PROT_READ | PROT_WRITE);
}

void rung_proof_guard_free(void)
{
    for (unsigned i = 0; i < PROOF_GUARD_SLOTS; i++)
        release(&slots[i]);
}
