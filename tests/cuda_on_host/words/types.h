/* SPDX-License-Identifier: Apache-2.0
 *
 * types.h: CUDA's vectors of two to four numbers, with the alignments that the CUDA C++ Programming Guide lists.
 */
#ifndef RUNG_ON_HOST_TYPES_H
#define RUNG_ON_HOST_TYPES_H

#define RUNG_VECTORS(type, name, align1, align2, align4)                                                               \
    struct __attribute__((aligned(align1))) name##1                                                                    \
    {                                                                                                                  \
        type x;                                                                                                        \
    };                                                                                                                 \
    struct __attribute__((aligned(align2))) name##2                                                                    \
    {                                                                                                                  \
        type x, y;                                                                                                     \
    };                                                                                                                 \
    struct __attribute__((aligned(align1))) name##3                                                                    \
    {                                                                                                                  \
        type x, y, z;                                                                                                  \
    };                                                                                                                 \
    struct __attribute__((aligned(align4))) name##4                                                                    \
    {                                                                                                                  \
        type x, y, z, w;                                                                                               \
    };                                                                                                                 \
    static inline name##1 make_##name##1(type x)                                                                       \
    {                                                                                                                  \
        return {x};                                                                                                    \
    }                                                                                                                  \
    static inline name##2 make_##name##2(type x, type y)                                                               \
    {                                                                                                                  \
        return {x, y};                                                                                                 \
    }                                                                                                                  \
    static inline name##3 make_##name##3(type x, type y, type z)                                                       \
    {                                                                                                                  \
        return {x, y, z};                                                                                              \
    }                                                                                                                  \
    static inline name##4 make_##name##4(type x, type y, type z, type w)                                               \
    {                                                                                                                  \
        return {x, y, z, w};                                                                                           \
    }

RUNG_VECTORS(signed char, char, 1, 2, 4)
RUNG_VECTORS(unsigned char, uchar, 1, 2, 4)
RUNG_VECTORS(short, short, 2, 4, 8)
RUNG_VECTORS(unsigned short, ushort, 2, 4, 8)
RUNG_VECTORS(int, int, 4, 8, 16)
RUNG_VECTORS(unsigned, uint, 4, 8, 16)
RUNG_VECTORS(long long, longlong, 8, 16, 16)
RUNG_VECTORS(unsigned long long, ulonglong, 8, 16, 16)
RUNG_VECTORS(float, float, 4, 8, 16)
RUNG_VECTORS(double, double, 8, 16, 16)
#undef RUNG_VECTORS

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c)
    {
    }
};

#endif
