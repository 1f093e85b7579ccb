/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_dispatch: what a call costs by each way of reaching a kernel, and what opening a platform costs.
 *
 * The ways take turns, so that a slow moment of the machine hits all of them; the median over the turns is printed,
 * with the spread between the quartiles. n is 0: the kernels return at once and the way to them is what is left. The
 * CPUID instruction, which a virtual machine traps, is timed by itself, as it is the larger part of opening a platform.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

#include "../clock.h"
#include "../cpuid.h"
#include "bd/bd.h"
#include "rk/rk.h"
#include "ways.h"

enum { TURNS = 41, ROUNDS = 20000, CALLS = 16, OPENS = 200 };

static const bench_way *const ways[] = {&bench_direct, &bench_rung, &bench_pointer,
                                        &bench_ifunc,  &bench_volk, &bench_highway};
enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

static void bench_calls(rung_platform *platform)
{
    static double one[WAYS][TURNS];
    static double sixteen[WAYS][TURNS];
    static _Alignas(64) float x[64];
    static _Alignas(64) float y[64];
    rung_ctx cx = rung_ctx_of(platform);
    const bench_args args = {y, x, 0, 2.0F, &cx};

    for (int turn = -1; turn < TURNS; turn++) { /* the turn -1 warms up and is not kept */
        for (int w = 0; w < WAYS; w++) {
            if (ways[w]->one == NULL)
                continue;
            double start = bench_now_ns();
            ways[w]->one(&args, ROUNDS);
            double middle = bench_now_ns();
            ways[w]->sixteen(&args, ROUNDS);
            double end = bench_now_ns();
            if (turn >= 0) {
                one[w][turn] = (middle - start) / ROUNDS / CALLS;
                sixteen[w][turn] = (end - middle) / ROUNDS / CALLS;
            }
        }
    }

    printf("%-28s %21s %24s\n", "ns per call", "one op", "sixteen ops");
    double floor_one = 0.0;
    double floor_sixteen = 0.0;
    for (int w = 0; w < WAYS; w++) {
        if (ways[w]->one == NULL) {
            printf("%-28s %s\n", ways[w]->name, ways[w]->missing);
            continue;
        }
        double spread_one;
        double spread_sixteen;
        double t_one = bench_median(one[w], TURNS, &spread_one);
        double t_sixteen = bench_median(sixteen[w], TURNS, &spread_sixteen);
        if (w == 0) {
            floor_one = t_one;
            floor_sixteen = t_sixteen;
        }
        printf("%-28s %6.2f +-%4.2f  %+6.2f   %6.2f +-%4.2f  %+6.2f\n", ways[w]->name, t_one, spread_one,
               t_one - floor_one, t_sixteen, spread_sixteen, t_sixteen - floor_sixteen);
    }
    printf("(median +- distance of the quartiles over %d turns, and the difference from a direct call)\n\n", TURNS);
}

static double open_ns(const rung_registry *registry, const char *chain)
{
    rung_platform *platform;
    double start = bench_now_ns();
    rung_status status = rung_platform_open(registry, chain, RUNG_OPEN_NO_ENV, &platform, NULL);
    double end = bench_now_ns();
    if (status != RUNG_OK) {
        fprintf(stderr, "bench_dispatch: cannot open %s\n", chain != NULL ? chain : "(automatic)");
        exit(1);
    }
    rung_platform_close(platform);
    return end - start;
}

static void bench_open(void)
{
    static const struct {
        const char *name;
        const rung_registry *registry;
        const char *chain;
    } cases[] = {{"rk, NULL", &rk_registry, NULL},
                 {"rk, \"cpu\"", &rk_registry, "cpu"},
                 {"rk, \"accel/sm90\"", &rk_registry, "accel/sm90"},
                 {"bd, \"cpu\"", &bd_registry, "cpu"}};
    printf("%-28s %12s %16s %20s\n", "microseconds to open", "all", "CPUID (traps)", "beside the traps");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        double open[TURNS];
        double traps[TURNS];
        for (int turn = 0; turn < TURNS; turn++) {
            open[turn] = 0.0;
            traps[turn] = 0.0;
            for (int k = 0; k < OPENS / TURNS + 1; k++) {
                open[turn] += open_ns(cases[i].registry, cases[i].chain) / (OPENS / TURNS + 1);
                traps[turn] += bench_cpuid_ns() / (OPENS / TURNS + 1);
            }
        }
        double spread;
        double all = bench_median(open, TURNS, &spread) / 1e3;
        double cpuid = bench_median(traps, TURNS, &spread) / 1e3;
        printf("%-28s %12.2f %16.2f %20.2f\n", cases[i].name, all, cpuid, all - cpuid);
    }
}

int main(void)
{
    rung_platform *platform;
    rung_error err;
    /* Capped, so that every way calls the same kernels as the direct call. */
    if (rung_platform_open(&bd_registry, "cpu/generic", RUNG_OPEN_NO_ENV, &platform, &err) != RUNG_OK) {
        fprintf(stderr, "bench_dispatch: %s\n", err.text);
        return 1;
    }
    rung_cpu cpu;
    rung_cpu_detect(&cpu);
    printf("%s, %s\n\n", cpu.model[0] != '\0' ? cpu.model : "unnamed processor", cpu.level);
    bench_calls(platform);
    rung_platform_close(platform);
    bench_open();
    return 0;
}
