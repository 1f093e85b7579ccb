/* SPDX-License-Identifier: Apache-2.0
 *
 * cpuid.h: what the processor's own part of detection costs: a virtual machine traps every CPUID instruction.
 */
#ifndef BENCH_CPUID_H
#define BENCH_CPUID_H

#include <stddef.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "clock.h"

/* ns of the CPUID instructions that detection needs: leaves 0, 1, 7.0, 7.1, 0x80000000 and 0x80000001. */
static inline double bench_cpuid_ns(void)
{
#if defined(__x86_64__)
    static const unsigned leaves[][2] = {{0, 0}, {1, 0}, {7, 0}, {7, 1}, {0x80000000U, 0}, {0x80000001U, 0}};
    double start = bench_now_ns();
    for (size_t i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++) {
        unsigned a;
        unsigned b;
        unsigned c;
        unsigned d;
        __cpuid_count(leaves[i][0], leaves[i][1], a, b, c, d);
        __asm__ volatile("" ::"r"(a), "r"(b), "r"(c), "r"(d));
    }
    return bench_now_ns() - start;
#else
    return 0.0;
#endif
}

#endif
