/* SPDX-License-Identifier: Apache-2.0
 *
 * Processors that this machine is not, from the answers that their CPUID gives.
 */
#include "runtime_test.h"

#include <string.h>

/* ---- imitated x86 ------------------------------------------------------------------------------------------------ */

typedef struct fake {
    uint32_t max_basic, max_extended, max_sub7;
    uint32_t ecx1, ebx7, ecx7, edx7, eax71, ecx_extended;
    uint64_t xcr0;
    int amx_permission;
    int calls[8]; /* of leaf 0, 1, 7.0, 7.1, 0x80000000, 0x80000001, the brand, any other */
    int xcr0_calls, amx_calls;
} fake;

static void fake_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *user)
{
    fake *f = user;
    memset(regs, 0, 4 * sizeof *regs);
    if (leaf == 0) {
        f->calls[0]++;
        regs[0] = f->max_basic;
        memcpy(&regs[1], "Genu", 4);
        memcpy(&regs[3], "ineI", 4);
        memcpy(&regs[2], "mita", 4);
    } else if (leaf == 1 && f->max_basic >= 1) {
        f->calls[1]++;
        regs[2] = f->ecx1;
    } else if (leaf == 7 && f->max_basic >= 7 && subleaf == 0) {
        f->calls[2]++;
        regs[0] = f->max_sub7;
        regs[1] = f->ebx7;
        regs[2] = f->ecx7;
        regs[3] = f->edx7;
    } else if (leaf == 7 && f->max_basic >= 7 && subleaf == 1 && f->max_sub7 >= 1) {
        f->calls[3]++;
        regs[0] = f->eax71;
    } else if (leaf == 0x80000000u && f->max_extended != 0) {
        f->calls[4]++;
        regs[0] = f->max_extended;
    } else if (leaf == 0x80000001u && f->max_extended >= 0x80000001u) {
        f->calls[5]++;
        regs[2] = f->ecx_extended;
    } else if (leaf >= 0x80000002u && leaf <= 0x80000004u && leaf <= f->max_extended) {
        static const char brand[49] = "   An imitation of a processor  @ 0 GHz         ";
        f->calls[6]++;
        memcpy(regs, brand + (size_t)16 * (leaf - 0x80000002u), 16);
    } else {
        f->calls[7]++;
        memset(regs, 0xff, 4 * sizeof *regs); /* out of range: the data of some other leaf */
        if (leaf == 0x80000000u)
            regs[0] = 0x340;
    }
}

static uint64_t fake_xcr0(void *user)
{
    fake *f = user;
    f->xcr0_calls++;
    return f->xcr0;
}

static int fake_amx(void *user)
{
    fake *f = user;
    f->amx_calls++;
    return f->amx_permission;
}

#define BIT(n) (UINT32_C(1) << (n))

/* An all-knowing processor under a system that enables everything. */
static fake everything(void)
{
    return (fake){
        .max_basic = 0x20,
        .max_extended = 0x80000008u,
        .max_sub7 = 1,
        .ecx1 = BIT(0) | BIT(1) | BIT(9) | BIT(12) | BIT(13) | BIT(19) | BIT(20) | BIT(22) | BIT(23) | BIT(25) |
                BIT(27) | BIT(28) | BIT(29),
        .ebx7 = BIT(3) | BIT(5) | BIT(8) | BIT(16) | BIT(17) | BIT(21) | BIT(28) | BIT(30) | BIT(31),
        .ecx7 = BIT(1) | BIT(6) | BIT(8) | BIT(9) | BIT(10) | BIT(11) | BIT(12) | BIT(14),
        .edx7 = BIT(22) | BIT(23) | BIT(24) | BIT(25),
        .eax71 = BIT(4) | BIT(5) | BIT(21),
        .ecx_extended = BIT(0) | BIT(5),
        .xcr0 = 0x602e7,
        .amx_permission = 1,
    };
}

