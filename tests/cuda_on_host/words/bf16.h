/* SPDX-License-Identifier: Apache-2.0
 *
 * bf16.h: __nv_bfloat16 as far as kernels use it: stored numbers that are converted to float and back.
 */
#ifndef RUNG_ON_HOST_BF16_H
#define RUNG_ON_HOST_BF16_H

struct __nv_bfloat16_raw {
    unsigned short x;
};

struct __nv_bfloat16 {
    unsigned short bits;

    __nv_bfloat16() = default;
    __nv_bfloat16(float value) : bits(rounded(value))
    {
    }
    __nv_bfloat16(__nv_bfloat16_raw raw) : bits(raw.x)
    {
    }
    operator float() const
    {
        return __uint_as_float((unsigned)bits << 16);
    }
    operator __nv_bfloat16_raw() const
    {
        return {bits};
    }

  private:
    /* To the nearest, halves to even; 0x7fff for what is no number, as the GPU does. */
    static unsigned short rounded(float value)
    {
        const unsigned u = __float_as_uint(value);
        if ((u & 0x7fffffffU) > 0x7f800000U)
            return 0x7fff;
        return (unsigned short)((u + 0x7fffU + (u >> 16 & 1U)) >> 16);
    }
};
typedef __nv_bfloat16 nv_bfloat16;

struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
};
typedef __nv_bfloat162 nv_bfloat162;

RUNG_WORD(float, __bfloat162float, (__nv_bfloat16 x), (float)x)
RUNG_WORD(__nv_bfloat16, __float2bfloat16, (float x), __nv_bfloat16(x))
RUNG_WORD(__nv_bfloat16, __float2bfloat16_rn, (float x), __nv_bfloat16(x))
RUNG_WORD(unsigned short, __bfloat16_as_ushort, (__nv_bfloat16 x), x.bits)
RUNG_WORD(__nv_bfloat16, __ushort_as_bfloat16, (unsigned short x), __nv_bfloat16(__nv_bfloat16_raw{x}))
RUNG_WORD(float, __low2float, (__nv_bfloat162 x), (float)x.x)
RUNG_WORD(float, __high2float, (__nv_bfloat162 x), (float)x.y)
RUNG_WORD(__nv_bfloat162, __floats2bfloat162_rn, (float x, float y), (__nv_bfloat162{x, y}))
RUNG_WORD(float2, __bfloat1622float2, (__nv_bfloat162 x), make_float2((float)x.x, (float)x.y))

#endif
