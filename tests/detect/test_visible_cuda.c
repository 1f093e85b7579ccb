/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "detect/visible_cuda.h"

/* Four GPUs of which the first two UUIDs begin alike. */
static const rung_cuda_device four[] = {
    {.uuid = "GPU-aa000000-0000-0000-0000-000000000000"},
    {.uuid = "GPU-aa110000-0000-0000-0000-000000000000"},
    {.uuid = "GPU-bb000000-0000-0000-0000-000000000000"},
    {.uuid = "GPU-cc000000-0000-0000-0000-000000000000"},
};

/* GPU 0 is whole, GPU 1 has two GPU instances of which the first has two compute instances, GPU 2 has one, GPU 3 is in
 * MIG mode and has none. */
static const rung_cuda_device mig[] = {
    {.uuid = "GPU-a0"},
    {.uuid = "GPU-a1", .mig = true},
    {.uuid = "GPU-a2", .mig = true},
    {.uuid = "GPU-a3", .mig = true},
    {.uuid = "MIG-11", .instance = true, .gpu = 1, .gi = 1, .ci = 0},
    {.uuid = "MIG-12", .instance = true, .gpu = 1, .gi = 1, .ci = 1},
    {.uuid = "MIG-23", .instance = true, .gpu = 1, .gi = 2, .ci = 0},
    {.uuid = "MIG-34", .instance = true, .gpu = 2, .gi = 1, .ci = 0},
};