static rung_cpu read_fake(fake *f, bool for_people)
{
    const rung_x86 machine = {fake_cpuid, fake_xcr0, fake_amx, f};
    rung_cpu cpu;
    memset(&cpu, 0x5a, sizeof cpu);
    rung_x86_read(&machine, for_people, &cpu);
    rung_cpu_set_level(&cpu);
    return cpu;
}

static void everything_is_seen(void **state)
{
    (void)state;
    fake f = everything();
    rung_cpu cpu = read_fake(&f, false);
    assert_string_equal(cpu.family, "x86");
    assert_string_equal(cpu.level, "amx");
    assert_int_equal(cpu.disabled, 0);
    assert_int_equal(cpu.amx_permission, 1);
    for (unsigned bit = 0; bit < 64; bit++)
        assert_int_equal(cpu.features >> bit & 1, rung_feature_name(RUNG_MODEL_X86, bit) != NULL);
    assert_string_equal(cpu.vendor, "");
    assert_string_equal(cpu.model, "");
}

static void every_leaf_is_read_at_most_once(void **state)
{
    (void)state;
    fake f = everything();
    (void)read_fake(&f, false);
    for (int i = 0; i < 6; i++)
        assert_int_equal(f.calls[i], 1);
    assert_int_equal(f.calls[6], 0);
    assert_int_equal(f.calls[7], 0);
    assert_int_equal(f.xcr0_calls, 1);
    assert_int_equal(f.amx_calls, 1);
}

static void names_for_people(void **state)
{
    (void)state;
    fake f = everything();
    rung_cpu cpu = read_fake(&f, true);
    assert_int_equal(f.calls[6], 3);
    assert_string_equal(cpu.vendor, "GenuineImita");
    assert_string_equal(cpu.model, "An imitation of a processor  @ 0 GHz");
    f = everything();
    f.max_extended = 0x80000001u;
    cpu = read_fake(&f, true);
    assert_string_equal(cpu.model, "");
    assert_int_equal(f.calls[6] + f.calls[7], 0);
}

