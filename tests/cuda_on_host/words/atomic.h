/* SPDX-License-Identifier: Apache-2.0
 *
 * atomic.h: one thread of a launch runs at a time, so every access is atomic, and every fence done.
 */
#ifndef RUNG_ON_HOST_ATOMIC_H
#define RUNG_ON_HOST_ATOMIC_H

/* The new value from `old` (what stands there) and `value`. */
#define RUNG_ATOMIC(type, name, made)                                                                                  \
    static inline type atomic##name(type *at, type value)                                                              \
    {                                                                                                                  \
        const type old = *at;                                                                                          \
        *at = made;                                                                                                    \
        return old;                                                                                                    \
    }
#define RUNG_ATOMIC_BITS(type)                                                                                         \
    RUNG_ATOMIC(type, And, old &value)                                                                                 \
    RUNG_ATOMIC(type, Or, old | value)                                                                                 \
    RUNG_ATOMIC(type, Xor, old ^ value)
#define RUNG_ATOMIC_ORDER(type)                                                                                        \
    RUNG_ATOMIC(type, Min, value < old ? value : old)                                                                  \
    RUNG_ATOMIC(type, Max, old < value ? value : old)
#define RUNG_ATOMIC_CAS(type)                                                                                          \
    static inline type atomicCAS(type *at, type compare, type value)                                                   \
    {                                                                                                                  \
        const type old = *at;                                                                                          \
        if (old == compare)                                                                                            \
            *at = value;                                                                                               \
        return old;                                                                                                    \
    }

RUNG_ATOMIC(int, Add, (int)((unsigned)old + (unsigned)value))
RUNG_ATOMIC(unsigned, Add, old + value)
RUNG_ATOMIC(unsigned long long, Add, old + value)
RUNG_ATOMIC(float, Add, old + value)
RUNG_ATOMIC(double, Add, old + value)
RUNG_ATOMIC(int, Sub, (int)((unsigned)old - (unsigned)value))
RUNG_ATOMIC(unsigned, Sub, old - value)
RUNG_ATOMIC(unsigned, Inc, old >= value ? 0 : old + 1)
RUNG_ATOMIC(unsigned, Dec, old == 0 || old > value ? value : old - 1)
RUNG_ATOMIC(int, Exch, value + 0 * old)
RUNG_ATOMIC(unsigned, Exch, value + 0 * old)
RUNG_ATOMIC(unsigned long long, Exch, value + 0 * old)
RUNG_ATOMIC_BITS(int)
RUNG_ATOMIC_BITS(unsigned)
RUNG_ATOMIC_BITS(unsigned long long)
RUNG_ATOMIC_ORDER(int)
RUNG_ATOMIC_ORDER(unsigned)
RUNG_ATOMIC_ORDER(long long)
RUNG_ATOMIC_ORDER(unsigned long long)
RUNG_ATOMIC_CAS(int)
RUNG_ATOMIC_CAS(unsigned)
RUNG_ATOMIC_CAS(unsigned short)
RUNG_ATOMIC_CAS(unsigned long long)
#undef RUNG_ATOMIC
#undef RUNG_ATOMIC_BITS
#undef RUNG_ATOMIC_ORDER
#undef RUNG_ATOMIC_CAS

static inline float atomicExch(float *at, float value)
{
    const float old = *at;
    *at = value;
    return old;
}

static inline void __threadfence()
{
}

static inline void __threadfence_block()
{
}

static inline void __threadfence_system()
{
}

#endif
