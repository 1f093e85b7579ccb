/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/random.h"

/* The finaliser of SplitMix64, Steele, Lea and Flood 2014, doi:10.1145/2714064.2660195: near seeds give far states. */
static uint64_t mixed(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

proof_random rung_proof_random_of(uint64_t seed, uint64_t number)
{
    const uint64_t state = mixed(seed + 0x9e3779b97f4a7c15ULL * (number + 1));
    return (proof_random){state != 0 ? state : 1};
}

uint64_t rung_proof_random_next(proof_random *r)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return r->state * 0x2545f4914f6cdd1dULL;
}

double rung_proof_random_between(proof_random *r, double low, double high)
{
    const double part = (double)(rung_proof_random_next(r) >> 11) * 0x1p-53;
    const double value = low * (1.0 - part) + high * part; /* their difference may be more than a double holds */
    return value < low ? low : value > high ? high : value;
}

size_t rung_proof_random_below(proof_random *r, size_t count)
{
    return count == 0 ? 0 : (size_t)(rung_proof_random_next(r) % count);
}
