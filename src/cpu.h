/* SPDX-License-Identifier: Apache-2.0
 *
 * cpu.h: how the processor is read, apart from what is done with it, so that tests can imitate any machine.
 */
#ifndef RUNG_CPU_H
#define RUNG_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "rung/cpu_features.h"
#include "rung/table.h"

#define RUNG_CPU_MASK(family, name) (UINT64_C(1) << RUNG_CPU_BIT_##family##_##name)

/* ---- x86 --------------------------------------------------------------------------------------------------------- */

/* One x86 machine. xcr0 is only called when CPUID says that XGETBV exists; amx_permission only when the processor and
 * the system have AMX, and answers as rung_cpu.amx_permission: it asks the system nothing but what is granted. */
typedef struct rung_x86 {
    void (*cpuid)(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *user); /* eax, ebx, ecx, edx */
    uint64_t (*xcr0)(void *user);
    int (*amx_permission)(void *user);
    void *user;
} rung_x86;

/* Fills *out but for its level. Reads every leaf at most once, none above the limits that the machine states, and those
 * of the model name only `for_people`: a CPUID costs more than a microsecond in a virtual machine. */
void rung_x86_read(const rung_x86 *machine, bool for_people, rung_cpu *out);

/* ---- AArch64 ----------------------------------------------------------------------------------------------------- */

/* From AT_HWCAP and AT_HWCAP2; sve_bytes as the system told. Fills *out but for its level. */
void rung_aarch64_read(uint64_t hwcap, uint64_t hwcap2, uint32_t sve_bytes, rung_cpu *out);

/* ---- the running machine ----------------------------------------------------------------------------------------- */

/* The part of this processor's family: cpu_x86.c or cpu_aarch64.c; false when it is not of that family. */
bool rung_x86_detect(bool for_people, rung_cpu *out);
bool rung_aarch64_detect(rung_cpu *out);

void rung_cpu_read(bool for_people, rung_cpu *out);

/* As rung_cpu.amx_permission; changes nothing. */
int rung_amx_permission(void);

/* What depends on that permission. */
#define RUNG_CPU_TILES                                                                                                 \
    (RUNG_CPU_MASK(x86, amx_tile) | RUNG_CPU_MASK(x86, amx_int8) | RUNG_CPU_MASK(x86, amx_bf16) |                      \
     RUNG_CPU_MASK(x86, amx_fp16))

/* The processor as it will be once tiles that have only to be asked for are granted. */
void rung_cpu_expect_tiles(rung_cpu *cpu);

/* ---- levels ------------------------------------------------------------------------------------------------------ */

/* RUNG_MODEL_X86, RUNG_MODEL_AARCH64, or RUNG_MODEL_NONE. */
rung_model rung_cpu_model(const rung_cpu *cpu);

/* All features that a level stands for; 0 for a rank that the model does not have. */
uint64_t rung_level_features(rung_model model, uint16_t rank);

/* Those of the features that are whole: with all that a compiler may use besides when it is told to use them. A virtual
 * machine may show AVX2 and hide AVX. */
uint64_t rung_features_whole(rung_model model, uint64_t features);

/* The rank of a level's name, 0 for "generic" and any other. */
uint16_t rung_level_rank(rung_model model, const char *name, size_t len);

/* Sets level from family and features. */
void rung_cpu_set_level(rung_cpu *cpu);

const char *rung_feature_name(rung_model model, unsigned bit);

#endif
