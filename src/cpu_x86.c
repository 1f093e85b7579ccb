/* SPDX-License-Identifier: Apache-2.0
 *
 * cpu_x86.c: x86 features from CPUID, and from XGETBV what the system enables of them.
 */
#include "cpu.h"

#include <string.h>

enum { EAX, EBX, ECX, EDX };

/* Where a feature is told, and the state that the system must save for it: bits of XCR0. */
typedef enum leaf { LEAF_1, LEAF_7, LEAF_7_1, LEAF_EXTENDED, LEAVES } leaf;
typedef struct source {
    uint8_t feature, leaf, reg, bit;
    uint32_t state;
} source;

#define NONE   0u
#define AVX    0x6u
#define AVX512 0xE6u
#define AMX    0x60000u
#define F(name, leaf, reg, bit, state)                                                                                 \
    {                                                                                                                  \
        RUNG_CPU_BIT_x86_##name, leaf, reg, bit, state                                                                 \
    }
static const source sources[] = {
    F(sse3, LEAF_1, ECX, 0, NONE),
    F(ssse3, LEAF_1, ECX, 9, NONE),
    F(fma, LEAF_1, ECX, 12, AVX),
    F(cmpxchg16b, LEAF_1, ECX, 13, NONE),
    F(sse4_1, LEAF_1, ECX, 19, NONE),
    F(sse4_2, LEAF_1, ECX, 20, NONE),
    F(movbe, LEAF_1, ECX, 22, NONE),
    F(popcnt, LEAF_1, ECX, 23, NONE),
    F(avx, LEAF_1, ECX, 28, AVX),
    F(f16c, LEAF_1, ECX, 29, AVX),
    F(bmi1, LEAF_7, EBX, 3, NONE),
    F(avx2, LEAF_7, EBX, 5, AVX),
    F(bmi2, LEAF_7, EBX, 8, NONE),
    F(avx512f, LEAF_7, EBX, 16, AVX512),
    F(avx512dq, LEAF_7, EBX, 17, AVX512),
    F(avx512_ifma, LEAF_7, EBX, 21, AVX512),
    F(avx512cd, LEAF_7, EBX, 28, AVX512),
    F(avx512bw, LEAF_7, EBX, 30, AVX512),
    F(avx512vl, LEAF_7, EBX, 31, AVX512),
    F(avx512_vbmi, LEAF_7, ECX, 1, AVX512),
    F(avx512_vbmi2, LEAF_7, ECX, 6, AVX512),
    F(gfni, LEAF_7, ECX, 8, NONE),
    F(vaes, LEAF_7, ECX, 9, AVX),
    F(vpclmulqdq, LEAF_7, ECX, 10, AVX),
    F(avx512_vnni, LEAF_7, ECX, 11, AVX512),
    F(avx512_bitalg, LEAF_7, ECX, 12, AVX512),
    F(avx512_vpopcntdq, LEAF_7, ECX, 14, AVX512),
    F(amx_bf16, LEAF_7, EDX, 22, AMX),
    F(avx512_fp16, LEAF_7, EDX, 23, AVX512),
    F(amx_tile, LEAF_7, EDX, 24, AMX),
    F(amx_int8, LEAF_7, EDX, 25, AMX),
    F(avx_vnni, LEAF_7_1, EAX, 4, AVX),
    F(avx512_bf16, LEAF_7_1, EAX, 5, AVX512),
    F(amx_fp16, LEAF_7_1, EAX, 21, AMX),
    F(lahf, LEAF_EXTENDED, ECX, 0, NONE),
    F(lzcnt, LEAF_EXTENDED, ECX, 5, NONE),
};
#undef F

/* Leaf 1, ECX. Without OSXSAVE XGETBV is an illegal instruction; the wide forms of AES and CLMUL include the others. */
#define OSXSAVE (1u << 27)
#define AES     (1u << 25)
#define CLMUL   (1u << 1)

/* Copies the text, without the blanks that some processors pad it with. */
static void tidy(char *out, const char *text, size_t n)
{
    while (n > 0 && *text == ' ') {
        text++;
        n--;
    }
    size_t len = 0;
    for (; len < n && text[len] != '\0'; len++)
        out[len] = text[len] >= ' ' && text[len] <= '~' ? text[len] : '?';
    while (len > 0 && out[len - 1] == ' ')
        len--;
    out[len] = '\0';
}

