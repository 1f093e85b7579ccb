/* SPDX-License-Identifier: Apache-2.0
 *
 * math.h: CUDA's functions of numbers. Those that a GPU computes approximately (__expf, rsqrtf, ...) are exact to the
 * host's last place here. The host compiles with -ffp-contract=off: only fma() is one.
 */
#ifndef RUNG_ON_HOST_MATH_H
#define RUNG_ON_HOST_MATH_H

/* ---- bits -------------------------------------------------------------------------------------------------------- */

namespace rung_on_host
{
template <class To, class From> static inline To bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "bits of one size");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
} // namespace rung_on_host

#define RUNG_WORD(result, name, parameters, value)                                                                     \
    static inline result name parameters                                                                               \
    {                                                                                                                  \
        return value;                                                                                                  \
    }

RUNG_WORD(unsigned, __float_as_uint, (float x), rung_on_host::bits<unsigned>(x))
RUNG_WORD(int, __float_as_int, (float x), rung_on_host::bits<int>(x))
RUNG_WORD(float, __uint_as_float, (unsigned x), rung_on_host::bits<float>(x))
RUNG_WORD(float, __int_as_float, (int x), rung_on_host::bits<float>(x))
RUNG_WORD(long long, __double_as_longlong, (double x), rung_on_host::bits<long long>(x))
RUNG_WORD(double, __longlong_as_double, (long long x), rung_on_host::bits<double>(x))
RUNG_WORD(int, __double2hiint, (double x), (int)(rung_on_host::bits<uint64_t>(x) >> 32))
RUNG_WORD(int, __double2loint, (double x), (int)(uint32_t)rung_on_host::bits<uint64_t>(x))
RUNG_WORD(double, __hiloint2double, (int high, int low),
          rung_on_host::bits<double>((uint64_t)(uint32_t)high << 32 | (uint32_t)low))
RUNG_WORD(int, __popc, (unsigned x), __builtin_popcount(x))
RUNG_WORD(int, __popcll, (unsigned long long x), __builtin_popcountll(x))
RUNG_WORD(int, __clz, (int x), x == 0 ? 32 : __builtin_clz((unsigned)x))
RUNG_WORD(int, __clzll, (long long x), x == 0 ? 64 : __builtin_clzll((unsigned long long)x))
RUNG_WORD(int, __ffs, (int x), __builtin_ffs(x))
RUNG_WORD(int, __ffsll, (long long x), __builtin_ffsll(x))
RUNG_WORD(unsigned, __umulhi, (unsigned x, unsigned y), (unsigned)((uint64_t)x *y >> 32))
RUNG_WORD(int, __mulhi, (int x, int y), (int)((int64_t)x *y >> 32))

static inline unsigned __brev(unsigned x)
{
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; bit++)
        reversed |= (x >> bit & 1U) << (31 - bit);
    return reversed;
}

/* ---- rounding ---------------------------------------------------------------------------------------------------- */

RUNG_WORD(float, __fadd_rn, (float x, float y), x + y)
RUNG_WORD(float, __fsub_rn, (float x, float y), x - y)
RUNG_WORD(float, __fmul_rn, (float x, float y), x *y)
RUNG_WORD(float, __fdiv_rn, (float x, float y), x / y)
RUNG_WORD(float, __frcp_rn, (float x), 1.0F / x)
RUNG_WORD(float, __fsqrt_rn, (float x), sqrtf(x))
RUNG_WORD(float, __fmaf_rn, (float x, float y, float z), fmaf(x, y, z))
RUNG_WORD(double, __dadd_rn, (double x, double y), x + y)
RUNG_WORD(double, __dsub_rn, (double x, double y), x - y)
RUNG_WORD(double, __dmul_rn, (double x, double y), x *y)
RUNG_WORD(double, __ddiv_rn, (double x, double y), x / y)
RUNG_WORD(double, __drcp_rn, (double x), 1.0 / x)
RUNG_WORD(double, __dsqrt_rn, (double x), sqrt(x))
RUNG_WORD(double, __fma_rn, (double x, double y, double z), fma(x, y, z))
RUNG_WORD(float, __int2float_rn, (int x), (float)x)
RUNG_WORD(float, __uint2float_rn, (unsigned x), (float)x)
RUNG_WORD(float, __double2float_rn, (double x), (float)x)
RUNG_WORD(int, __float2int_rn, (float x), (int)rintf(x))
RUNG_WORD(int, __float2int_rz, (float x), (int)x)
RUNG_WORD(unsigned, __float2uint_rn, (float x), (unsigned)rintf(x))
RUNG_WORD(float, __saturatef, (float x), x > 0.0F ? (x < 1.0F ? x : 1.0F) : 0.0F)

/* ---- functions --------------------------------------------------------------------------------------------------- */

/* Macros: the host's C library may declare functions of these names. */
#define rsqrtf(x)    (1.0F / sqrtf(x))
#define rsqrt(x)     (1.0F / sqrt(x))
#define __expf(x)    expf(x)
#define __exp10f(x)  powf(10.0F, x)
#define exp10f(x)    powf(10.0F, x)
#define __logf(x)    logf(x)
#define __log2f(x)   log2f(x)
#define __log10f(x)  log10f(x)
#define __sinf(x)    sinf(x)
#define __cosf(x)    cosf(x)
#define __tanf(x)    tanf(x)
#define __powf(x, y) powf(x, y)
RUNG_WORD(float, __fdividef, (float x, float y), x / y)

/* C has these for doubles, CUDA for floats too. */
#define RUNG_OF_FLOAT(name) RUNG_WORD(float, name, (float x), name##f(x))
RUNG_OF_FLOAT(sqrt)
RUNG_OF_FLOAT(fabs)
RUNG_OF_FLOAT(exp)
RUNG_OF_FLOAT(exp2)
RUNG_OF_FLOAT(expm1)
RUNG_OF_FLOAT(log)
RUNG_OF_FLOAT(log2)
RUNG_OF_FLOAT(log1p)
RUNG_OF_FLOAT(sin)
RUNG_OF_FLOAT(cos)
RUNG_OF_FLOAT(tanh)
RUNG_OF_FLOAT(erf)
RUNG_OF_FLOAT(floor)
RUNG_OF_FLOAT(ceil)
RUNG_OF_FLOAT(rint)
#undef RUNG_OF_FLOAT
RUNG_WORD(float, fma, (float x, float y, float z), fmaf(x, y, z))
RUNG_WORD(float, pow, (float x, float y), powf(x, y))
RUNG_WORD(float, fmax, (float x, float y), fmaxf(x, y))
RUNG_WORD(float, fmin, (float x, float y), fminf(x, y))

#define RUNG_LEAST_AND_MOST(type)                                                                                      \
    RUNG_WORD(type, min, (type x, type y), y < x ? y : x)                                                              \
    RUNG_WORD(type, max, (type x, type y), x < y ? y : x)
RUNG_LEAST_AND_MOST(int)
RUNG_LEAST_AND_MOST(unsigned)
RUNG_LEAST_AND_MOST(long)
RUNG_LEAST_AND_MOST(unsigned long)
RUNG_LEAST_AND_MOST(long long)
RUNG_LEAST_AND_MOST(unsigned long long)
#undef RUNG_LEAST_AND_MOST
RUNG_WORD(float, min, (float x, float y), fminf(x, y))
RUNG_WORD(float, max, (float x, float y), fmaxf(x, y))
RUNG_WORD(double, min, (double x, double y), fmin(x, y))
RUNG_WORD(double, max, (double x, double y), fmax(x, y))

#endif
