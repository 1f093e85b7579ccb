/* SPDX-License-Identifier: Apache-2.0
 *
 * measure: what opening a platform and looking something up cost with the tables of bench/big_registry.py.
 *
 *     measure TURNS MICROSECONDS_A_TURN
 *
 * Prints `cpu` and `level`, then name, median and distance of the quartiles in ns, a line each, parted by tabs. The
 * cases take turns, so that a slow moment of the machine hits all of them. Look-ups go from op to op in a scattered
 * order: of large tables, what one of them needs is not in the nearest cache.
 *
 * The cases open_on_* get a machine that was detected before: without the CPUID instructions, which a virtual machine
 * traps. In open_on_cuda it has a device, so that the three kinds of memory have three answers.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../clock.h"
#include "big/ids.h"
#include "machine.h"

enum { STRIDE = 7919 }; /* a prime */

typedef struct subject {
    rung_machine machine, with_cuda;
    rung_platform *platform;
    uint32_t ops, op;
} subject;

static uint32_t next_op(subject *s)
{
    s->op = (s->op + STRIDE) % s->ops;
    return s->op;
}

/* ---- the cases: each does its work once and says whether it went well -------------------------------------------- */

static bool open_chain(const char *chain)
{
    rung_platform *platform = NULL;
    rung_status status = rung_platform_open(&big_registry, chain, RUNG_OPEN_NO_ENV, &platform, NULL);
    rung_platform_close(platform);
    return status == RUNG_OK;
}

static bool open_on(const rung_machine *machine, const char *chain)
{
    rung_platform *platform = NULL;
    rung_status status = rung_platform_open_on(&big_registry, chain, RUNG_OPEN_NO_ENV, machine, &platform, NULL);
    rung_platform_close(platform);
    return status == RUNG_OK;
}

static bool open_auto(subject *s)
{
    (void)s;
    return open_chain(NULL);
}

static bool open_cpu(subject *s)
{
    (void)s;
    return open_chain("cpu");
}

static bool open_accel(subject *s)
{
    (void)s;
    return open_chain("accel");
}

static bool open_on_auto(subject *s)
{
    return open_on(&s->machine, NULL);
}

static bool open_on_cpu(subject *s)
{
    return open_on(&s->machine, "cpu");
}

static bool open_on_accel(subject *s)
{
    return open_on(&s->machine, "accel");
}

static bool open_on_cuda(subject *s)
{
    return open_on(&s->with_cuda, "cuda");
}

static bool resolve_id(subject *s)
{
    rung_resolution found;
    return rung_resolve(s->platform, next_op(s), 0, RUNG_MEMORY_HOST, &found, NULL) == RUNG_OK;
}

static bool op_find(subject *s)
{
    uint32_t op = next_op(s);
    return rung_op_find(&big_registry, rung_op_name(&big_registry, op)) == op;
}

static bool resolve_name(subject *s)
{
    const char *op = rung_op_name(&big_registry, next_op(s));
    rung_resolution found;
    return rung_resolve_name(s->platform, op, "default", RUNG_MEMORY_HOST, &found, NULL) == RUNG_OK;
}

static bool cell_find(subject *s)
{
    const char *op = rung_op_name(&big_registry, next_op(s));
    rung_cell found;
    return rung_cell_find(&big_registry, op, "cpu", "generic", NULL, &found, NULL) == RUNG_OK;
}

static int count_rung(const rung_cell *cell, void *user)
{
    (void)cell;
    ++*(uint32_t *)user;
    return 0;
}

static bool explain(subject *s)
{
    uint32_t rungs = 0;
    return rung_explain(s->platform, next_op(s), 0, count_rung, &rungs) == RUNG_OK && rungs > 0;
}

/* ---- taking turns ------------------------------------------------------------------------------------------------ */

typedef struct bench_case {
    const char *name;
    bool (*once)(subject *s);
} bench_case;

static const bench_case cases[] = {
    {"open_auto", open_auto},       {"open_cpu", open_cpu},       {"open_accel", open_accel},
    {"open_on_auto", open_on_auto}, {"open_on_cpu", open_on_cpu}, {"open_on_accel", open_on_accel},
    {"open_on_cuda", open_on_cuda}, {"resolve", resolve_id},      {"op_find", op_find},
    {"resolve_name", resolve_name}, {"cell_find", cell_find},     {"explain", explain}};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

/* ns that so many rounds take. */
static double rounds_ns(const bench_case *c, subject *s, size_t rounds)
{
    double start = bench_now_ns();
    for (size_t i = 0; i < rounds; i++)
        if (!c->once(s)) {
            fprintf(stderr, "measure: %s failed\n", c->name);
            exit(1);
        }
    return bench_now_ns() - start;
}

/* As many rounds as last for a turn. */
static size_t rounds_of(const bench_case *c, subject *s, double turn_ns)
{
    size_t rounds = 1;
    while (rounds < (1U << 24) && rounds_ns(c, s, rounds) < turn_ns)
        rounds *= 2;
    return rounds;
}

static void measure(subject *s, size_t turns, double turn_ns)
{
    double *samples = malloc(CASES * turns * sizeof(double));
    if (samples == NULL) {
        fputs("measure: out of memory\n", stderr);
        exit(1);
    }
    size_t rounds[CASES];
    for (size_t c = 0; c < CASES; c++)
        rounds[c] = rounds_of(&cases[c], s, turn_ns);
    for (size_t turn = 0; turn < turns; turn++)
        for (size_t c = 0; c < CASES; c++)
            samples[c * turns + turn] = rounds_ns(&cases[c], s, rounds[c]) / (double)rounds[c];
    for (size_t c = 0; c < CASES; c++) {
        double spread;
        double median = bench_median(&samples[c * turns], turns, &spread);
        printf("%s\t%.2f\t%.2f\n", cases[c].name, median, spread);
    }
    free(samples);
}

int main(int argc, char **argv)
{
    long turns = argc == 3 ? strtol(argv[1], NULL, 10) : 0;
    long turn_us = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
    if (turns < 1 || turns > 100000 || turn_us < 1 || turn_us > 1000000) {
        fputs("usage: measure TURNS MICROSECONDS_A_TURN\n", stderr);
        return 2;
    }
    static const rung_found cuda = {"cuda", RUNG_REASON_NONE, "", "sm90", 1};
    subject s = {.ops = rung_op_count(&big_registry)};
    rung_world world;
    rung_machine_detect(&world, &s.machine);
    s.with_cuda = s.machine;
    s.with_cuda.found = &cuda;
    s.with_cuda.n_found = 1;
    rung_error err;
    if (rung_platform_open(&big_registry, "accel", RUNG_OPEN_NO_ENV, &s.platform, &err) != RUNG_OK) {
        fprintf(stderr, "measure: %s\n", err.text);
        return 1;
    }
    const char *model = s.machine.cpu.model;
    printf("cpu\t%s\nlevel\t%s\n", model[0] != '\0' ? model : "unnamed processor", s.machine.cpu.level);
    measure(&s, (size_t)turns, (double)turn_us * 1e3);
    rung_platform_close(s.platform);
    return 0;
}
