/* SPDX-License-Identifier: Apache-2.0
 *
 * compare.h: one written array against what it should be.
 */
#ifndef RUNG_PROOF_COMPARE_H
#define RUNG_PROOF_COMPARE_H

#include "proof/number.h"
#include "proof/stand.h"

typedef struct proof_wanted {
    const char *by; /* what says so, for messages: "the reference" */
    const void *data;
    proof_kind kind; /* of its elements */
    rung_proof_tolerance tolerance;
    double times;  /* the tolerance counts so many times */
    bool exact;    /* bit for bit */
    double *worst; /* the largest error so far, as a part of what is allowed; NULL */
} proof_wanted;

/* A check for each element. Magnitudes are those of the case at work. `got` has the elements of the argument. */
void rung_proof_compare_array(proof_stand *s, size_t arg, const void *got, const proof_wanted *wanted);

/* Whether two results have the same bits wherever they are specified: on failure one failed check, which says what
 * the second one is. */
void rung_proof_compare_bits(proof_stand *s, size_t arg, const void *first, const void *second, const char *what);

/* Whether element i of the array is specified. */
bool rung_proof_is_specified(const proof_stand *s, size_t arg, size_t i);

#endif
