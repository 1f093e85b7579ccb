// SPDX-License-Identifier: Apache-2.0
//
// Highway's dynamic dispatch, over the same little kernel compiled for every target.
#include "ways.h"

#ifdef BENCH_HAVE_HIGHWAY
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "way_highway.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace bench
{
namespace HWY_NAMESPACE
{
#define DEFINE(i)                                                                                                      \
    HWY_NOINLINE void Scale##i(float *y, const float *x, size_t n, float a)                                            \
    {                                                                                                                  \
        for (size_t j = 0; j < n; j++)                                                                                 \
            y[j] = a * x[j];                                                                                           \
    }
BENCH_16(DEFINE)
#undef DEFINE
} // namespace HWY_NAMESPACE
} // namespace bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bench
{
#define EXPORT(i) HWY_EXPORT(Scale##i);
BENCH_16(EXPORT)

#define CALL(i)                                                                                                        \
    HWY_DYNAMIC_DISPATCH(Scale##i)(args->y, args->x, args->n, args->a);                                                \
    BENCH_BARRIER();

BENCH_DEFINE_LOOPS
} // namespace bench

extern "C" const bench_way bench_highway = {"Highway, dynamic dispatch", bench::one, bench::sixteen, nullptr};
#endif
#endif