static void read_model(const rung_x86 *machine, const uint32_t leaf0[4], uint32_t max_extended, rung_cpu *out)
{
    const uint32_t vendor[3] = {leaf0[EBX], leaf0[EDX], leaf0[ECX]};
    char text[48];
    memcpy(text, vendor, sizeof vendor);
    tidy(out->vendor, text, sizeof vendor);
    if (max_extended < 0x80000004u)
        return;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t regs[4];
        machine->cpuid(0x80000002u + i, 0, regs, machine->user);
        memcpy(text + sizeof regs * i, regs, sizeof regs);
    }
    tidy(out->model, text, sizeof text);
}

void rung_x86_read(const rung_x86 *machine, bool for_people, rung_cpu *out)
{
    *out = (rung_cpu){.family = "x86", .level = "generic", .amx_permission = -1};
    uint32_t leaf0[4] = {0};
    uint32_t extended0[4] = {0};
    uint32_t regs[LEAVES][4] = {{0}};
    machine->cpuid(0, 0, leaf0, machine->user);
    uint32_t max = leaf0[EAX];
    if (max >= 1)
        machine->cpuid(1, 0, regs[LEAF_1], machine->user);
    if (max >= 7) {
        machine->cpuid(7, 0, regs[LEAF_7], machine->user);
        if (regs[LEAF_7][EAX] >= 1)
            machine->cpuid(7, 1, regs[LEAF_7_1], machine->user);
    }
    machine->cpuid(0x80000000u, 0, extended0, machine->user);
    /* A processor without extended leaves answers with another leaf's data. */
    uint32_t max_extended = extended0[EAX] >> 16 == 0x8000 ? extended0[EAX] : 0;
    if (max_extended >= 0x80000001u)
        machine->cpuid(0x80000001u, 0, regs[LEAF_EXTENDED], machine->user);

    uint64_t enabled = regs[LEAF_1][ECX] & OSXSAVE ? machine->xcr0(machine->user) : 0;
    uint64_t tiles = 0;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        const source *s = &sources[i];
        if ((regs[s->leaf][s->reg] >> s->bit & 1u) == 0)
            continue;
        uint64_t bit = UINT64_C(1) << s->feature;
        if ((enabled & s->state) != s->state) {
            out->disabled |= bit;
        } else {
            out->features |= bit;
            if (s->state == AMX)
                tiles |= bit;
        }
    }
    if (tiles != 0) {
        out->amx_permission = machine->amx_permission(machine->user);
        /* Until the process has been granted the tiles, their first instruction ends it. */
        if (out->amx_permission != 1) {
            out->features &= ~tiles;
            out->disabled |= tiles;
        }
    }
    if ((regs[LEAF_1][ECX] & AES) == 0)
        out->features &= ~RUNG_CPU_MASK(x86, vaes);
    if ((regs[LEAF_1][ECX] & CLMUL) == 0)
        out->features &= ~RUNG_CPU_MASK(x86, vpclmulqdq);
    out->features = rung_features_whole(RUNG_MODEL_X86, out->features);
    /* those that may be asked for would be whole once they are granted */
    out->disabled &= rung_features_whole(RUNG_MODEL_X86, out->features | (out->disabled & tiles)) | ~tiles;
    if (for_people)
        read_model(machine, leaf0, max_extended, out);
}

#if defined(__x86_64__)
#include <cpuid.h>

static void native_cpuid(uint32_t number, uint32_t subleaf, uint32_t regs[4], void *user)
{
    (void)user;
    __cpuid_count(number, subleaf, regs[EAX], regs[EBX], regs[ECX], regs[EDX]);
}

static uint64_t native_xcr0(void *user)
{
    (void)user;
    uint32_t low;
    uint32_t high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static int native_amx_permission(void *user)
{
    (void)user;
    return rung_amx_permission();
}

bool rung_x86_detect(bool for_people, rung_cpu *out)
{
    const rung_x86 native = {native_cpuid, native_xcr0, native_amx_permission, NULL};
    rung_x86_read(&native, for_people, out);
    return true;
}

#else

bool rung_x86_detect(bool for_people, rung_cpu *out)
{
    (void)for_people;
    (void)out;
    return false;
}

#endif
