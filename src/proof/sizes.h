/* SPDX-License-Identifier: Apache-2.0
 *
 * sizes.h: the sizes that every op is tried at: 0, 1, 2, those around the widths of vectors and tiles, primes, and a
 * large one. All combinations of the small ones, as far as they are few, and each of the others in each role, with
 * small partners.
 */
#ifndef RUNG_PROOF_SIZES_H
#define RUNG_PROOF_SIZES_H

#include "rung/proof.h"

/* How many combinations of small sizes an op of so many sizes has. */
size_t rung_proof_small_count(unsigned dims);
/* Number `which` of them. */
void rung_proof_small(unsigned dims, size_t which, size_t *sizes);

/* How many cases have one size that is not small. */
size_t rung_proof_role_count(unsigned dims);
/* Number `which` of them; its partners shrink with `shrink`, 0, 1, 2 ..., until all are 1. */
void rung_proof_role(unsigned dims, size_t which, unsigned shrink, size_t *sizes);
/* Whether it is the first one with the largest size in its role. */
bool rung_proof_role_is_largest(unsigned dims, size_t which);
/* Whether another `shrink` still makes a difference. */
enum { PROOF_SHRINKS = 6 };

/* Sizes of some elements each, for cases about something else; a few are alike, then other ones follow. */
void rung_proof_middle(unsigned dims, size_t which, size_t *sizes);
/* The same with one size that has whole blocks of a kernel in it, and a tail. */
void rung_proof_large(unsigned dims, size_t which, size_t *sizes);

#endif
