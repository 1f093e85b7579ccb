/* SPDX-License-Identifier: Apache-2.0
 *
 * cases.h: what is timed of every op: sizes as the workloads have them, the arrays, and what must be moved and
 * computed.
 */
#ifndef BENCH_GPU_CASES_H
#define BENCH_GPU_CASES_H

#include <rk/rk.h>

#include "card.h"

typedef enum element { F64, F32, BF16 } element;
size_t element_bytes(element e);

enum { MOST_ARRAYS = 6, DIMENSIONS = 3 };

typedef struct array {
    element element;
    unsigned times; /* that it must be gone through: 1, or 2 where it is read and written */
    size_t count;   /* elements; 0: not given */
} array;

typedef enum bound { BY_MEMORY, BY_PRODUCT, BY_NOTHING } bound;
const char *bound_text(bound b);

/* Arrays in the order of the call's. */
typedef void arrays_fn(const size_t *dims, array *out);
/* arrays: on the device; dims as in the case. */
typedef rung_status call_fn(const rung_ctx *cx, void *const *arrays, const size_t *dims);

typedef struct bench_case {
    const char *op, *name;
    bound bound;
    const char *letters; /* of the dimensions, as the op calls them: "mnk" */
    size_t dims[DIMENSIONS], tiny[DIMENSIONS];
    const char *halved; /* dimensions that are halved where memory or time does not suffice */
    arrays_fn *arrays;
    call_fn *call;
} bench_case;

extern const bench_case bench_cases[];
extern const size_t bench_cases_count;

const bench_case *bench_case_find(const char *op, const char *name);

/* Bytes that must be read or written once. */
double bench_case_bytes(const bench_case *c, const size_t *dims);
/* Additions and multiplications of a product; 0 for other ops. */
double bench_case_flops(const bench_case *c, const size_t *dims);
/* "m=4096 n=4096 k=4096" */
void bench_case_text(const bench_case *c, const size_t *dims, char *text, size_t size);
/* Half of everything that may be halved. False where that is too small already. */
bool bench_case_halve(const bench_case *c, size_t *dims);

#endif
