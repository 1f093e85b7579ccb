/* SPDX-License-Identifier: Apache-2.0
 *
 * clobbers.h: functions in assembly language, each of which breaks one rule of the calling convention, with the words
 * that are due.
 */
#ifndef TESTS_PROOF_CLOBBERS_H
#define TESTS_PROOF_CLOBBERS_H

#include "rung/proof.h"

typedef struct clobber {
    rung_proof_function *function; /* answers RUNG_ERR_NUMERIC */
    const char *words;
} clobber;

extern const clobber clobbers[];
extern const size_t clobber_count;

/* Answers how far the stack pointer of a caller is from a multiple of 16. */
rung_proof_function clobbers_alignment;

#endif
