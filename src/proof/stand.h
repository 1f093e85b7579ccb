/* SPDX-License-Identifier: Apache-2.0
 *
 * stand.h: the cell that is proven, what it is compared with, and the arrays of the case at work.
 */
#ifndef RUNG_PROOF_STAND_H
#define RUNG_PROOF_STAND_H

#include <fenv.h>

#include "proof/journal.h"
#include "proof/random.h"
#include "proof/shape.h"

/* Memory that grows. */
typedef struct proof_room {
    void *data;
    size_t capacity;
} proof_room;

typedef struct proof_stand {
    const rung_proof_op *op;
    rung_ctx reference, candidate;
    bool launched;                 /* arrays are given as buffers: the cell is on a device with memory of its own */
    rung_proof_function *function; /* the kernel itself, where its registers can be watched; NULL */
    bool clobbers;                 /* it has left a register changed: all its calls are watched from then on */
    fenv_t environment;            /* the process's own floating-point control state */
    size_t workspace;              /* bytes */
    bool quick;
    bool exact[RUNG_PROOF_ARGS_MAX]; /* of written arrays: compared bit for bit */
    rung_proof_tolerance tolerance[RUNG_PROOF_ARGS_MAX], rounding[RUNG_PROOF_ARGS_MAX];
    double reach;    /* part of the largest numbers: a variant with its own tolerance may round up what is larger, */
    bool rounds;     /* and a denormal to 0 */
    bool magnitudes; /* a written array is compared by them */
    proof_journal *journal;
    proof_case *now;     /* the journal's */
    uint64_t turn;       /* of the cases, those left out counted */
    proof_random random; /* of the case */
    /* of each array argument: */
    size_t count[RUNG_PROOF_ARGS_MAX];
    rung_value at[RUNG_PROOF_ARGS_MAX]; /* the arguments of the candidate's call */
    proof_room before[RUNG_PROOF_ARGS_MAX], want[RUNG_PROOF_ARGS_MAX], got[RUNG_PROOF_ARGS_MAX];
    proof_room magnitude[RUNG_PROOF_ARGS_MAX], kept[RUNG_PROOF_ARGS_MAX], wide[RUNG_PROOF_ARGS_MAX];
} proof_stand;

/* Sets what is compared, and how, for a cell of the variant. */
void rung_proof_stand_begin(proof_stand *s, const char *variant);
void rung_proof_stand_end(proof_stand *s);

/* Room for `bytes`, at least one; what it held may be lost. NULL, which the journal is told: no memory. */
void *rung_proof_room_for(proof_stand *s, proof_room *room, size_t bytes);

/* The bytes of an array of the case at work. */
size_t rung_proof_bytes_of(const proof_stand *s, size_t arg);

/* Whether the call at work writes to it. */
static inline bool proof_is_result(const proof_stand *s, size_t arg)
{
    return proof_is_written(&s->op->args[arg]) && proof_given(s->now, arg);
}

#endif
