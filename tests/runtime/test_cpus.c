/* SPDX-License-Identifier: Apache-2.0
 *
 * Processors as they are: every file of cpus/ holds what one answers, and the level and the features that it has. A new
 * processor is a new file.
 *
 *     # Comments, with the source of the numbers.
 *     family x86                          or aarch64
 *     level x86-64-v3
 *     features sse3 ssse3 ...             all of them, on as many such lines as it takes; `none` alone: none
 *     disabled avx512f ...                likewise: those that the processor has and the system does not enable
 *     xcr0 0xe7                           `none`: XGETBV must not be executed
 *     amx 0                               as rung_cpu.amx_permission
 *     beyond last                         what leaves beyond the limits answer: the data of the last one, or `zero`
 *     00000007 01 00000810 00000000 ...   leaf, subleaf, eax, ebx, ecx, edx; all in hexadecimal
 *     hwcap 0x119fff                      AArch64: AT_HWCAP, AT_HWCAP2, and the bytes of an SVE register
 *     hwcap2 0x0
 *     sve 0
 */
#include "runtime_test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAVES = 64 };

typedef struct answer {
    uint32_t leaf, subleaf, regs[4];
} answer;

typedef struct cpu_file {
    char name[256];
    char family[16], level[16];
    uint64_t features, disabled;
    bool has_xcr0, beyond_zero;
    uint64_t xcr0, hwcap, hwcap2;
    long amx, sve;
    answer answers[LEAVES];
    size_t count;
    /* how the reader went about it */
    unsigned outside, missing, xcr0_calls, amx_calls;
} cpu_file;

/* ---- reading a file ---------------------------------------------------------------------------------------------- */

static uint64_t number(const cpu_file *f, const char *text, int base)
{
    char *end;
    uint64_t value = strtoull(text, &end, base);
    if (end == text || *end != '\0')
        fail_msg("%s: not a number: %s", f->name, text);
    return value;
}

static uint64_t feature(const cpu_file *f, const char *name)
{
    rung_model model = strcmp(f->family, "x86") == 0 ? RUNG_MODEL_X86 : RUNG_MODEL_AARCH64;
    for (unsigned bit = 0; bit < RUNG_CPU_BITS; bit++) {
        const char *known = rung_feature_name(model, bit);
        if (known != NULL && strcmp(known, name) == 0)
            return UINT64_C(1) << bit;
    }
    if (strcmp(name, "none") != 0)
        fail_msg("%s: no feature of that name: %s", f->name, name);
    return 0;
}

static void read_line(cpu_file *f, char *line, unsigned *keys)
{
    char *rest = NULL;
    char *key = strtok_r(line, " \n", &rest);
    char *value = key == NULL || *key == '#' ? NULL : strtok_r(NULL, " \n", &rest);
    if (value == NULL)
        return;
    if (strcmp(key, "family") == 0) {
        (void)snprintf(f->family, sizeof f->family, "%s", value);
        *keys |= 1;
    } else if (strcmp(key, "level") == 0) {
        (void)snprintf(f->level, sizeof f->level, "%s", value);
        *keys |= 2;
    } else if (strcmp(key, "features") == 0 || strcmp(key, "disabled") == 0) {
        uint64_t *set = key[0] == 'f' ? &f->features : &f->disabled;
        *keys |= key[0] == 'f' ? 4 : 8;
        for (; value != NULL; value = strtok_r(NULL, " \n", &rest))
            *set |= feature(f, value);
    } else if (strcmp(key, "xcr0") == 0) {
        f->has_xcr0 = strcmp(value, "none") != 0;
        f->xcr0 = f->has_xcr0 ? number(f, value, 16) : 0;
        *keys |= 16;
    } else if (strcmp(key, "amx") == 0) {
        f->amx = strtol(value, NULL, 10);
    } else if (strcmp(key, "beyond") == 0) {
        f->beyond_zero = strcmp(value, "zero") == 0;
        assert_true(f->beyond_zero || strcmp(value, "last") == 0);
    } else if (strcmp(key, "hwcap") == 0) {
        f->hwcap = number(f, value, 16);
        *keys |= 32;
    } else if (strcmp(key, "hwcap2") == 0) {
        f->hwcap2 = number(f, value, 16);
        *keys |= 64;
    } else if (strcmp(key, "sve") == 0) {
        f->sve = (long)number(f, value, 10);
    } else {
        assert_true(f->count < LEAVES);
        answer *a = &f->answers[f->count++];
        a->leaf = (uint32_t)number(f, key, 16);
        a->subleaf = (uint32_t)number(f, value, 16);
        for (int i = 0; i < 4; i++) {
            value = strtok_r(NULL, " \n", &rest);
            if (value == NULL)
                fail_msg("%s: too few registers for leaf %s", f->name, key);
            a->regs[i] = (uint32_t)number(f, value, 16);
        }
    }
}

