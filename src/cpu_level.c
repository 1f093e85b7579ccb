/* SPDX-License-Identifier: Apache-2.0
 *
 * cpu_level.c: the levels of the processor families, with every feature that a compiler told -march=<level> may use.
 */
#include "cpu.h"

#include <string.h>

#include "names.h"

typedef struct level {
    uint8_t model;
    uint16_t rank;
    const char *name;
    uint64_t features;
} level;

#define X(name) RUNG_CPU_MASK(x86, name)
#define A(name) RUNG_CPU_MASK(aarch64, name)
#define X86_V2  (X(sse3) | X(ssse3) | X(sse4_1) | X(sse4_2) | X(popcnt) | X(cmpxchg16b) | X(lahf))
#define X86_V3  (X86_V2 | X(avx) | X(avx2) | X(bmi1) | X(bmi2) | X(f16c) | X(fma) | X(lzcnt) | X(movbe))
#define X86_V4  (X86_V3 | X(avx512f) | X(avx512bw) | X(avx512cd) | X(avx512dq) | X(avx512vl))
/* Compilers take half precision to be part of SVE. */
#define SVE (A(asimd) | A(fphp) | A(asimdhp) | A(sve))

/* Ascending in each model, and every level has all of those below it. */
static const level levels[] = {
    {RUNG_MODEL_X86, 2, "x86-64-v2", X86_V2},
    {RUNG_MODEL_X86, 3, "x86-64-v3", X86_V3},
    {RUNG_MODEL_X86, 4, "x86-64-v4", X86_V4},
    {RUNG_MODEL_X86, 5, "amx", X86_V4 | X(amx_tile) | X(amx_int8) | X(amx_bf16)},
    {RUNG_MODEL_AARCH64, 1, "neon", A(asimd)},
    {RUNG_MODEL_AARCH64, 2, "sve", SVE},
    {RUNG_MODEL_AARCH64, 3, "sve2", SVE | A(sve2)},
};
enum { LEVELS = sizeof levels / sizeof *levels };
#undef X
#undef A

rung_model rung_cpu_model(const rung_cpu *cpu)
{
    if (strcmp(cpu->family, "x86") == 0)
        return RUNG_MODEL_X86;
    return strcmp(cpu->family, "aarch64") == 0 ? RUNG_MODEL_AARCH64 : RUNG_MODEL_NONE;
}

uint64_t rung_level_features(rung_model model, uint16_t rank)
{
    for (int i = 0; i < LEVELS; i++)
        if (levels[i].model == model && levels[i].rank == rank)
            return levels[i].features;
    return 0;
}

uint16_t rung_level_rank(rung_model model, const char *name, size_t len)
{
    for (int i = 0; i < LEVELS; i++)
        if (levels[i].model == model && rung_same(levels[i].name, name, len))
            return levels[i].rank;
    return 0;
}

void rung_cpu_set_level(rung_cpu *cpu)
{
    rung_model model = rung_cpu_model(cpu);
    cpu->level = "generic";
    for (int i = 0; i < LEVELS; i++)
        if (levels[i].model == model && (levels[i].features & ~cpu->features) == 0)
            cpu->level = levels[i].name;
}