/* The indexes as text, "-" for none. */
static const char *seen(const char *list, const rung_cuda_device *devices, uint32_t count, bool one)
{
    static char text[1024];
    uint32_t out[64];
    const rung_cuda_machine machine = {devices, count, one};
    uint32_t n = rung_visible_cuda(list, &machine, out, 64);
    size_t at = 0;
    (void)snprintf(text, sizeof text, "-");
    for (uint32_t i = 0; i < n && i < 64; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%u", i == 0 ? "" : " ", (unsigned)out[i]);
    return text;
}

typedef struct row {
    const char *list, *expected;
} row;

static void gpus(void **state)
{
    (void)state;
    static const row table[] = {
        {NULL, "0 1 2 3"},
        {"", "-"},
        {" ", "-"},
        {",", "-"},
        {"-1", "-"},
        {"none", "-"},
        {"NoDevFiles", "-"},
        {"void", "-"},
        {"0", "0"},
        {"3,1", "3 1"},
        {"0,1,2,3", "0 1 2 3"},
        {" 2 , 1 ", "2 1"},
        {"\t2,\n1", "2 1"},
        {"+1", "1"},
        {"+", "-"},
        {"-0", "0"},
        {"--1", "-"},
        {"1gpu2,2ampere", "1 2"},
        {"1.5,2", "1 2"},
        {"0x2", "0"},
        {"007", "-"},
        {"002", "2"},
        {"0,2,-1,1", "0 2"},
        {"0,4,1", "0"},
        {"4", "-"},
        {"0,,1", "0"},
        {"0,", "0"},
        {",0", "-"},
        {"0;1", "0"},
        {"0 1", "0"},
        {"0,0", "-"},
        {"0,1,0", "-"},
        {"1,01", "-"},
        {"1,1x", "-"},
        {"0,4,0", "0"},
        {"0,1,2,3,0", "-"},
        {"0,1,2,3,4", "0 1 2 3"},
        {"4294967295", "-"},
        {"4294967296", "-"},
        {"18446744073709551616", "-"},
        {"99999999999999999999999999999999", "-"},
        {"GPU-aa000000-0000-0000-0000-000000000000", "0"},
        {"GPU-aa1", "1"},
        {"GPU-b", "2"},
        {"GPU-c,GPU-b", "3 2"},
        {"GPU-aa", "-"},
        {"GPU-", "-"},
        {"GPU-b,GPU-aa,GPU-c", "2"},
        {"GPU-dd", "-"},
        {"GPU-b,GPU-bb", "-"},
        {"GPU-b,GPU-b", "-"},
        {"GPU-b,0", "2"},
        {"GPU-b, GPU-c", "2"},
        {"GPU-b ", "-"},
        {"GPU-b,", "2"},
        {"GPU-bb000000-0000-0000-0000-000000000000x", "-"},
        {"gpu-b", "-"},
        {"0,GPU-b", "0"},
        {"MIG-b", "-"},
        {"MIG-GPU-b/0/0", "-"},
        {"bb000000", "-"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(seen(table[i].list, four, 4, false), table[i].expected) != 0)
            fail_msg("%s: %s", table[i].list, seen(table[i].list, four, 4, false));
        /* nothing of this is about MIG */
        assert_string_equal(seen(table[i].list, four, 4, true), table[i].expected);
    }
    assert_string_equal(seen("GPU-", four, 1, false), "0");
    assert_string_equal(seen(NULL, NULL, 0, false), "-");
    assert_string_equal(seen("0", NULL, 0, false), "-");
    assert_string_equal(seen("1,0", NULL, 2, false), "1 0");
    assert_string_equal(seen("GPU-", NULL, 2, false), "-");
}

static void instances(void **state)
{
    (void)state;
    static const struct {
        const char *list, *now, *before_r570;
    } table[] = {
        {NULL, "0 4 6 7", "4"},
        {"0", "0", "0"},
        {"1", "4 6", "4"},
        {"0,1", "0 4 6", "4"},
        {"1,0", "4 6 0", "4"},
        {"2,0", "7 0", "7"},
        {"3", "-", "-"},
        {"3,0", "0", "0"},
        {"4", "-", "-"},
        {"GPU-a1", "4 6", "4"},
        {"GPU-a0,GPU-a2", "0 7", "7"},
        {"MIG-11", "4", "4"},
        {"MIG-12", "5", "5"},
        {"MIG-12,MIG-11", "5", "5"},
        {"MIG-23,MIG-11", "6 4", "6"},
        {"MIG-3", "7", "7"},
        {"MIG-1", "-", "-"},
        {"MIG-23,MIG-1", "6", "6"},
        {"MIG-23,MIG-23", "-", "-"},
        {"MIG-23,GPU-a0", "6", "6"},
        {"MIG-23,0", "6", "6"},
        {"MIG-GPU-a1/1/0", "4", "4"},
        {"MIG-GPU-a1/1/1", "5", "5"},
        {"MIG-GPU-a1/2/0,MIG-GPU-a2/1/0", "6 7", "6"},
        {"MIG-GPU-a1/1/0,MIG-11", "-", "-"},
        {"MIG-GPU-a1/1/2", "-", "-"},
        {"MIG-GPU-a0/0/0", "-", "-"},
        {"MIG-GPU-a/1/0", "-", "-"},
        {"MIG-GPU-a1/1", "-", "-"},
        {"MIG-GPU-a1/1/", "-", "-"},
        {"MIG-GPU-a1//0", "-", "-"},
        {"MIG-GPU-a1/1/0/", "-", "-"},
        {"MIG-GPU-a1/1/0x", "-", "-"},
        {"MIG-GPU-a1/1/4294967296", "-", "-"},
        {"MIG-GPU-a1", "-", "-"},
        {"MIG-GPU-/1/0", "-", "-"},
        {"MIG-GPU-", "-", "-"},
        {"MIG-", "-", "-"},
        {"GPU-a0,MIG-11", "0", "0"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(seen(table[i].list, mig, 8, false), table[i].now) != 0)
            fail_msg("%s: %s", table[i].list, seen(table[i].list, mig, 8, false));
        if (strcmp(seen(table[i].list, mig, 8, true), table[i].before_r570) != 0)
            fail_msg("%s, before R570: %s", table[i].list, seen(table[i].list, mig, 8, true));
    }
}

static void without_a_machine(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        bool never, always;
    } table[] = {
        {NULL, false, true},  {"", true, false},       {"-1", true, false},        {"none", true, false},
        {"0", false, true},   {"0,0", true, false},    {"0,-1", false, true},      {"1", false, false},
        {"1,1", true, false}, {"GPU-a", false, false}, {"MIG-GPU-", false, false}, {"NoDevFiles", true, false},
        {"0,1", false, true}, {"0,1,1", false, false}, {"63", false, false},       {"64", true, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (rung_visible_cuda_never(table[i].list) != table[i].never ||
            rung_visible_cuda_always(table[i].list) != table[i].always)
            fail_msg("%s", table[i].list);
    }
}

static void order(void **state)
{
    (void)state;
    assert_false(rung_visible_cuda_bus_order(NULL));
    assert_false(rung_visible_cuda_bus_order(""));
    assert_false(rung_visible_cuda_bus_order("FASTEST_FIRST"));
    assert_false(rung_visible_cuda_bus_order("pci_bus_id"));
    assert_true(rung_visible_cuda_bus_order("PCI_BUS_ID"));
}

/* More is counted than there is room for, and nothing is written past it. */
static void room(void **state)
{
    (void)state;
    uint32_t out[3] = {77, 77, 77};
    const rung_cuda_machine many = {.count = 200};
    assert_int_equal(rung_visible_cuda(NULL, &many, out, 2), 200);
    assert_int_equal(out[1], 1);
    assert_int_equal(out[2], 77);
    const rung_cuda_machine more = {.count = 100000};
    assert_int_equal(rung_visible_cuda(NULL, &more, out, 2), RUNG_CUDA_DEVICES_MAX);
    assert_int_equal(rung_visible_cuda("300", &more, out, 2), 0);
}

/* Any bytes, in memory that ends where they end: what is chosen is a device, and no device twice. */
static void garbage(void **state)
{
    (void)state;
    static const char alphabet[] = "0123456789,,,,-+ GPU-MIG-GPU-/aA\t\x80\xff\x01";
    uint32_t seed = 12345;
    for (int round = 0; round < 20000; round++) {
        seed = seed * 1664525u + 1013904223u;
        size_t len = seed >> 24 & 63;
        char *list = malloc(len + 1);
        assert_non_null(list);
        for (size_t i = 0; i < len; i++) {
            seed = seed * 1664525u + 1013904223u;
            list[i] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
        }
        list[len] = '\0';
        uint32_t out[8];
        for (int one = 0; one < 2; one++) {
            const rung_cuda_machine machine = {mig, 8, one == 1};
            uint32_t n = rung_visible_cuda(list, &machine, out, 8);
            assert_true(n <= 8);
            for (uint32_t i = 0; i < n; i++) {
                assert_true(out[i] < 8 && !mig[out[i]].mig);
                for (uint32_t k = 0; k < i; k++)
                    assert_int_not_equal(out[i], out[k]);
            }
        }
        free(list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gpus),  cmocka_unit_test(instances), cmocka_unit_test(without_a_machine),
        cmocka_unit_test(order), cmocka_unit_test(room),      cmocka_unit_test(garbage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