/* Taking one bit away leaves the highest level that does without it. */
static void one_missing_bit_lowers_the_level(void **state)
{
    (void)state;
    enum { ECX1, EBX7, EDX7, EXTENDED };
    static const struct {
        int reg;
        unsigned bit;
        const char *level;
    } table[] = {
        {ECX1, 0, "generic"},    {ECX1, 9, "generic"},    {ECX1, 13, "generic"},      {ECX1, 19, "generic"},
        {ECX1, 20, "generic"},   {ECX1, 23, "generic"},   {EXTENDED, 0, "generic"},   {ECX1, 12, "x86-64-v2"},
        {ECX1, 22, "x86-64-v2"}, {ECX1, 28, "x86-64-v2"}, {ECX1, 29, "x86-64-v2"},    {EBX7, 3, "x86-64-v2"},
        {EBX7, 5, "x86-64-v2"},  {EBX7, 8, "x86-64-v2"},  {EXTENDED, 5, "x86-64-v2"}, {EBX7, 16, "x86-64-v3"},
        {EBX7, 17, "x86-64-v3"}, {EBX7, 28, "x86-64-v3"}, {EBX7, 30, "x86-64-v3"},    {EBX7, 31, "x86-64-v3"},
        {EDX7, 22, "x86-64-v4"}, {EDX7, 24, "x86-64-v4"}, {EDX7, 25, "x86-64-v4"},    {EBX7, 21, "amx"},
        {EDX7, 23, "amx"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        fake f = everything();
        uint32_t *const regs[] = {&f.ecx1, &f.ebx7, &f.edx7, &f.ecx_extended};
        *regs[table[i].reg] &= ~BIT(table[i].bit);
        rung_cpu cpu = read_fake(&f, false);
        assert_string_equal(cpu.level, table[i].level);
        assert_int_equal(cpu.disabled, 0);
    }
}

static void what_the_system_does_not_save_is_disabled(void **state)
{
    (void)state;
    static const struct {
        uint64_t xcr0;
        const char *level;
        uint64_t disabled_has, features_has;
    } table[] = {
        {0x602e7, "amx", 0, RUNG_CPU_MASK(x86, amx_tile)},
        {0x202e7, "x86-64-v4", RUNG_CPU_MASK(x86, amx_tile), RUNG_CPU_MASK(x86, avx512f)},
        {0x402e7, "x86-64-v4", RUNG_CPU_MASK(x86, amx_int8), RUNG_CPU_MASK(x86, avx512f)},
        {0xe7, "x86-64-v4", RUNG_CPU_MASK(x86, amx_bf16), RUNG_CPU_MASK(x86, avx512_fp16)},
        {0x67, "x86-64-v3", RUNG_CPU_MASK(x86, avx512f) | RUNG_CPU_MASK(x86, avx512_bf16), RUNG_CPU_MASK(x86, avx2)},
        {0xc7, "x86-64-v3", RUNG_CPU_MASK(x86, avx512vl), RUNG_CPU_MASK(x86, avx_vnni)},
        {0xa7, "x86-64-v3", RUNG_CPU_MASK(x86, avx512bw), RUNG_CPU_MASK(x86, fma)},
        {0x7, "x86-64-v3", RUNG_CPU_MASK(x86, avx512f), RUNG_CPU_MASK(x86, vaes)},
        {0x3, "x86-64-v2", RUNG_CPU_MASK(x86, avx) | RUNG_CPU_MASK(x86, fma) | RUNG_CPU_MASK(x86, f16c),
         RUNG_CPU_MASK(x86, bmi2) | RUNG_CPU_MASK(x86, gfni)},
        {0x5, "x86-64-v2", RUNG_CPU_MASK(x86, avx2), RUNG_CPU_MASK(x86, movbe)},
        {0, "x86-64-v2", RUNG_CPU_MASK(x86, avx), RUNG_CPU_MASK(x86, lzcnt)},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        fake f = everything();
        f.xcr0 = table[i].xcr0;
        rung_cpu cpu = read_fake(&f, false);
        assert_string_equal(cpu.level, table[i].level);
        assert_int_equal(cpu.disabled & table[i].disabled_has, table[i].disabled_has);
        assert_int_equal(cpu.features & table[i].features_has, table[i].features_has);
        assert_int_equal(cpu.features & cpu.disabled, 0);
    }
}

/* A compiler that is told of AVX2 uses AVX: a virtual machine that shows one without the other has neither. */
static void a_feature_counts_with_all_that_it_includes(void **state)
{
    (void)state;
#define M(name) RUNG_CPU_MASK(x86, name)
    static const struct {
        unsigned ecx1; /* the bit that is hidden */
        uint64_t gone, there;
    } table[] = {
        {28, M(avx2) | M(fma) | M(f16c) | M(avx512f) | M(avx512_fp16) | M(avx_vnni) | M(vaes),
         M(sse4_2) | M(bmi2) | M(gfni)},
        {12, M(fma) | M(avx512f) | M(avx512vl) | M(avx512_bf16), M(avx2) | M(avx_vnni)},
        {23, M(popcnt) | M(sse4_2) | M(avx) | M(avx512f), M(sse4_1) | M(movbe)},
        {0, M(ssse3) | M(avx2), M(popcnt) | M(bmi1)},
        {25, M(vaes), M(vpclmulqdq) | M(avx512f)},
        {1, M(vpclmulqdq), M(vaes) | M(avx512f)},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        fake f = everything();
        f.ecx1 &= ~BIT(table[i].ecx1);
        const rung_cpu cpu = read_fake(&f, false);
        assert_int_equal(cpu.features & table[i].gone, 0);
        assert_int_equal(cpu.features & table[i].there, table[i].there);
        assert_int_equal(cpu.disabled, 0);
    }
    /* tiles that are granted later count by the same rule */
    fake f = everything();
    f.edx7 &= ~BIT(24); /* amx_tile */
    f.amx_permission = 0;
    rung_cpu cpu = read_fake(&f, false);
    rung_cpu_expect_tiles(&cpu);
    assert_int_equal(cpu.features & RUNG_CPU_TILES, 0);
    for (uint16_t rank = 2; rank <= 5; rank++)
        assert_int_equal(rung_features_whole(RUNG_MODEL_X86, rung_level_features(RUNG_MODEL_X86, rank)),
                         rung_level_features(RUNG_MODEL_X86, rank));
    for (uint16_t rank = 1; rank <= 3; rank++)
        assert_int_equal(rung_features_whole(RUNG_MODEL_AARCH64, rung_level_features(RUNG_MODEL_AARCH64, rank)),
                         rung_level_features(RUNG_MODEL_AARCH64, rank));
#undef M
}

static void without_osxsave_xgetbv_is_not_executed(void **state)
{
    (void)state;
    fake f = everything();
    f.ecx1 &= ~BIT(27);
    rung_cpu cpu = read_fake(&f, false);
    assert_int_equal(f.xcr0_calls, 0);
    assert_int_equal(f.amx_calls, 0);
    assert_string_equal(cpu.level, "x86-64-v2");
    assert_true(cpu.disabled & RUNG_CPU_MASK(x86, avx));
    assert_int_equal(cpu.amx_permission, -1);
}

static void tiles_count_only_once_granted(void **state)
{
    (void)state;
    for (int permission = -1; permission <= 1; permission++) {
        fake f = everything();
        f.amx_permission = permission;
        rung_cpu cpu = read_fake(&f, false);
        const uint64_t tiles = RUNG_CPU_MASK(x86, amx_tile) | RUNG_CPU_MASK(x86, amx_int8) |
                               RUNG_CPU_MASK(x86, amx_bf16) | RUNG_CPU_MASK(x86, amx_fp16);
        assert_int_equal(cpu.amx_permission, permission);
        assert_string_equal(cpu.level, permission == 1 ? "amx" : "x86-64-v4");
        assert_int_equal(cpu.features & tiles, permission == 1 ? tiles : 0);
        assert_int_equal(cpu.disabled & tiles, permission == 1 ? 0 : tiles);
    }
}

/* A hypervisor may hide one feature of the tiles and leave the others. */
static void no_feature_of_tiles_counts_without_the_grant(void **state)
{
    (void)state;
    fake f = everything();
    f.edx7 &= ~BIT(24); /* amx_tile */
    f.amx_permission = 0;
    const rung_cpu cpu = read_fake(&f, false);
    assert_int_equal(cpu.features & RUNG_CPU_MASK(x86, amx_int8), 0);
    /* and none of those that would not be whole with it */
    assert_int_equal(cpu.disabled & RUNG_CPU_MASK(x86, amx_int8), 0);
}

/* Beyond their limits processors answer with the data of other leaves: nobody may ask. */
static void limits_of_leaves_hold(void **state)
{
    (void)state;
    fake f = everything();
    f.max_basic = 6;
    rung_cpu cpu = read_fake(&f, false);
    assert_int_equal(f.calls[2] + f.calls[3] + f.calls[7], 0);
    assert_string_equal(cpu.level, "x86-64-v2");

    f = everything();
    f.max_sub7 = 0;
    cpu = read_fake(&f, false);
    assert_int_equal(f.calls[3] + f.calls[7], 0);
    assert_false(cpu.features & RUNG_CPU_MASK(x86, avx_vnni));
    assert_string_equal(cpu.level, "amx");

    f = everything();
    f.max_extended = 0x80000000u;
    cpu = read_fake(&f, false);
    assert_int_equal(f.calls[5] + f.calls[7], 0);
    assert_string_equal(cpu.level, "generic");

    f = everything();
    f.max_extended = 0; /* 0x80000000 itself is out of range and answers as another leaf would */
    cpu = read_fake(&f, true);
    assert_int_equal(f.calls[5] + f.calls[6], 0);
    assert_string_equal(cpu.level, "generic");

    f = everything();
    f.max_basic = 0;
    cpu = read_fake(&f, false);
    assert_int_equal(f.calls[1] + f.xcr0_calls, 0);
    assert_string_equal(cpu.level, "generic");
}

/* ---- AArch64 ----------------------------------------------------------------------------------------------------- */

static void aarch64_levels(void **state)
{
    (void)state;
    const uint64_t asimd = 1u << 1;
    const uint64_t half = 1u << 9 | 1u << 10; /* of scalars and of vectors */
    const uint64_t sve = half | 1u << 22;
    static const uint64_t sve2 = 1u << 1;
    rung_cpu cpu;
    rung_aarch64_read(0, 0, 0, &cpu);
    rung_cpu_set_level(&cpu);
    assert_string_equal(cpu.family, "aarch64");
    assert_string_equal(cpu.level, "generic");
    rung_aarch64_read(asimd, 0, 16, &cpu);
    rung_cpu_set_level(&cpu);
    assert_string_equal(cpu.level, "neon");
    assert_int_equal(cpu.sve_bytes, 0);
    rung_aarch64_read(asimd | sve, 0, 32, &cpu);
    rung_cpu_set_level(&cpu);
    assert_string_equal(cpu.level, "sve");
    assert_int_equal(cpu.sve_bytes, 32);
    rung_aarch64_read(asimd | sve, sve2, 16, &cpu);
    rung_cpu_set_level(&cpu);
    assert_string_equal(cpu.level, "sve2");
    rung_aarch64_read((asimd | sve) & ~half, sve2, 16, &cpu); /* -march=armv8-a+sve may use half precision */
    rung_cpu_set_level(&cpu);
    assert_string_equal(cpu.level, "neon");
    rung_aarch64_read(asimd, sve2, 0, &cpu); /* a hole in the ladder is not filled from above */
    rung_cpu_set_level(&cpu);
    assert_string_equal(cpu.level, "neon");
    assert_int_equal(cpu.amx_permission, -1);
}

/* From an all-knowing processor, what the missing bit stands for and what includes it. */
static void aarch64_features(void **state)
{
    (void)state;
#define M(name) RUNG_CPU_MASK(aarch64, name)
    static const uint64_t all_sve = M(sve) | M(sve2) | M(svei8mm) | M(svebf16);
    static const uint64_t half = M(fphp) | M(asimdhp) | M(asimdfhm) | all_sve;
    static const struct {
        int word;
        uint64_t bits, missing;
    } table[] = {
        {0, 1u << 1, half | M(asimd) | M(asimddp) | M(i8mm) | M(bf16)},
        {0, 1u << 9, half},
        {0, 1u << 10, half},
        {0, 1u << 20, M(asimddp)},
        {0, 1u << 23, M(asimdfhm)},
        {0, 1u << 22, all_sve},
        {1, 1u << 1, M(sve2)},
        {1, 1u << 9, M(svei8mm)},
        {1, 1u << 13, M(i8mm) | M(svei8mm)},
        {1, 1u << 14, 0}, /* SVE's is told */
        {1, 1u << 12, M(svebf16)},
        {1, 1u << 14 | 1u << 12, M(bf16) | M(svebf16)},
        {1, 1u << 23, M(sme) | M(sme2)},
        {1, UINT64_C(1) << 37, M(sme2)},
    };
    rung_cpu all;
    rung_aarch64_read(UINT64_MAX, UINT64_MAX, 256, &all);
    for (unsigned bit = 0; bit < 64; bit++)
        assert_int_equal(all.features >> bit & 1, rung_feature_name(RUNG_MODEL_AARCH64, bit) != NULL);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        uint64_t words[2] = {UINT64_MAX, UINT64_MAX};
        words[table[i].word] &= ~table[i].bits;
        rung_cpu cpu;
        rung_aarch64_read(words[0], words[1], 256, &cpu);
        assert_int_equal(cpu.features, all.features & ~table[i].missing);
        assert_int_equal(cpu.sve_bytes, cpu.features & M(sve) ? 256 : 0);
    }
#undef M
}

