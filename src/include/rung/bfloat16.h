/* SPDX-License-Identifier: Apache-2.0
 *
 * bfloat16.h: bfloat16 numbers, the upper halves of IEEE 754 binary32, for kernels' sources.
 */
#ifndef RUNG_BFLOAT16_H
#define RUNG_BFLOAT16_H

#include <stdint.h>
#include <string.h>

/* The number with these bits: exact. */
static inline float rung_bfloat16(uint16_t bits)
{
    const uint32_t whole = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &whole, sizeof value);
    return value;
}

/* The bits of the number nearest to this one, of two as near the even one; NaN stays NaN. */
static inline uint16_t rung_bfloat16_bits(float value)
{
    uint32_t whole;
    memcpy(&whole, &value, sizeof whole);
    if (value != value)
        return (uint16_t)(whole >> 16 | 0x40u);
    return (uint16_t)((whole + 0x7fffu + (whole >> 16 & 1u)) >> 16);
}

#endif