static void read_file(cpu_file *f, const char *name)
{
    char path[1024];
    char line[1024];
    unsigned keys = 0;
    *f = (cpu_file){.amx = -1};
    (void)snprintf(f->name, sizeof f->name, "%s", name);
    (void)snprintf(path, sizeof path, "%s/%s", CPUS_FOLDER, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    bool sourced = false;
    while (fgets(line, sizeof line, file) != NULL) {
        sourced = sourced || strncmp(line, "# Source: ", 10) == 0;
        read_line(f, line, &keys);
    }
    assert_int_equal(fclose(file), 0);
    bool x86 = strcmp(f->family, "x86") == 0;
    if (!sourced || keys != (x86 ? 0x1fu : 0x6fu) || (x86 && f->count == 0))
        fail_msg("%s: what a file must have is missing", f->name);
}

/* ---- the processor that it is ------------------------------------------------------------------------------------ */

static const answer *find(const cpu_file *f, uint32_t leaf, uint32_t subleaf)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->answers[i].leaf == leaf && f->answers[i].subleaf == subleaf)
            return &f->answers[i];
    return NULL;
}

static void replay(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *user)
{
    cpu_file *f = user;
    const answer *zero = find(f, 0, 0);
    const answer *extended = find(f, 0x80000000u, 0);
    const answer *first = find(f, leaf, 0);
    uint32_t last = zero->regs[0];
    memset(regs, 0, 4 * sizeof *regs);
    /* a processor that has no extended leaves says so by answering this one like any other that it does not have */
    bool inside = leaf < 0x80000000u ? leaf <= last : extended != NULL && leaf <= extended->regs[0];
    if (inside && leaf == 7 && subleaf > 0 && first != NULL && subleaf > first->regs[0]) {
        f->outside++;
        memcpy(regs, first->regs, sizeof first->regs);
        return;
    }
    if (inside) {
        const answer *found = find(f, leaf, subleaf);
        if (found == NULL)
            f->missing++;
        else
            memcpy(regs, found->regs, sizeof found->regs);
        return;
    }
    if (leaf != 0x80000000u)
        f->outside++;
    const answer *beyond = f->beyond_zero ? NULL : find(f, last, 0);
    if (beyond != NULL)
        memcpy(regs, beyond->regs, sizeof beyond->regs);
}

static uint64_t replay_xcr0(void *user)
{
    cpu_file *f = user;
    f->xcr0_calls++;
    return f->xcr0;
}

static int replay_amx(void *user)
{
    cpu_file *f = user;
    f->amx_calls++;
    return (int)f->amx;
}

