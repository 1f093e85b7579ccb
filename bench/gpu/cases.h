/* SPDX-License-Identifier: Apache-2.0
 *
 * cases.h: what is timed of every op: sizes as the workloads have them. Its arrays, what must be moved and what is
 * computed follow from the registry (rung/proof.h).
 */
#ifndef BENCH_GPU_CASES_H
#define BENCH_GPU_CASES_H

#include <rk/rk.h>

#include "proof/number.h"

enum { MOST_ARRAYS = RUNG_PROOF_ARGS_MAX, DIMENSIONS = 3 };

typedef struct array {
    proof_kind kind;
    unsigned times; /* that it must be gone through: 1, or 2 where it is read and written */
    size_t count;   /* elements; 0: not given, or a scalar */
} array;

typedef enum bound { BY_MEMORY, BY_PRODUCT, BY_NOTHING } bound;
const char *bound_text(bound b);

typedef struct bench_case {
    const char *op, *name;
    bound bound;
    size_t dims[DIMENSIONS], tiny[DIMENSIONS]; /* in the op's order */
    const char *halved;  /* the dimension that is halved where memory or time does not suffice; NULL: all of them */
    double scalars[3];   /* of the call, in its order, those that are no dimension */
    const char *without; /* the array that is not given; NULL: all are */
} bench_case;

extern const bench_case bench_cases[];
extern const size_t bench_cases_count;

const bench_case *bench_case_find(const char *op, const char *name);

/* The arrays of a call, by argument. */
void bench_case_arrays(const bench_case *c, const size_t *dims, array *out);
/* Calls it on arrays on the device, by argument. */
rung_status bench_case_call(const bench_case *c, const rung_ctx *cx, void *const *arrays, const size_t *dims);
/* Bytes that must be read or written once. */
double bench_case_bytes(const bench_case *c, const size_t *dims);
/* Additions and multiplications of a product; 0 for other ops. */
double bench_case_flops(const bench_case *c, const size_t *dims);
/* "m=4096 n=4096 k=4096" */
void bench_case_text(const bench_case *c, const size_t *dims, char *text, size_t size);
/* Half of everything that may be halved. False where that is too small already. */
bool bench_case_halve(const bench_case *c, size_t *dims);

#endif
