/* SPDX-License-Identifier: Apache-2.0
 *
 * rate_loop.h: the loop of rate.h, for any type of vectors. Included for each, hence without a guard.
 *
 * Its includer defines NAME (of the function), REAL, VECTOR, SPREAD(x), ADD(x, y), MULTIPLY_ADD(x, factor, term), and
 * EACH(X), which stands for X of the number of every chain. There are more chains than a multiply-add takes cycles
 * times the units that do it, and few enough to stay in registers. x = x / 2 + 1 / 2 goes to 1: no value is ever
 * denormal, infinite or NaN. The constant is volatile, so that nothing is worked out beforehand.
 */
#include <string.h>

#include "rate.h"

#define CHAIN_BEGIN(number) VECTOR x##number = SPREAD((REAL)(1.0 + 0.125 * (number)));
#define CHAIN_STEP(number)  x##number = MULTIPLY_ADD(x##number, half, half);
#define CHAIN_SUM(number)   all = ADD(all, x##number);

static double NAME(uint64_t rounds)
{
    volatile REAL constant = (REAL)0.5;
    const VECTOR half = SPREAD(constant);
    EACH(CHAIN_BEGIN)
    for (uint64_t i = 0; i < rounds; i++) {
        EACH(CHAIN_STEP)
    }
    VECTOR all = SPREAD((REAL)0.0);
    EACH(CHAIN_SUM)
    REAL lanes[sizeof all / sizeof(REAL)];
    memcpy(lanes, &all, sizeof all);
    double sum = 0.0;
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        sum += (double)lanes[i];
    return sum;
}

#undef CHAIN_BEGIN
#undef CHAIN_STEP
#undef CHAIN_SUM
#undef NAME
#undef REAL
#undef VECTOR
#undef SPREAD
#undef ADD
#undef MULTIPLY_ADD
