/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "guarded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SLOT_BYTES = 12 << 20, CANARY_BYTES = 192, CANARY = 0xa5 };

typedef struct slot {
    unsigned char *base; /* SLOT_BYTES of memory, with a page that may not be touched on either side */
    unsigned char *start, *end;
} slot;

static slot slots[GUARDED_SLOTS];

static unsigned char *map_slot(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *all = mmap(NULL, SLOT_BYTES + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + page, SLOT_BYTES, PROT_READ | PROT_WRITE) != 0) {
        perror("guarded_place");
        abort();
    }
    return all + page;
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
    return least((size_t)(s->base + SLOT_BYTES - s->end), CANARY_BYTES);
}

/* QEMU 7.2 reads what a VMASKMOV masks off, which processors do not: under it arrays end a little before the page. */
static size_t slack(void)
{
    return getenv("RUNG_TEST_GUARD_SLACK") != NULL ? 64 : 0;
}

void *guarded_place(unsigned number, size_t count, size_t element, int place)
{
    slot *s = &slots[number];
    size_t bytes = count * element;
    if (s->base == NULL)
        s->base = map_slot();
    if (bytes + 2 * (size_t)CANARY_BYTES > SLOT_BYTES) {
        (void)fprintf(stderr, "guarded_place: %zu bytes are too many\n", bytes);
        abort();
    }
    s->start =
        place == AT_END ? s->base + SLOT_BYTES - slack() - bytes : s->base + CANARY_BYTES + (size_t)place * element;
    s->end = s->start + bytes;
    memset(s->start - canary_before(s), CANARY, canary_before(s));
    memset(s->end, CANARY, canary_after(s));
    return s->start;
}

int guarded_next(int place, int by)
{
    return place == AT_END ? AT_END : (place + by) % 8;
}

static bool all_canary(const unsigned char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (from[i] != CANARY)
            return false;
    return true;
}

bool guarded_intact(void)
{
    for (size_t i = 0; i < GUARDED_SLOTS; i++) {
        const slot *s = &slots[i];
        if (s->base != NULL &&
            !(all_canary(s->start - canary_before(s), canary_before(s)) && all_canary(s->end, canary_after(s))))
            return false;
    }
    return true;
}
