/* SPDX-License-Identifier: Apache-2.0
 *
 * sets.h: the arrays of a case on the device, in as many sets as fill more than the L2, each set in its turn.
 */
#ifndef BENCH_GPU_SETS_H
#define BENCH_GPU_SETS_H

#include "bed.h"
#include "cases.h"

typedef struct sets {
    const bench_case *of;
    size_t dims[DIMENSIONS];
    array arrays[MOST_ARRAYS];
    size_t count;     /* sets */
    size_t set_bytes; /* from one to the next */
    rung_buffer *memory;
    uintptr_t at;
} sets;

/* Numbers from 0.5 to 1.5, of which none is special to a kernel. MEMORY: they do not fit, and smaller ones may. */
rung_status sets_make(bed *b, const bench_case *of, const size_t *dims, sets *out, rung_error *err);
void sets_free(sets *s);
/* The arrays of a turn, NULL for one that is not given. */
void sets_of(const sets *s, size_t turn, void **arrays);

#endif
