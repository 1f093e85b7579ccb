/* SPDX-License-Identifier: Apache-2.0
 *
 * random.h: the numbers that cases are made of: xorshift64* of Vigna 2016, doi:10.1145/2845077.
 */
#ifndef RUNG_PROOF_RANDOM_H
#define RUNG_PROOF_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct proof_random {
    uint64_t state; /* never 0 */
} proof_random;

/* Of a seed and of a number of its own: the stream of case 7 is the same whatever was drawn for the others. */
proof_random rung_proof_random_of(uint64_t seed, uint64_t number);
uint64_t rung_proof_random_next(proof_random *r);
/* Uniform from low to below high, of 53 bits. */
double rung_proof_random_between(proof_random *r, double low, double high);
/* Uniform in 0 .. count - 1; count 0 is taken as 1. */
size_t rung_proof_random_below(proof_random *r, size_t count);

#endif