/* ---- levels and names -------------------------------------------------------------------------------------------- */

static void levels_hold_those_below(void **state)
{
    (void)state;
    static const struct {
        rung_model model;
        uint16_t first, last;
    } models[] = {{RUNG_MODEL_X86, 2, 5}, {RUNG_MODEL_AARCH64, 1, 3}};
    for (size_t m = 0; m < 2; m++)
        for (uint16_t rank = models[m].first; rank < models[m].last; rank++) {
            uint64_t low = rung_level_features(models[m].model, rank);
            uint64_t high = rung_level_features(models[m].model, (uint16_t)(rank + 1));
            assert_int_equal(low & ~high, 0);
            assert_int_not_equal(low, high);
        }
    assert_int_equal(rung_level_features(RUNG_MODEL_X86, 6), 0);
    assert_int_equal(rung_level_features(RUNG_MODEL_CUDA, 2), 0);
    assert_int_equal(rung_level_rank(RUNG_MODEL_X86, "x86-64-v3", 9), 3);
    assert_int_equal(rung_level_rank(RUNG_MODEL_X86, "x86-64-v3", 8), 0);
    assert_int_equal(rung_level_rank(RUNG_MODEL_X86, "neon", 4), 0);
    assert_int_equal(rung_level_rank(RUNG_MODEL_AARCH64, "sve2", 4), 3);
}

