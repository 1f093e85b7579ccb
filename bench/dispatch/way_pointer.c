/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of function pointers, as most libraries keep it.
 */
#include "bd/bd.h"
#include "ways.h"

typedef rung_status scale_fn(const rung_ctx *, float *, const float *, size_t, float);
#define DECLARE(i) rung_status bd_scale##i##__cpu_generic(const rung_ctx *, float *, const float *, size_t, float);
BENCH_16(DECLARE)

#define MEMBER(i) scale_fn *scale##i;
#define FILL(i)   .scale##i = bd_scale##i##__cpu_generic,
/* Neither static nor const: the compiler may not know what stands in it. */
struct bench_table {
    BENCH_16(MEMBER)
} bench_table = {BENCH_16(FILL)};

#define CALL(i)                                                                                                        \
    bench_table.scale##i(args->ctx, args->y, args->x, args->n, args->a);                                               \
    BENCH_BARRIER();

BENCH_DEFINE_LOOPS

const bench_way bench_pointer = {"function pointer in a struct", one, sixteen, NULL};
