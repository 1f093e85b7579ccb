/* SPDX-License-Identifier: Apache-2.0
 *
 * roof.c: what one thread of this machine does at most: the best of many turns, as what others take away of it is no
 * property of the machine.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "clock.h"
#include "rate.h"
#include "roof.h"
#include "rung/bench.h"
#include "rung/devices.h"

enum { RATE_TURNS = 100, COPY_TURNS = 50 };
static const double rate_turn_s = 0.002;

/* ---- arithmetic -------------------------------------------------------------------------------------------------- */

const rung_bench_rate *rung_bench_rate_here(void)
{
#if defined(RUNG_BENCH_X86)
    rung_cpu cpu;
    rung_cpu_detect(&cpu);
#if defined(RUNG_BENCH_X86_64_V4)
    if (strcmp(cpu.level, "x86-64-v4") == 0 || strcmp(cpu.level, "amx") == 0)
        return &rung_bench_rate_x86_64_v4;
#endif
#if defined(RUNG_BENCH_X86_64_V3)
    if (strcmp(cpu.level, "x86-64-v3") == 0 || strcmp(cpu.level, "x86-64-v4") == 0 || strcmp(cpu.level, "amx") == 0)
        return &rung_bench_rate_x86_64_v3;
#endif
    return &rung_bench_rate_generic;
#elif defined(RUNG_BENCH_NEON)
    return &rung_bench_rate_neon;
#else
    return &rung_bench_rate_generic;
#endif
}

static double seconds_of(rung_bench_rounds *rounds, uint64_t count)
{
    static volatile double used;
    const rung_bench_watch from = rung_bench_watch_now();
    used = rounds(count);
    (void)used;
    const rung_bench_watch to = rung_bench_watch_now();
    return rung_bench_watch_seconds(&from, &to);
}

static double rate_of(rung_bench_rounds *rounds, double flops)
{
    uint64_t count = 1024;
    while (seconds_of(rounds, count) < rate_turn_s)
        count *= 2;
    double best = seconds_of(rounds, count);
    for (int i = 1; i < RATE_TURNS; i++)
        best = fmin(best, seconds_of(rounds, count));
    return flops * (double)count / best;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Bytes of each of two arrays: four times the last cache, and no more than a quarter of the memory that can be had. */
static size_t copy_bytes(void)
{
    const size_t least = (size_t)64 << 20, most = (size_t)1 << 30;
    rung_host host;
    rung_host_detect(&host);
    size_t bytes = 4 * rung_bench_last_cache();
    bytes = bytes < least ? least : bytes > most ? most : bytes;
    while (host.memory_available != 0 && bytes > (1u << 20) && bytes > host.memory_available / 8)
        bytes /= 2;
    return bytes;
}

/* Both arrays are written before, so that no page is missing while the clock runs. */
static double copy_rate(void)
{
    const size_t bytes = copy_bytes();
    char *from = malloc(bytes), *to = malloc(bytes);
    double rate = 0.0;
    if (from != NULL && to != NULL) {
        memset(from, 1, bytes);
        memset(to, 2, bytes);
        double best = INFINITY;
        for (int i = -1; i < COPY_TURNS; i++) {
            const rung_bench_watch start = rung_bench_watch_now();
            memcpy(to, from, bytes);
            /* the compiler has to take the copy for used */
            __asm__ volatile("" : : "r"(to) : "memory");
            const rung_bench_watch end = rung_bench_watch_now();
            if (i >= 0)
                best = fmin(best, rung_bench_watch_seconds(&start, &end));
        }
        rate = 2.0 * (double)bytes / best;
    }
    free(from);
    free(to);
    return rate;
}

rung_status rung_bench_roof_measure(rung_bench_roof *roof)
{
    if (roof == NULL)
        return RUNG_ERR_ARGUMENT;
    const double copy = copy_rate();
    if (copy <= 0.0)
        return RUNG_ERR_MEMORY;
    const rung_bench_rate *rate = rung_bench_rate_here();
    rung_bench_warm();
    *roof = (rung_bench_roof){
        .copy = copy, .f32 = rate_of(rate->f32, rate->f32_flops), .f64 = rate_of(rate->f64, rate->f64_flops)};
    return RUNG_OK;
}

void rung_bench_warm(void)
{
    const double until = rung_bench_now() + 0.1;
    while (rung_bench_now() < until)
        (void)seconds_of(rung_bench_rate_here()->f64, 4096);
}
