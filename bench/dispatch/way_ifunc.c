/* SPDX-License-Identifier: Apache-2.0
 *
 * GNU ifunc: the resolver runs at relocation, the call goes through the PLT or the GOT.
 */
#include "bd/bd.h"
#include "ways.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

typedef rung_status scale_fn(const rung_ctx *, float *, const float *, size_t, float);

#define DEFINE(i)                                                                                                      \
    rung_status bd_scale##i##__cpu_generic(const rung_ctx *, float *, const float *, size_t, float);                   \
    static scale_fn *resolve##i(void)                                                                                  \
    {                                                                                                                  \
        return bd_scale##i##__cpu_generic;                                                                             \
    }                                                                                                                  \
    rung_status bench_ifunc##i(const rung_ctx *, float *, const float *, size_t, float)                                \
        __attribute__((ifunc("resolve" #i)));
BENCH_16(DEFINE)

#define CALL(i)                                                                                                        \
    bench_ifunc##i(args->ctx, args->y, args->x, args->n, args->a);                                                     \
    BENCH_BARRIER();

BENCH_DEFINE_LOOPS

const bench_way bench_ifunc = {"ifunc", one, sixteen, NULL};
#else
const bench_way bench_ifunc = {"ifunc", NULL, NULL, "no ifunc with this C library"};
#endif
