/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/sizes.h"

static const size_t small[] = {1, 0, 2, 3, 8, 7, 9, 16, 15, 17, 4, 33, 31, 32, 5, 63, 64, 65};
/* All residues of the widths that kernels unroll by; the largest is the last. */
static const size_t other[] = {31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 37,  101, 251, 18,   19,   20,  21,
                               22, 23, 24, 25, 26, 27, 28,  29,  30,  46,  61,  62,  110, 320, 512, 1024, 1031, 4099};
static const size_t partners[] = {5, 20, 33};
static const size_t middles[] = {17, 9, 5, 33, 7, 4, 12, 3};

enum {
    SMALLS = sizeof small / sizeof small[0],
    OTHERS = sizeof other / sizeof other[0],
    PARTNERS = sizeof partners / sizeof partners[0],
    MIDDLES = sizeof middles / sizeof middles[0],
    MOST_COMBINATIONS = 1400,
    BEYOND = 65549,    /* more than 16 bits count */
    WITHOUT_SIZES = 16 /* cases of an op that has none */
};

/* How many of the small sizes are combined. */
static size_t small_width(unsigned dims)
{
    size_t width = SMALLS;
    for (; width > 2; width--) {
        double combinations = 1.0;
        for (unsigned d = 0; d < dims; d++)
            combinations *= (double)width;
        if (combinations <= MOST_COMBINATIONS)
            break;
    }
    return width;
}

size_t rung_proof_small_count(unsigned dims)
{
    size_t count = dims == 0 ? WITHOUT_SIZES : 1;
    for (unsigned d = 0; d < dims; d++)
        count *= small_width(dims);
    return count;
}

void rung_proof_small(unsigned dims, size_t which, size_t *sizes)
{
    const size_t width = small_width(dims);
    for (unsigned d = 0; d < dims; d++, which /= width)
        sizes[d] = small[which % width];
}

size_t rung_proof_role_count(unsigned dims)
{
    return dims == 1 ? (size_t)OTHERS + 1 : (size_t)OTHERS * dims * 2;
}

void rung_proof_role(unsigned dims, size_t which, unsigned shrink, size_t *sizes)
{
    const size_t size = other[which % OTHERS], role = which / OTHERS % dims, turn = which / OTHERS / dims;
    if (dims == 1) {
        sizes[0] = which < OTHERS ? size : (size_t)BEYOND;
        return;
    }
    for (unsigned d = 0; d < dims; d++) {
        const size_t partner = partners[(d + role + which + turn) % PARTNERS] >> shrink;
        sizes[d] = d == role ? size : partner > 0 ? partner : 1;
    }
}

bool rung_proof_role_is_largest(unsigned dims, size_t which)
{
    return dims == 1 ? which == OTHERS : which % OTHERS == OTHERS - 1 && which / OTHERS < dims;
}

void rung_proof_middle(unsigned dims, size_t which, size_t *sizes)
{
    for (unsigned d = 0; d < dims; d++) {
        size_t size = middles[(which + d) % MIDDLES];
        sizes[d] = dims > 3 && d >= 3 ? 1 + size % 4 : size;
    }
}

void rung_proof_large(unsigned dims, size_t which, size_t *sizes)
{
    rung_proof_middle(dims, which, sizes);
    if (dims > 0)
        sizes[which % dims] = which / dims % 2 == 0 ? 131 : 195;
}
