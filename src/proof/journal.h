/* SPDX-License-Identifier: Apache-2.0
 *
 * journal.h: what the proof of one cell has found so far. Plain data: it lies in memory that a child process shares
 * with its parent, which reads in it how far the child came.
 */
#ifndef RUNG_PROOF_JOURNAL_H
#define RUNG_PROOF_JOURNAL_H

#include "proof/case.h"

enum { PROOF_LINES = 8, PROOF_LINE = 1024 };

typedef struct proof_journal {
    proof_case now; /* at work */
    const rung_proof_op *op;
    const char *cell; /* for messages: "gemm_tn cpu/x86-64-v3" */
    uint64_t seed;
    unsigned long cases, checks, failures;
    double worst, worst_wide;
    ptrdiff_t fault_offset; /* in or near the array of fault_slot, where `faulted` */
    size_t fault_bytes;
    unsigned seconds; /* that a case may take, before the child's alarm ends it; 0: no limit */
    rung_proof_state state;
    unsigned examples, lines, fault_slot;
    bool at_work;
    bool done;      /* `state` and `why` are the answer */
    bool no_memory; /* for the arrays of a case */
    bool launched;  /* by a driver: what `how` says of devices is meant */
    bool registers, faulted;
    char why[512];
    char line[PROOF_LINES][PROOF_LINE]; /* of failed checks, the first ones */
} proof_journal;

/* A failed check of the case at work. */
__attribute__((format(printf, 2, 3))) void rung_proof_fail(proof_journal *j, const char *format, ...);
/* One that goes with the failed check before it: counted, and nothing else. */
void rung_proof_fail_too(proof_journal *j);
/* A check, which fails with this text unless it holds. */
void rung_proof_expect(proof_journal *j, bool holds, const char *what);
/* Answers that the cell is not proven, or missed. */
__attribute__((format(printf, 3, 4))) void rung_proof_answer(proof_journal *j, rung_proof_state state,
                                                             const char *format, ...);
/* Where the fault was, as "8 bytes behind the end of a"; empty where nobody knows. */
void rung_proof_fault_text(const proof_journal *j, char *text, size_t size);

#endif
