/* SPDX-License-Identifier: Apache-2.0
 *
 * The floor: the kernel of the baseline called by its name.
 */
#include "bd/bd.h"
#include "ways.h"

#define DECLARE(i) rung_status bd_scale##i##__cpu_generic(const rung_ctx *, float *, const float *, size_t, float);
BENCH_16(DECLARE)

#define CALL(i)                                                                                                        \
    bd_scale##i##__cpu_generic(args->ctx, args->y, args->x, args->n, args->a);                                         \
    BENCH_BARRIER();

BENCH_DEFINE_LOOPS

const bench_way bench_direct = {"direct call", one, sixteen, NULL};
