/* SPDX-License-Identifier: Apache-2.0
 *
 * ways.h: the ways of reaching a kernel that are compared, and what a way has to provide.
 *
 * A way runs `rounds` rounds; in each it calls one kernel sixteen times, or sixteen kernels once: either way 16 calls
 * at 16 call sites, so that the caller's loop costs all the same.
 */
#ifndef BENCH_WAYS_H
#define BENCH_WAYS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_args {
    float *y;
    const float *x;
    size_t n;
    float a;
    const void *ctx; /* rung_ctx, for those who need it */
} bench_args;

typedef void bench_way_fn(const bench_args *args, size_t rounds);

typedef struct bench_way {
    const char *name;
    bench_way_fn *one; /* NULL: left out; `missing` says why */
    bench_way_fn *sixteen;
    const char *missing;
} bench_way;

extern const bench_way bench_direct, bench_rung, bench_pointer, bench_ifunc, bench_volk, bench_highway;

#define BENCH_16(M) M(00) M(01) M(02) M(03) M(04) M(05) M(06) M(07) M(08) M(09) M(10) M(11) M(12) M(13) M(14) M(15)
/* The compiler may not see that the arguments are the same in every call, nor move a call across another. */
#define BENCH_BARRIER() __asm__ volatile("" ::: "memory")

/* The two loops of a way, over its macro CALL(i), which calls kernel i. */
#define BENCH_SAME(i) CALL(00)
#define BENCH_DEFINE_LOOPS                                                                                             \
    static void one(const bench_args *args, size_t rounds)                                                             \
    {                                                                                                                  \
        while (rounds-- > 0) {                                                                                         \
            BENCH_16(BENCH_SAME)                                                                                       \
        }                                                                                                              \
    }                                                                                                                  \
    static void sixteen(const bench_args *args, size_t rounds)                                                         \
    {                                                                                                                  \
        while (rounds-- > 0) {                                                                                         \
            BENCH_16(CALL)                                                                                             \
        }                                                                                                              \
    }

#ifdef __cplusplus
}
#endif
#endif
