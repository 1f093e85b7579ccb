/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu.h"

#include <stddef.h>

#define NAME(family, name, bit) [bit] = #name,
static const char *const x86_names[RUNG_CPU_BITS] = {RUNG_CPU_FEATURES_X86(NAME)};
static const char *const aarch64_names[RUNG_CPU_BITS] = {RUNG_CPU_FEATURES_AARCH64(NAME)};
#undef NAME

const char *rung_feature_name(rung_model model, unsigned bit)
{
    if (bit >= RUNG_CPU_BITS)
        return NULL;
    if (model == RUNG_MODEL_X86)
        return x86_names[bit];
    return model == RUNG_MODEL_AARCH64 ? aarch64_names[bit] : NULL;
}

const char *rung_cpu_feature_name(unsigned bit)
{
#if defined(__x86_64__)
    return rung_feature_name(RUNG_MODEL_X86, bit);
#elif defined(__aarch64__)
    return rung_feature_name(RUNG_MODEL_AARCH64, bit);
#else
    return rung_feature_name(RUNG_MODEL_NONE, bit);
#endif
}

void rung_cpu_read(bool for_people, rung_cpu *out)
{
    if (!rung_x86_detect(for_people, out) && !rung_aarch64_detect(out))
        *out = (rung_cpu){.family = "other", .amx_permission = -1};
    rung_cpu_set_level(out);
}

void rung_cpu_detect(rung_cpu *out)
{
    if (out != NULL)
        rung_cpu_read(true, out);
}

void rung_cpu_expect_tiles(rung_cpu *cpu)
{
    if (cpu->amx_permission != 0)
        return;
    cpu->features |= cpu->disabled & RUNG_CPU_TILES;
    cpu->disabled &= ~RUNG_CPU_TILES;
    rung_cpu_set_level(cpu);
}
