/* SPDX-License-Identifier: Apache-2.0
 *
 * warp.h: what the lanes of a warp do together. All lanes of the mask that have not returned must come to the same
 * word, with the same mask. A value from a lane that does not take part has all bits set.
 */
#ifndef RUNG_ON_HOST_WARP_H
#define RUNG_ON_HOST_WARP_H

namespace rung_on_host
{

/* What a lane brings, and what it gets. */
struct lane {
    alignas(16) unsigned char value[16], result[16];
    unsigned source; /* of a shuffle: the lane that the value is to come from */
    void *data;      /* of wmma */
};

/* Called once all lanes of `there` have come, for all of them. lanes [32]. */
typedef void together_fn(lane *lanes, unsigned there);

/* Waits for the others of the mask; returns the caller's lane. */
RUNG_HIDDEN lane &together(together_fn *what, unsigned mask, int line);
RUNG_HIDDEN lane &own_lane();
RUNG_HIDDEN unsigned lane_number();
/* Ends the launch where lanes of the caller's warp have returned, or have never been. */
RUNG_HIDDEN void need_whole_warp(int line);

RUNG_HIDDEN together_fn meet, shuffle, vote;

template <class T> static inline T shuffled(unsigned mask, T value, unsigned source, int line)
{
    static_assert(sizeof(T) <= 16, "a shuffle of at most 16 bytes");
    lane &own = own_lane();
    memcpy(own.value, &value, sizeof value);
    own.source = source;
    (void)together(shuffle, mask, line);
    memcpy(&value, own.result, sizeof value);
    return value;
}

static inline unsigned voted(unsigned mask, int predicate, int line)
{
    own_lane().source = predicate != 0;
    unsigned lanes;
    memcpy(&lanes, together(vote, mask, line).result, sizeof lanes);
    return lanes;
}

/* The first lane of the part of the warp that `width` cuts out. */
static inline unsigned part(int width)
{
    if (width != 1 && width != 2 && width != 4 && width != 8 && width != 16 && width != 32)
        fail("a shuffle of width %d", width);
    return lane_number() & ~((unsigned)width - 1);
}

template <class T, class F> static inline T reduced(unsigned mask, T value, F add, int line)
{
    T sum{};
    bool first = true;
    const unsigned there = voted(mask, 1, line);
    for (unsigned from = 0; from < 32; from++) {
        if ((there >> from & 1U) == 0)
            continue;
        const T other = shuffled(mask, value, from, line);
        sum = first ? other : add(sum, other);
        first = false;
    }
    return sum;
}

} // namespace rung_on_host

template <class T>
static inline T __shfl_sync(unsigned mask, T value, int from, int width = 32, int line = __builtin_LINE())
{
    const unsigned source = rung_on_host::part(width) + ((unsigned)from & ((unsigned)width - 1));
    return rung_on_host::shuffled(mask, value, source, line);
}

template <class T>
static inline T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32, int line = __builtin_LINE())
{
    const unsigned own = rung_on_host::lane_number();
    const unsigned source = own - rung_on_host::part(width) >= by ? own - by : own;
    return rung_on_host::shuffled(mask, value, source, line);
}

template <class T>
static inline T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32, int line = __builtin_LINE())
{
    const unsigned own = rung_on_host::lane_number();
    const unsigned source = own - rung_on_host::part(width) + by < (unsigned)width ? own + by : own;
    return rung_on_host::shuffled(mask, value, source, line);
}

template <class T>
static inline T __shfl_xor_sync(unsigned mask, T value, int with, int width = 32, int line = __builtin_LINE())
{
    const unsigned own = rung_on_host::lane_number(), other = own ^ (unsigned)with;
    const unsigned source = other < rung_on_host::part(width) + (unsigned)width ? other : own;
    return rung_on_host::shuffled(mask, value, source, line);
}

static inline void __syncwarp(unsigned mask = 0xffffffffU, int line = __builtin_LINE())
{
    (void)rung_on_host::together(rung_on_host::meet, mask, line);
}

static inline unsigned __ballot_sync(unsigned mask, int predicate, int line = __builtin_LINE())
{
    return rung_on_host::voted(mask, predicate, line);
}

static inline int __any_sync(unsigned mask, int predicate, int line = __builtin_LINE())
{
    return rung_on_host::voted(mask, predicate, line) != 0;
}

static inline int __all_sync(unsigned mask, int predicate, int line = __builtin_LINE())
{
    return rung_on_host::voted(mask, predicate == 0, line) == 0;
}

/* Which lanes run side by side is the GPU's choice: here none does. */
static inline unsigned __activemask()
{
    return 1U << rung_on_host::lane_number();
}

#define RUNG_REDUCE(type, name, sum)                                                                                   \
    static inline type __reduce_##name##_sync(unsigned mask, type value, int line = __builtin_LINE())                  \
    {                                                                                                                  \
        return rung_on_host::reduced(                                                                                  \
            mask, value, [](type a, type b) { return sum; }, line);                                                    \
    }
RUNG_REDUCE(unsigned, add, a + b)
RUNG_REDUCE(unsigned, min, min(a, b))
RUNG_REDUCE(unsigned, max, max(a, b))
RUNG_REDUCE(unsigned, and, (a & b))
RUNG_REDUCE(unsigned, or, (a | b))
RUNG_REDUCE(unsigned, xor, (a ^ b))
RUNG_REDUCE(int, add, a + b)
RUNG_REDUCE(int, min, min(a, b))
RUNG_REDUCE(int, max, max(a, b))
#undef RUNG_REDUCE

#endif
