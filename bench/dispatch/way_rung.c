/* SPDX-License-Identifier: Apache-2.0
 *
 * Rung: the generated call, with its argument checks, on a platform capped at cpu/generic: the same kernels as the
 * floor.
 */
#include "bd/bd.h"
#include "ways.h"

#define CALL(i)                                                                                                        \
    bd_scale##i(args->ctx, args->y, args->x, args->n, args->a);                                                        \
    BENCH_BARRIER();

BENCH_DEFINE_LOOPS

const bench_way bench_rung = {"rung, generated call", one, sixteen, NULL};
