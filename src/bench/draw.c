/* SPDX-License-Identifier: Apache-2.0 */
#include "draw.h"

#include <string.h>

#include "ceiling.h"
#include "rung/bfloat16.h"

rung_bench_random rung_bench_random_of(uint64_t seed)
{
    return (rung_bench_random){seed != 0 ? seed : 0x9e3779b97f4a7c15ULL};
}

/* xorshift64*: Vigna 2016, doi:10.1145/2845077. */
static uint64_t next(rung_bench_random *random)
{
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return random->state * 0x2545f4914f6cdd1dULL;
}

static double between(rung_bench_random *random, double low, double high)
{
    return low + (double)(next(random) >> 11) * 0x1p-53 * (high - low);
}

static bool is_real(const rung_proof_arg *arg)
{
    return arg->type == RUNG_PROOF_FLOAT || arg->type == RUNG_PROOF_DOUBLE;
}

/* x as an element, or scalar, of this type. */
static void store(const rung_proof_arg *arg, void *to, double x)
{
    if (arg->type == RUNG_PROOF_DOUBLE) {
        memcpy(to, &x, sizeof x);
    } else if (arg->type == RUNG_PROOF_FLOAT) {
        const float narrow = (float)x;
        memcpy(to, &narrow, sizeof narrow);
    } else if (arg->values == RUNG_PROOF_BFLOAT16) {
        memcpy(to, &(uint16_t){rung_bfloat16_bits((float)x)}, sizeof(uint16_t));
    } else {
        const int64_t whole = (int64_t)x;
        switch (rung_bench_element_bytes(arg)) {
        case 1:
            memcpy(to, &(int8_t){(int8_t)whole}, 1);
            break;
        case 2:
            memcpy(to, &(int16_t){(int16_t)whole}, 2);
            break;
        case 4:
            memcpy(to, &(int32_t){(int32_t)whole}, 4);
            break;
        default:
            memcpy(to, &whole, sizeof whole);
        }
    }
}

/* Where a range is open it is taken to end 1 from its other end, or from 0. */
void rung_bench_draw_scalar(rung_bench_random *random, const rung_proof_arg *arg, rung_value *to)
{
    double low = is_real(arg) ? -1.0 : 1.0, high = is_real(arg) ? 1.0 : 8.0;
    if (arg->has_low && arg->low > low)
        low = arg->low;
    if (arg->has_high && arg->high < high)
        high = arg->high;
    if (low > high && arg->has_low && arg->has_high)
        low = arg->low, high = arg->high;
    else if (low > high)
        *(arg->has_low ? &high : &low) = arg->has_low ? low + 1.0 : high - 1.0;
    store(arg, to, between(random, low, high));
}

/* What stands on the diagonal is larger by 1 than what the other elements of its row, of -1 to 1, add up to: by
 * Gershgorin's circles no eigenvalue is below 1. */
static void draw_positive_definite(rung_bench_random *random, const rung_proof_arg *arg, size_t count, char *to)
{
    size_t rows = 1;
    while (rows * rows < count)
        rows++;
    const size_t bytes = rung_bench_element_bytes(arg);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < i; j++) {
            const double x = between(random, -1.0, 1.0);
            store(arg, to + (i * rows + j) * bytes, x);
            store(arg, to + (j * rows + i) * bytes, x);
        }
        store(arg, to + (i * rows + i) * bytes, (double)rows + between(random, 0.0, 1.0));
    }
}

void rung_bench_draw_array(rung_bench_random *random, const rung_proof_arg *arg, const rung_value *values, void *to)
{
    const size_t count = rung_bench_elements(arg, values), bytes = rung_bench_element_bytes(arg);
    char *at = to;
    if (arg->values == RUNG_PROOF_POSITIVE_DEFINITE) {
        draw_positive_definite(random, arg, count, at);
        return;
    }
    for (size_t i = 0; i < count; i++, at += bytes) {
        const double *pair =
            arg->intervals > 0 ? arg->interval + 2 * (i % arg->intervals) : (const double[]){-1.0, 1.0};
        if (arg->intervals == 0 && !is_real(arg) && arg->values != RUNG_PROOF_BFLOAT16)
            memcpy(at, &(uint64_t){next(random)}, bytes);
        else
            store(arg, at, between(random, pair[0], pair[1]));
    }
}
