/* SPDX-License-Identifier: Apache-2.0
 *
 * candidates.h: what else a program could have run on, each with the reason why it does not.
 */
#ifndef RUNG_TOOL_CANDIDATES_H
#define RUNG_TOOL_CANDIDATES_H

#include "rung/rung.h"

typedef struct candidate {
    char name[96]; /* "cuda", or "cpu/x86-64-v4" for another arch of the device in force */
    int usable;    /* it could be asked for on this machine */
    char reason[RUNG_ERROR_TEXT];
} candidate;

typedef int candidate_fn(const candidate *c, void *user);

/* Every device of the registry but the one that the platform stands on, and every other arch of that one which the
 * registry has a kernel for, in the registry's order. Nothing is kept open. */
void candidates_rejected(const rung_platform *platform, candidate_fn *fn, void *user);

#endif