/* What is wrong with this answer, one line each; the number of lines. */
static unsigned compare(const cpu_file *f, const rung_cpu *cpu)
{
    rung_model model = rung_cpu_model(cpu);
    unsigned wrong = 0;
    if (strcmp(cpu->level, f->level) != 0) {
        print_error("%s: level %s instead of %s\n", f->name, cpu->level, f->level);
        wrong++;
    }
    for (unsigned bit = 0; bit < RUNG_CPU_BITS; bit++) {
        uint64_t mask = UINT64_C(1) << bit;
        int is = (cpu->features & mask) != 0 ? 2 : (cpu->disabled & mask) != 0;
        int should = (f->features & mask) != 0 ? 2 : (f->disabled & mask) != 0;
        static const char *const words[] = {"absent", "disabled", "there"};
        if (is != should) {
            print_error("%s: %s is %s, and should be %s\n", f->name, rung_feature_name(model, bit), words[is],
                        words[should]);
            wrong++;
        }
    }
    return wrong;
}

static unsigned check_x86(cpu_file *f)
{
    const rung_x86 machine = {replay, replay_xcr0, replay_amx, f};
    rung_cpu cpu;
    unsigned wrong = 0;
    for (int for_people = 0; for_people < 2; for_people++) {
        f->outside = f->missing = f->xcr0_calls = f->amx_calls = 0;
        rung_x86_read(&machine, for_people, &cpu);
        rung_cpu_set_level(&cpu);
        wrong += compare(f, &cpu);
        if (f->outside != 0 || f->missing != 0 || f->xcr0_calls != (f->has_xcr0 ? 1u : 0u)) {
            print_error("%s: %u leaves beyond the limits, %u that the file lacks, XGETBV %u times\n", f->name,
                        f->outside, f->missing, f->xcr0_calls);
            wrong++;
        }
    }
    return wrong;
}

static unsigned check_aarch64(const cpu_file *f)
{
    rung_cpu cpu;
    rung_aarch64_read(f->hwcap, f->hwcap2, (uint32_t)f->sve, &cpu);
    rung_cpu_set_level(&cpu);
    unsigned wrong = compare(f, &cpu);
    if (cpu.sve_bytes != f->sve) {
        print_error("%s: %u bytes of SVE\n", f->name, (unsigned)cpu.sve_bytes);
        wrong++;
    }
    return wrong;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static void every_file(void **state)
{
    (void)state;
    static cpu_file f;
    unsigned wrong = 0;
    unsigned x86 = 0;
    unsigned aarch64 = 0;
    DIR *folder = opendir(CPUS_FOLDER);
    assert_non_null(folder);
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        size_t len = strlen(entry->d_name);
        if (len < 4 || strcmp(entry->d_name + len - 4, ".txt") != 0)
            continue;
        read_file(&f, entry->d_name);
        if (strcmp(f.family, "x86") == 0) {
            wrong += check_x86(&f);
            x86++;
        } else {
            wrong += check_aarch64(&f);
            aarch64++;
        }
    }
    assert_int_equal(closedir(folder), 0);
    print_message("%u x86 processors, %u of AArch64\n", x86, aarch64);
    assert_true(x86 >= 25);
    assert_true(aarch64 >= 6);
    assert_int_equal(wrong, 0);
}

/* The replay itself: it answers beyond its limits as processors do. */
static void the_replay(void **state)
{
    (void)state;
    static cpu_file f;
    uint32_t regs[4];
    read_file(&f, "intel-skylake.txt");
    uint32_t last = find(&f, 0, 0)->regs[0];
    replay(last + 2, 0, regs, &f);
    assert_memory_equal(regs, find(&f, last, 0)->regs, sizeof regs);
    replay(7, 1, regs, &f);
    assert_memory_equal(regs, find(&f, 7, 0)->regs, sizeof regs);
    assert_int_equal(f.outside, 2);
    replay(3, 0, regs, &f);
    assert_int_equal(f.missing, 1);
    read_file(&f, "amd-zen3.txt");
    replay(find(&f, 0, 0)->regs[0] + 1, 0, regs, &f);
    assert_int_equal(regs[0] | regs[1] | regs[2] | regs[3], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file),
        cmocka_unit_test(the_replay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
