/* SPDX-License-Identifier: Apache-2.0
 *
 * case.h: one call to be tried: plain data, so that another process can say what was at work.
 */
#ifndef RUNG_PROOF_CASE_H
#define RUNG_PROOF_CASE_H

#include "rung/proof.h"

typedef enum proof_round {
    PROOF_PLAIN,   /* numbers that were drawn */
    PROOF_SPECIAL, /* NaN, infinities, zeros and denormals among them */
    PROOF_HUGE     /* the largest finite ones among them: sums overflow, or not, by their order */
} proof_round;

typedef struct proof_case {
    char about[48]; /* what it is tried for */
    proof_round round;
    rung_value values[RUNG_PROOF_ARGS_MAX]; /* of scalars */
    uint32_t given;                         /* bits of the arrays that are given: all but some optional ones */
    uint8_t same_as[RUNG_PROOF_ARGS_MAX];   /* the argument whose array it is as well; RUNG_PROOF_NO_ARG */
    int8_t place[RUNG_PROOF_ARGS_MAX];      /* of guard.h */
} proof_case;

/* In a line: what it is for, all scalars, and where the arrays are. */
void rung_proof_case_text(const rung_proof_op *op, const proof_case *c, char *text, size_t size);

/* Whether an array is given. */
static inline bool proof_given(const proof_case *c, size_t arg)
{
    return (c->given >> arg & 1u) != 0;
}

#endif