static void another_family_is_generic(void **state)
{
    (void)state;
    rung_cpu cpu = {.family = "other", .features = UINT64_MAX};
    rung_cpu_set_level(&cpu);
    assert_string_equal(cpu.level, "generic");
    assert_null(rung_feature_name(RUNG_MODEL_NONE, 0));
}

static void feature_names(void **state)
{
    (void)state;
    assert_string_equal(rung_feature_name(RUNG_MODEL_X86, 13), "avx2");
    assert_string_equal(rung_feature_name(RUNG_MODEL_AARCH64, 7), "sve");
    assert_null(rung_feature_name(RUNG_MODEL_X86, 63));
    assert_null(rung_feature_name(RUNG_MODEL_X86, 64));
    assert_null(rung_cpu_feature_name(UINT32_MAX));
}

static void this_machine(void **state)
{
    (void)state;
    rung_cpu_detect(NULL);
    rung_cpu a;
    rung_cpu b;
    rung_cpu_detect(&a);
    rung_cpu_read(false, &b);
    assert_string_equal(a.family, b.family);
    assert_string_equal(a.level, b.level);
    assert_int_equal(a.features, b.features);
    assert_int_equal(a.disabled, b.disabled);
    assert_int_equal(a.features & a.disabled, 0);
    assert_string_equal(b.model, "");
#if defined(__x86_64__)
    assert_string_equal(a.family, "x86");
    assert_string_not_equal(a.vendor, "");
    assert_string_equal(rung_cpu_feature_name(13), "avx2");
#elif defined(__aarch64__)
    assert_string_equal(a.family, "aarch64");
    assert_true(a.features & RUNG_CPU_MASK(aarch64, asimd));
    assert_string_equal(rung_cpu_feature_name(7), "sve");
#endif
#if defined(__AVX2__)
    assert_true(a.features & RUNG_CPU_MASK(x86, avx2));
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_seen),
        cmocka_unit_test(every_leaf_is_read_at_most_once),
        cmocka_unit_test(names_for_people),
        cmocka_unit_test(one_missing_bit_lowers_the_level),
        cmocka_unit_test(what_the_system_does_not_save_is_disabled),
        cmocka_unit_test(a_feature_counts_with_all_that_it_includes),
        cmocka_unit_test(without_osxsave_xgetbv_is_not_executed),
        cmocka_unit_test(tiles_count_only_once_granted),
        cmocka_unit_test(no_feature_of_tiles_counts_without_the_grant),
        cmocka_unit_test(limits_of_leaves_hold),
        cmocka_unit_test(aarch64_levels),
        cmocka_unit_test(aarch64_features),
        cmocka_unit_test(levels_hold_those_below),
        cmocka_unit_test(another_family_is_generic),
        cmocka_unit_test(feature_names),
        cmocka_unit_test(this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
