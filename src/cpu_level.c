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

/* What a compiler that is told to use a feature may use besides: the union of what GCC and Clang take it to include. */
typedef struct need {
    uint8_t model, feature;
    uint64_t others;
} need;
#define NX(name, others)                                                                                               \
    {                                                                                                                  \
        RUNG_MODEL_X86, RUNG_CPU_BIT_x86_##name, others                                                                \
    }
#define NA(name, others)                                                                                               \
    {                                                                                                                  \
        RUNG_MODEL_AARCH64, RUNG_CPU_BIT_aarch64_##name, others                                                        \
    }
static const need needs[] = {
    NX(ssse3, X(sse3)),
    NX(sse4_1, X(ssse3)),
    NX(sse4_2, X(sse4_1) | X(popcnt)),
    NX(avx, X(sse4_2)),
    NX(f16c, X(avx)),
    NX(fma, X(avx)),
    NX(avx2, X(avx)),
    NX(avx_vnni, X(avx2)),
    NX(vaes, X(avx)),
    NX(vpclmulqdq, X(avx)),
    NX(avx512f, X(avx2) | X(fma) | X(f16c)),
    NX(avx512dq, X(avx512f)),
    NX(avx512cd, X(avx512f)),
    NX(avx512bw, X(avx512f)),
    NX(avx512vl, X(avx512f)),
    NX(avx512_vnni, X(avx512f)),
    NX(avx512_ifma, X(avx512f)),
    NX(avx512_vpopcntdq, X(avx512f)),
    NX(avx512_vbmi, X(avx512bw)),
    NX(avx512_vbmi2, X(avx512bw)),
    NX(avx512_bitalg, X(avx512bw)),
    NX(avx512_bf16, X(avx512bw)),
    NX(avx512_fp16, X(avx512bw) | X(avx512dq) | X(avx512vl)),
    NX(amx_int8, X(amx_tile)),
    NX(amx_bf16, X(amx_tile)),
    NX(amx_fp16, X(amx_tile)),
    NA(fphp, A(asimd) | A(asimdhp)), /* one option for both */
    NA(asimdhp, A(asimd) | A(fphp)),
    NA(asimddp, A(asimd)),
    NA(asimdfhm, A(asimdhp)),
    NA(i8mm, A(asimd)),
    NA(bf16, A(asimd)),
    NA(sve, A(asimdhp)),
    NA(sve2, A(sve)),
    NA(svei8mm, A(sve) | A(i8mm)),
    NA(svebf16, A(sve) | A(bf16)),
    NA(sme2, A(sme)),
};
#undef NX
#undef NA
#undef X
#undef A

rung_model rung_cpu_model(const rung_cpu *cpu)
{
    if (strcmp(cpu->family, "x86") == 0)
        return RUNG_MODEL_X86;
    return strcmp(cpu->family, "aarch64") == 0 ? RUNG_MODEL_AARCH64 : RUNG_MODEL_NONE;
}

/* One pass is enough: whatever a line takes away is looked at by the lines behind it. */
uint64_t rung_features_whole(rung_model model, uint64_t features)
{
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (needs[i].model == model && (needs[i].others & ~features) != 0)
            features &= ~(UINT64_C(1) << needs[i].feature);
    return features;
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
