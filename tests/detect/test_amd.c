/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines with GPUs of AMD, and those that only look like it.
 */
#include "detect_test.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NODES "/sys/class/kfd/kfd/topology/nodes"
#define GIB   (UINT64_C(1) << 30)

/* ---- machines ---------------------------------------------------------------------------------------------------- */

typedef struct gpu {
    unsigned version; /* gfx_target_version */
    unsigned render;
    uint64_t id, memory;
    unsigned bus;
} gpu;

static void node_file(tree *t, unsigned node, const char *name, const char *text)
{
    char path[128];
    (void)snprintf(path, sizeof path, NODES "/%u/%s", node, name);
    tree_file(t, path, text);
}

static void add_processor(tree *t, unsigned node)
{
    node_file(t, node, "gpu_id", "0\n");
    node_file(t, node, "properties", "cpu_cores_count 64\nsimd_count 0\nmem_banks_count 1\ngfx_target_version 0\n");
    node_file(t, node, "mem_banks/0/properties", "heap_type 0\nsize_in_bytes 540000000000\n");
}

/* With its render node, which everybody may open. */
static void add_gpu(tree *t, unsigned node, gpu g)
{
    char text[512];
    char path[64];
    (void)snprintf(text, sizeof text, "%u\n", 40000 + node);
    node_file(t, node, "gpu_id", text);
    (void)snprintf(text, sizeof text,
                   "cpu_cores_count 0\nsimd_count 304\nmem_banks_count 2\ngfx_target_version %u\nvendor_id 4098\n"
                   "location_id %u\ndomain 0\ndrm_render_minor %u\nunique_id %llu\nlocal_mem_size 0\n",
                   g.version, g.bus << 8, g.render, (unsigned long long)g.id);
    node_file(t, node, "properties", text);
    (void)snprintf(text, sizeof text, "heap_type 1\nsize_in_bytes %llu\nflags 0\n", (unsigned long long)g.memory);
    node_file(t, node, "mem_banks/0/properties", text);
    node_file(t, node, "mem_banks/1/properties", "heap_type 4\nsize_in_bytes 65536\nflags 0\n");
    if (g.render != 0) {
        (void)snprintf(path, sizeof path, "/dev/dri/renderD%u", g.render);
        tree_node(t, path, 0666);
    }
}

/* A processor, two MI210, nodes that may be opened, HIP 6. */
static tree *two_mi210(void)
{
    tree *t = tree_new();
    tree_node(t, "/dev/kfd", 0666);
    tree_file(t, "/sys/module/amdgpu/version", "6.8.5\n");
    add_processor(t, 0);
    add_gpu(t, 1, (gpu){90010, 128, 0x7b2f0000000000a1, 64 * GIB, 0x43});
    add_gpu(t, 2, (gpu){90010, 129, 0x7b2f0000000000b2, 64 * GIB, 0x83});
    tree_library(t, "libamdhip64.so.6", "libamdhip64.so.6");
    (void)setenv("RUNG_FAKE_HIP",
                 "version=60342134;current=1;"
                 "device=AMD Instinct MI210|gfx90a:sramecc+:xnack-|68702699520|7b2f0000000000a1|0000:43:00.0;"
                 "device=AMD Instinct MI210|gfx90a:sramecc+:xnack-|68702699520|7b2f0000000000b2|0000:83:00.0",
                 1);
    return t;
}

static rung_device_report look(tree *t)
{
    return probe_tree(rung_probe_amd, t, RUNG_DEPTH_LOOK);
}

static rung_device_report open_chain(tree *t)
{
    return probe_tree(rung_probe_amd, t, RUNG_DEPTH_OPEN);
}

static rung_device_report full(tree *t)
{
    return probe_tree(rung_probe_amd, t, RUNG_DEPTH_FULL);
}

/* The same at every depth. */
static void assert_everywhere(tree *t, rung_device_state state, const char *detail)
{
    for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_FULL; depth++) {
        rung_device_report r = probe_tree(rung_probe_amd, t, (rung_depth)depth);
        assert_state(r, state);
        assert_contains(r.detail, detail);
        assert_int_equal(r.initialised, 0);
    }
}

/* How a new process ends that probes at full depth: its code, -1 for a signal. */
static int end_of_full(tree *t)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGSEGV, SIG_DFL); /* neither cmocka's nor a sanitizer's */
        rung_device_report report = {.device = "rocm"};
        const rung_world world = tree_world(t);
        rung_probe_amd(&world, RUNG_DEPTH_FULL, &report);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- nothing there ----------------------------------------------------------------------------------------------- */

static void test_none(void **state)
{
    (void)state;
    tree *t = tree_new();
    told all = {""};
    tree_library(t, "libamdhip64.so.6", "libamdhip64.so.6"); /* installed, and nothing to be asked */
    for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_FULL; depth++) {
        rung_device_report r = probe_tree(rung_probe_amd, t, (rung_depth)depth);
        assert_state(r, RUNG_STATE_ABSENT);
        assert_int_equal(r.present, 0);
        assert_string_equal(r.detail, "");
    }
    rung_world world = tree_world(t);
    world.tell = told_line;
    world.tell_user = &all;
    (void)probe_world(rung_probe_amd, &world, RUNG_DEPTH_LOOK);
    assert_string_equal(all.text, "rocm: /dev/kfd: is not there\n"
                                  "rocm: " NODES ": is not there\n"
                                  "rocm: /dev/dxg: is not there\n");
    world.system = "macos";
    tree_node(t, "/dev/kfd", 0666);
    rung_device_report r = probe_world(rung_probe_amd, &world, RUNG_DEPTH_FULL);
    assert_state(r, RUNG_STATE_ABSENT);
    tree_free(t);
}

static void pci(tree *t, const char *bus, const char *vendor, const char *class)
{
    char path[128];
    (void)snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/vendor", bus);
    tree_file(t, path, vendor);
    (void)snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/device", bus);
    tree_file(t, path, "0x74a1\n");
    (void)snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/class", bus);
    tree_file(t, path, class);
}

static void test_no_driver(void **state)
{
    (void)state;
    tree *t = tree_new();
    pci(t, "0000:00:00.0", "0x1022\n", "0x060000\n"); /* AMD the maker of processors */
    pci(t, "0000:00:01.0", "0x1002\n", "0x040300\n"); /* the sound of a GPU */
    pci(t, "0000:05:00.0", "0x10de\n", "0x030000\n");
    rung_device_report r = full(t);
    assert_state(r, RUNG_STATE_ABSENT);
    pci(t, "0000:c3:00.0", "0x1002\n", "0x120000\n"); /* MI300X */
    pci(t, "0000:0b:00.0", "0x1002\n", "0x030000\n");
    r = look(t);
    assert_state(r, RUNG_STATE_ABSENT);
    r = full(t);
    assert_state(r, RUNG_STATE_NO_DRIVER);
    assert_string_equal(r.detail, "0000:0b:00.0 is on the bus, /dev/kfd is not there");
    assert_int_equal(r.present, 1);
    tree_free(t);
}

static void test_driver_without_gpu(void **state)
{
    (void)state;
    tree *t = tree_new();
    add_processor(t, 0);
    rung_device_report r = full(t);
    assert_state(r, RUNG_STATE_ABSENT); /* of the host, and nothing of it is here */
    tree_node(t, "/dev/kfd", 0666);
    assert_everywhere(t, RUNG_STATE_NO_DEVICES, "lists no GPU");
    tree_free(t);
}

/* ---- GPUs of all generations ------------------------------------------------------------------------------------- */

static void test_generations(void **state)
{
    (void)state;
    static const struct {
        unsigned version;
        const char *arch;
    } gpus[] = {{90008, "gfx908"},   {90010, "gfx90a"},   {90402, "gfx942"},   {90500, "gfx950"},
                {110000, "gfx1100"}, {100306, "gfx1036"}, {120001, "gfx1201"}, {90012, "gfx90c"}};
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++) {
        tree *t = tree_new();
        tree_node(t, "/dev/kfd", 0666);
        add_processor(t, 0);
        add_gpu(t, 1, (gpu){gpus[i].version, 128, 0xab, 32 * GIB, 3});
        tree_library(t, "libamdhip64.so.6", "libamdhip64.so.6");
        for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_OPEN; depth++) {
            rung_device_report r = probe_tree(rung_probe_amd, t, (rung_depth)depth);
            assert_state(r, RUNG_STATE_USABLE);
            assert_int_equal(r.count, 1);
            assert_string_equal(r.unit[0].arch, gpus[i].arch);
            assert_string_equal(r.unit[0].uuid, "GPU-00000000000000ab");
            assert_string_equal(r.unit[0].bus, "0000:03:00.0");
            assert_int_equal(r.unit[0].memory, 32 * GIB);
            assert_int_equal(r.initialised, 0);
        }
        tree_free(t);
    }
}

static void test_card_and_integrated(void **state)
{
    (void)state;
    tree *t = tree_new();
    tree_node(t, "/dev/kfd", 0660);
    add_processor(t, 0);
    add_gpu(t, 1, (gpu){110000, 128, 0x58cc2a8a1c6d1f0d, 24 * GIB, 3});
    add_gpu(t, 2, (gpu){100306, 129, 0, GIB / 2, 0xd});
    assert_everywhere(t, RUNG_STATE_NO_PERMISSION, "/dev/kfd may not be opened");
    tree_node(t, "/dev/kfd", 0666);
    tree_library(t, "libamdhip64.so.6", "libamdhip64.so.6");
    rung_device_report r = look(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_int_equal(r.count, 2);
    assert_string_equal(r.unit[0].arch, "gfx1100");
    assert_string_equal(r.unit[1].arch, "gfx1036");
    assert_string_equal(r.unit[1].uuid, "");
    assert_string_equal(r.library, "libamdhip64.so.6");
    tree_env(t, "HIP_VISIBLE_DEVICES", "1");
    r = look(t);
    assert_int_equal(r.count, 1);
    assert_int_equal(r.hidden, 1);
    assert_string_equal(r.unit[0].arch, "gfx1036");
    tree_free(t);
}

/* Names of folders are no numbers in order: 10 stands before 2. */
static void test_partitions(void **state)
{
    (void)state;
    tree *t = tree_new();
    tree_node(t, "/dev/kfd", 0666);
    add_processor(t, 0);
    add_processor(t, 1);
    for (unsigned i = 0; i < 16; i++)
        add_gpu(t, 2 + i, (gpu){90402, 128 + i, 0x1000 + i, 24 * GIB, 5});
    tree_library(t, "libamdhip64.so.7", "libamdhip64.so.7");
    rung_device_report r = look(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_int_equal(r.count, 16);
    for (unsigned i = 0; i < 16; i++) {
        char uuid[32];
        (void)snprintf(uuid, sizeof uuid, "GPU-%016x", 0x1000 + i);
        assert_string_equal(r.unit[i].uuid, uuid);
    }
    tree_free(t);
}

static void test_more_than_fit(void **state)
{
    (void)state;
    tree *t = tree_new();
    tree_node(t, "/dev/kfd", 0666);
    for (unsigned i = 0; i < RUNG_UNITS_MAX + 80; i++)
        add_gpu(t, i, (gpu){90402, 128 + i, i + 1, GIB, 5});
    tree_library(t, "libamdhip64.so.7", "libamdhip64.so.7");
    rung_device_report r = look(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_int_equal(r.count, RUNG_UNITS_MAX);
    tree_free(t);
}

static void test_look(void **state)
{
    (void)state;
    tree *t = two_mi210();
    tree_file(t, "/sys/class/drm/renderD128/device/product_name", "AMD INSTINCT MI210 (MCM)\xc2\xae\n");
    /* HIP would bring the process down: it is not asked */
    (void)setenv("RUNG_FAKE_HIP", "hipGetDeviceCount=crash;hipRuntimeGetVersion=crash", 1);
    for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_OPEN; depth++) {
        rung_device_report r = probe_tree(rung_probe_amd, t, (rung_depth)depth);
        assert_state(r, RUNG_STATE_USABLE);
        assert_int_equal(r.present, 1);
        assert_int_equal(r.count, 2);
        assert_int_equal(r.hidden, 0);
        assert_string_equal(r.driver, "6.8.5");
        assert_string_equal(r.library, "libamdhip64.so.6");
        assert_int_equal(r.driver_version, 0);
        assert_string_equal(r.unit[0].name, "AMD INSTINCT MI210 (MCM)\xc2\xae");
        assert_string_equal(r.unit[1].name, "");
        assert_string_equal(r.unit[1].uuid, "GPU-7b2f0000000000b2");
        assert_string_equal(r.unit[1].bus, "0000:83:00.0");
    }
    tree_free(t);
}

/* ---- what the kernel tells badly --------------------------------------------------------------------------------- */

static void test_old_kernel(void **state)
{
    (void)state;
    tree *t = tree_new();
    tree_node(t, "/dev/kfd", 0666);
    add_processor(t, 0);
    add_gpu(t, 1, (gpu){0, 128, 7, 16 * GIB, 3});
    tree_library(t, "libamdhip64.so.5", "libamdhip64.so.5");
    (void)setenv("RUNG_FAKE_HIP", "version=50221153;device=Vega 20|gfx906:sramecc-:xnack-|17163091968", 1);
    rung_device_report r = look(t);
    assert_state(r, RUNG_STATE_NOT_ASKED);
    assert_int_equal(r.initialised, 0);
    assert_string_equal(r.unit[0].arch, "");
    r = open_chain(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_int_equal(r.initialised, 1);
    assert_string_equal(r.unit[0].arch, "gfx906:sramecc-:xnack-");
    assert_string_equal(r.unit[0].name, "Vega 20");
    assert_int_equal(r.unit[0].memory, 17163091968);
    assert_string_equal(r.unit[0].uuid, "GPU-0000000000000007");
    assert_int_equal(r.driver_version, 5u << 16 | 2);
    /* an override tells */
    tree_env(t, "HSA_OVERRIDE_GFX_VERSION", "9.0.6");
    r = look(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_string_equal(r.unit[0].arch, "gfx906");
    tree_free(t);
}

static void test_no_sys(void **state)
{
    (void)state;
    tree *t = tree_new();
    tree_node(t, "/dev/kfd", 0666);
    tree_library(t, "libamdhip64.so.6", "libamdhip64.so.6");
    (void)setenv("RUNG_FAKE_HIP", "device=MI300X|gfx942:sramecc+:xnack-|206141652992|0123456789abcdef|0000:05:00.0", 1);
    rung_device_report r = look(t);
    assert_state(r, RUNG_STATE_NOT_ASKED);
    assert_int_equal(r.present, 1);
    r = open_chain(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_string_equal(r.unit[0].arch, "gfx942:sramecc+:xnack-");
    assert_string_equal(r.unit[0].uuid, "GPU-0123456789abcdef");
    assert_string_equal(r.unit[0].bus, "0000:05:00.0");
    tree_node(t, "/dev/kfd", 0660);
    assert_everywhere(t, RUNG_STATE_NO_PERMISSION, "/dev/kfd");
    tree_free(t);
}

static void test_garbage(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "\n\n\n",
        "simd_count",
        "simd_count \n",
        "simd_count x\ngfx_target_version 90010\n",
        "simd_count 99999999999999999999999999\n",
        "\x01\xff\xfe simd_count 4",
        "simd_count 4\ngfx_target_version 18446744073709551615\nunique_id 18446744073709551615\n"
        "drm_render_minor 18446744073709551615\nmem_banks_count 18446744073709551615\nlocation_id "
        "18446744073709551615\ndomain 18446744073709551615\n",
        "simd_count 4\ngfx_target_version -1\nunique_id -1\n",
    };
    static const int is_gpu[] = {0, 0, 0, 0, 0, 0, 0, 1, 1};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        tree *t = tree_new();
        tree_node(t, "/dev/kfd", 0666);
        tree_library(t, "libamdhip64.so.6", "libamdhip64.so.6");
        add_processor(t, 0);
        node_file(t, 1, "gpu_id", "17\n");
        node_file(t, 1, "properties", texts[i]);
        node_file(t, 1, "mem_banks/0/properties", "heap_type 1\nsize_in_bytes 18446744073709551615\n");
        node_file(t, 1, "mem_banks/1/properties", "heap_type 2\nsize_in_bytes 18446744073709551615\n");
        tree_folder(t, NODES "/-1");
        tree_folder(t, NODES "/1x");
        tree_folder(t, NODES "/99999999999999999999");
        rung_device_report r = look(t);
        assert_state(r, is_gpu[i] ? RUNG_STATE_NOT_ASKED : RUNG_STATE_NO_DEVICES);
        assert_int_equal(r.count, is_gpu[i]);
        tree_free(t);
    }
    tree *t = tree_new();
    char *huge = malloc(1 << 20);
    assert_non_null(huge);
    memset(huge, '9', 1 << 20);
    huge[(1 << 20) - 1] = '\0';
    tree_node(t, "/dev/kfd", 0666);
    node_file(t, 1, "gpu_id", huge);
    node_file(t, 1, "properties", huge);
    node_file(t, 2, "gpu_id", "3\n");
    node_file(t, 2, "properties", huge);
    tree_file(t, "/sys/module/amdgpu/version", huge);
    rung_device_report r = look(t);
    assert_state(r, RUNG_STATE_NO_PERMISSION);
    free(huge);
    tree_free(t);
}

/* ---- containers and permissions ---------------------------------------------------------------------------------- */

static void test_container(void **state)
{
    (void)state;
    tree *t = two_mi210();
    /* the control group keeps the first one's files away */
    tree_remove(t, NODES "/1/gpu_id");
    rung_device_report r = look(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_int_equal(r.count, 1);
    assert_int_equal(r.hidden, 0);
    assert_string_equal(r.unit[0].uuid, "GPU-7b2f0000000000b2");
    /* and the other one's render node is not there */
    tree_remove(t, "/dev/dri/renderD129");
    assert_everywhere(t, RUNG_STATE_NO_PERMISSION, "node 1 of KFD is not for this container");
    tree_free(t);

    t = two_mi210();
    tree_remove(t, "/dev/dri/renderD128");
    r = look(t);
    assert_int_equal(r.count, 1);
    assert_string_equal(r.unit[0].uuid, "GPU-7b2f0000000000b2");
    tree_remove(t, "/dev/dri/renderD129");
    assert_everywhere(t, RUNG_STATE_NO_PERMISSION, "/dev/dri/renderD128 is not there");
    tree_free(t);

    t = two_mi210();
    tree_remove(t, "/dev/kfd");
    assert_everywhere(t, RUNG_STATE_NO_PERMISSION, "/dev/kfd is not there");
    r = look(t);
    assert_int_equal(r.present, 1);
    assert_int_equal(r.count, 2);
    assert_string_equal(r.unit[0].arch, "gfx90a");
    assert_string_equal(r.library, "");
    tree_free(t);
}

/* One render node that is closed, and libhsakmt gives up. */
static void test_render_node_denied(void **state)
{
    (void)state;
    tree *t = two_mi210();
    tree_node(t, "/dev/dri/renderD129", 0660);
    assert_everywhere(t, RUNG_STATE_NO_PERMISSION, "/dev/dri/renderD129 may not be opened");
    rung_device_report r = look(t);
    assert_int_equal(r.unit[0].state, RUNG_STATE_NO_PERMISSION);
    assert_int_equal(r.unit[1].state, RUNG_STATE_NO_PERMISSION);
    tree_node(t, "/dev/dri/renderD129", 0666);
    r = look(t);
    assert_state(r, RUNG_STATE_USABLE);
    tree_free(t);
}

/* ---- environment ------------------------------------------------------------------------------------------------- */

static void test_hidden(void **state)
{
    (void)state;
    static const char *const variables[][2] = {{"ROCR_VISIBLE_DEVICES", ""},
                                               {"ROCR_VISIBLE_DEVICES", "-1"},
                                               {"HIP_VISIBLE_DEVICES", "-1"},
                                               {"CUDA_VISIBLE_DEVICES", "NoDevFiles"}};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        tree *t = two_mi210();
        char detail[128];
        tree_env(t, variables[i][0], variables[i][1]);
        (void)snprintf(detail, sizeof detail, "%s=\"%s\" hides every GPU", variables[i][0], variables[i][1]);
        assert_everywhere(t, RUNG_STATE_HIDDEN, detail);
        rung_device_report r = look(t);
        assert_int_equal(r.hidden, 2);
        assert_int_equal(r.count, 0);
        assert_string_equal(r.library, "");
        tree_free(t);
    }
    tree *t = two_mi210();
    tree_env(t, "ROCR_VISIBLE_DEVICES", "1,0");
    tree_env(t, "HIP_VISIBLE_DEVICES", "0");
    rung_device_report r = look(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_int_equal(r.count, 1);
    assert_int_equal(r.hidden, 1);
    assert_string_equal(r.unit[0].uuid, "GPU-7b2f0000000000b2");
    tree_free(t);
}

static void test_override(void **state)
{
    (void)state;
    tree *t = two_mi210();
    tree_env(t, "HSA_OVERRIDE_GFX_VERSION_2", "9.0.8");
    tree_env(t, "HSA_OVERRIDE_GFX_VERSION", "9.4.2");
    rung_device_report r = look(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_string_equal(r.unit[0].arch, "gfx942");
    assert_string_equal(r.unit[0].detail, "its arch is as HSA_OVERRIDE_GFX_VERSION says");
    assert_string_equal(r.unit[1].arch, "gfx908");
    assert_string_equal(r.unit[1].detail, "its arch is as HSA_OVERRIDE_GFX_VERSION_2 says");
    /* nodes are numbered among those that the process has */
    tree_remove(t, NODES "/1/gpu_id");
    r = look(t);
    assert_int_equal(r.count, 1);
    assert_string_equal(r.unit[0].arch, "gfx942");
    tree_free(t);

    t = two_mi210();
    tree_env(t, "HSA_OVERRIDE_GFX_VERSION_1", "gfx942");
    assert_everywhere(t, RUNG_STATE_HIDDEN, "HSA_OVERRIDE_GFX_VERSION_1=\"gfx942\" is no major.minor.stepping");
    tree_free(t);
}

/* ---- the library ------------------------------------------------------------------------------------------------- */

static void test_no_library(void **state)
{
    (void)state;
    tree *t = tree_new();
    tree_node(t, "/dev/kfd", 0666);
    add_gpu(t, 0, (gpu){90010, 128, 5, GIB, 3});
    assert_everywhere(t, RUNG_STATE_NO_LIBRARY, "libamdhip64.so is not there");
    rung_device_report r = look(t);
    assert_int_equal(r.unit[0].state, RUNG_STATE_NO_LIBRARY);
    assert_string_equal(r.unit[0].arch, "gfx90a");
    /* a file without anything in it, a text, a library of something else */
    tree_library_text(t, "libamdhip64.so.6", "");
    assert_everywhere(t, RUNG_STATE_LIBRARY_INVALID, "libamdhip64.so.6");
    tree_library_text(t, "libamdhip64.so.6",
                      "this is no library, whatever its name says, and long enough for a header\n");
    assert_everywhere(t, RUNG_STATE_LIBRARY_INVALID, "libamdhip64.so.6");
    tree_library(t, "libamdhip64.so.6", "CoreGraphics");
    assert_everywhere(t, RUNG_STATE_LIBRARY_INVALID, "libamdhip64.so.6 has no hipGetDeviceCount");
    /* an older one beside it serves */
    tree_library(t, "libamdhip64.so.5", "libamdhip64.so.5");
    r = look(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_string_equal(r.library, "libamdhip64.so.5");
    tree_free(t);
}

static void test_newest_library(void **state)
{
    (void)state;
    static const char *const names[] = {"libamdhip64.so", "libamdhip64.so.5", "libamdhip64.so.6", "libamdhip64.so.7",
                                        "libamdhip64.so.9"};
    tree *t = NULL;
    for (size_t newest = 0; newest < sizeof names / sizeof *names; newest++) {
        t = tree_new();
        tree_node(t, "/dev/kfd", 0666);
        add_gpu(t, 0, (gpu){90010, 128, 5, GIB, 3});
        for (size_t i = 0; i <= newest; i++)
            tree_library(t, names[i], i == 4 ? "libamdhip64.so.7" : names[i]);
        rung_device_report r = look(t);
        assert_state(r, RUNG_STATE_USABLE);
        assert_string_equal(r.library, names[newest]);
        tree_free(t);
    }
}

/* A program with PyTorch's HIP in it must not get a second one. */
static void test_library_that_is_loaded(void **state)
{
    (void)state;
    tree *t = two_mi210();
    tree_library(t, "libamdhip64.so.7", "libamdhip64.so.7");
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/libamdhip64.so.6", t->libraries);
    void *loaded = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(loaded);
    rung_device_report r = look(t);
    assert_string_equal(r.library, "libamdhip64.so.6");
    (void)snprintf(path, sizeof path, "%s/libamdhip64.so.7", t->libraries);
    assert_null(dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD));
    assert_int_equal(dlclose(loaded), 0);
    tree_free(t);
}

static void test_rocm_folder(void **state)
{
    (void)state;
    tree *t = tree_new();
    told all = {""};
    tree_node(t, "/dev/kfd", 0666);
    add_gpu(t, 0, (gpu){90010, 128, 5, GIB, 3});
    rung_world world = tree_world(t);
    world.tell = told_line;
    world.tell_user = &all;
    (void)probe_world(rung_probe_amd, &world, RUNG_DEPTH_LOOK);
    assert_null(strstr(all.text, "/opt/rocm"));
    tree_file(t, "/opt/rocm/lib/libamdhip64.so", "");
    (void)probe_world(rung_probe_amd, &world, RUNG_DEPTH_LOOK);
    assert_contains(all.text, "open /opt/rocm/lib/libamdhip64.so: no_library\n");
    tree_free(t);
}

/* ---- HIP --------------------------------------------------------------------------------------------------------- */

static void *function_of(tree *t, const char *library, const char *name)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", t->libraries, library);
    void *handle = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(handle);
    void *address = dlsym(handle, name);
    assert_non_null(address);
    return address;
}

static int number_from(tree *t, const char *name)
{
    int (*function)(void);
    void *address = function_of(t, "libamdhip64.so.6", name);
    memcpy(&function, &address, sizeof function);
    return function();
}

static void test_full(void **state)
{
    (void)state;
    tree *t = two_mi210();
    rung_device_report r = full(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_int_equal(r.initialised, 1);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.driver_version, 6u << 16 | 3);
    assert_string_equal(r.driver, "6.8.5");
    assert_string_equal(r.unit[0].name, "AMD Instinct MI210");
    assert_string_equal(r.unit[0].arch, "gfx90a:sramecc+:xnack-");
    assert_int_equal(r.unit[0].memory, 68702699520);
    assert_string_equal(r.unit[1].uuid, "GPU-7b2f0000000000b2");
    assert_string_equal(r.unit[1].bus, "0000:83:00.0");
    /* the device of this thread is as before, and nothing is held */
    assert_int_equal(number_from(t, "fake_hip_current"), 1);
    assert_int_equal(number_from(t, "fake_hip_held"), 0);
    tree_free(t);
}

/* Which function fills which struct: in each library the others fail. */
static void test_structs(void **state)
{
    (void)state;
    static const struct {
        const char *library, *others;
    } cases[] = {
        {"libamdhip64.so.7", "hipGetDevicePropertiesR0000=1;hipGetDeviceProperties=1"},
        {"libamdhip64.so.6", "hipGetDevicePropertiesR0000=1;hipGetDeviceProperties=1"},
        {"libamdhip64.so", "hipGetDeviceProperties=1"},
        {"libamdhip64.so.5", "hipGetDevicePropertiesR0600=1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tree *t = tree_new();
        char text[256];
        tree_node(t, "/dev/kfd", 0666);
        add_gpu(t, 0, (gpu){90402, 128, 5, GIB, 3});
        tree_library(t, cases[i].library, cases[i].library);
        (void)snprintf(text, sizeof text, "device=AMD Instinct MI300X|gfx942:sramecc+:xnack-|206141652992;%s",
                       cases[i].others);
        (void)setenv("RUNG_FAKE_HIP", text, 1);
        rung_device_report r = full(t);
        assert_state(r, RUNG_STATE_USABLE);
        assert_string_equal(r.unit[0].name, "AMD Instinct MI300X");
        assert_string_equal(r.unit[0].arch, "gfx942:sramecc+:xnack-");
        assert_int_equal(r.unit[0].memory, 206141652992);
        tree_free(t);
    }
}

static void test_codes(void **state)
{
    (void)state;
    static const struct {
        const char *steer;
        rung_device_state state;
        const char *detail;
    } codes[] = {
        {"hipGetDeviceCount=100", RUNG_STATE_NO_DEVICES, "hipGetDeviceCount returned 100"},
        {"count=0;hipGetDeviceCount=0;device=a|gfx90a|1", RUNG_STATE_NO_DEVICES, "returned 0, count 0"},
        {"count=-3;hipGetDeviceCount=0;device=a|gfx90a|1", RUNG_STATE_NO_DEVICES, "returned 0, count 0"},
        {"hipGetDeviceCount=35", RUNG_STATE_DRIVER_TOO_OLD, "returned 35"},
        {"hipGetDeviceCount=2", RUNG_STATE_OUT_OF_MEMORY, "returned 2"},
        {"hipGetDeviceCount=3", RUNG_STATE_FAILED, "returned 3"},
        {"hipGetDeviceCount=999", RUNG_STATE_FAILED, "returned 999"},
        {"hipGetDeviceCount=-7", RUNG_STATE_FAILED, "returned -7"},
        {"device=a|gfx90a|1;hipGetDevicePropertiesR0600=101", RUNG_STATE_FAILED,
         "hipGetDevicePropertiesR0600 returned 101"},
        {"device=a|gfx90a|1;hipMalloc=2", RUNG_STATE_OUT_OF_MEMORY, "hipMalloc returned 2"},
        {"device=a|gfx90a|1;hipMalloc=719", RUNG_STATE_FAILED, "hipMalloc returned 719"},
        {"device=a|gfx90a|1;hipSetDevice=101", RUNG_STATE_FAILED, "hipSetDevice returned 101"},
        {"device=a|gfx90a|1;hipFree=700", RUNG_STATE_FAILED, "hipFree returned 700"},
        {"device=a|gfx90a|1;hipGetDevice=1", RUNG_STATE_USABLE, ""},
        {"device=a|gfx90a|1;hipRuntimeGetVersion=1;hipDeviceGetPCIBusId=1", RUNG_STATE_USABLE, ""},
    };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        tree *t = two_mi210();
        (void)setenv("RUNG_FAKE_HIP", codes[i].steer, 1);
        rung_device_report r = full(t);
        assert_state(r, codes[i].state);
        assert_contains(r.detail, codes[i].detail);
        assert_int_equal(r.initialised, 1);
        tree_free(t);
    }
}

/* As many as HIP says, whatever /sys says; and names that are longer than they may be. */
static void test_hip_knows_better(void **state)
{
    (void)state;
    tree *t = two_mi210();
    char text[700];
    int len = snprintf(text, sizeof text, "device=");
    memset(text + len, 'N', 300);
    (void)snprintf(text + len + 300, sizeof text - (size_t)len - 300,
                   "|gfx90a:a-name-of-an-arch-that-is-longer-than-any|1|not an id 12345|");
    (void)setenv("RUNG_FAKE_HIP", text, 1);
    rung_device_report r = full(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_int_equal(r.count, 1);
    assert_int_equal(strlen(r.unit[0].name), sizeof r.unit[0].name - 1);
    assert_int_equal(strlen(r.unit[0].arch), sizeof r.unit[0].arch - 1);
    assert_string_equal(r.unit[0].uuid, "");
    assert_string_equal(r.unit[0].bus, "");
    (void)setenv("RUNG_FAKE_HIP", "count=1000;hipGetDeviceCount=0;device=a|no gfx|1", 1);
    r = full(t);
    assert_int_equal(r.count, RUNG_UNITS_MAX);
    assert_string_equal(r.unit[0].arch, "");
    assert_state(r, RUNG_STATE_FAILED);
    assert_string_equal(r.detail, "HIP tells no arch");
    assert_int_equal(r.unit[1].state, RUNG_STATE_FAILED);
    tree_free(t);
}

/* What only another process can stand. */
static void test_crash(void **state)
{
    (void)state;
    tree *t = two_mi210();
    assert_int_equal(end_of_full(t), 0);
    (void)setenv("RUNG_FAKE_HIP", "hipGetDeviceCount=exit", 1);
    assert_int_equal(end_of_full(t), 3);
    (void)setenv("RUNG_FAKE_HIP", "device=a|gfx90a|1;hipMalloc=crash", 1);
    assert_int_equal(end_of_full(t), -1);
    tree_free(t);
}

/* ---- WSL --------------------------------------------------------------------------------------------------------- */

static void test_wsl(void **state)
{
    (void)state;
    tree *t = tree_new();
    tree_node(t, "/dev/dxg", 0666);
    rung_device_report r = full(t);
    assert_state(r, RUNG_STATE_ABSENT); /* a GPU of another maker */
    assert_int_equal(r.present, 0);
    tree_library(t, "libamdhip64.so.6", "libamdhip64.so.6");
    (void)setenv("RUNG_FAKE_HIP", "device=AMD Radeon RX 7900 XTX|gfx1100|25753026560", 1);
    r = look(t);
    assert_state(r, RUNG_STATE_NOT_ASKED);
    assert_int_equal(r.present, 1);
    assert_int_equal(r.initialised, 0);
    r = open_chain(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_string_equal(r.unit[0].arch, "gfx1100");
    (void)setenv("RUNG_FAKE_HIP", "", 1);
    r = full(t);
    assert_state(r, RUNG_STATE_NO_DEVICES);
    tree_free(t);
}

/* Where there is no list, what HIP answers is explained by the variables that hide every GPU. */
static void test_hidden_without_list(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *detail; /* NULL: it does not hide everything */
    } table[] = {
        {"ROCR_VISIBLE_DEVICES", "", "ROCR_VISIBLE_DEVICES=\"\" hides every GPU"},
        {"ROCR_VISIBLE_DEVICES", "-1", "ROCR_VISIBLE_DEVICES=\"-1\" hides every GPU"},
        {"HIP_VISIBLE_DEVICES", "-1", "HIP_VISIBLE_DEVICES=\"-1\" hides every GPU"},
        {"CUDA_VISIBLE_DEVICES", "none", "CUDA_VISIBLE_DEVICES=\"none\" hides every GPU"},
        {"HSA_OVERRIDE_GFX_VERSION", "gfx1100", "HSA_OVERRIDE_GFX_VERSION=\"gfx1100\" is no major.minor.stepping"},
        {"HSA_OVERRIDE_GFX_VERSION", "11.0.0", NULL},
        {"HIP_VISIBLE_DEVICES", "", NULL},
        {"HIP_VISIBLE_DEVICES", "0", NULL},
        {"HIP_VISIBLE_DEVICES", "63", NULL}, /* the last that there may be */
    };
    for (size_t i = 0; i < 2 * (sizeof table / sizeof *table); i++) {
        tree *t = tree_new();
        tree_node(t, i % 2 == 0 ? "/dev/kfd" : "/dev/dxg", 0666); /* a container without /sys; WSL */
        tree_library(t, "libamdhip64.so.6", "libamdhip64.so.6");
        tree_env(t, table[i / 2].name, table[i / 2].value);
        (void)setenv("RUNG_FAKE_HIP", "", 1);
        rung_device_report r = open_chain(t);
        assert_int_equal(r.present, 1);
        assert_state(r, table[i / 2].detail != NULL ? RUNG_STATE_HIDDEN : RUNG_STATE_NO_DEVICES);
        if (table[i / 2].detail != NULL)
            assert_string_equal(r.detail, table[i / 2].detail);
        /* what HIP shows is not hidden */
        (void)setenv("RUNG_FAKE_HIP", "device=AMD Radeon RX 7900 XTX|gfx1100|25753026560", 1);
        r = open_chain(t);
        assert_state(r, RUNG_STATE_USABLE);
        tree_free(t);
    }
}

/* ---- who is told, and what stays as it was ----------------------------------------------------------------------- */

static void test_told(void **state)
{
    (void)state;
    tree *t = two_mi210();
    told all = {""};
    rung_world world = tree_world(t);
    world.tell = told_line;
    world.tell_user = &all;
    errno = 77;
    rung_device_report r = {.device = "rocm"};
    rung_probe_ask(rung_probe_amd, &world, RUNG_DEPTH_FULL, &r);
    assert_int_equal(errno, 77);
    assert_string_equal(all.text, "rocm: /dev/kfd: is there\n"
                                  "rocm: " NODES ": is there\n"
                                  "rocm: " NODES ": 2 GPUs, 0 not for this process\n"
                                  "rocm: version of the driver: 6.8.5\n"
                                  "rocm: environment: hides nothing\n"
                                  "rocm: permission: granted\n"
                                  "rocm: open libamdhip64.so.9: no_library\n"
                                  "rocm: open libamdhip64.so.8: no_library\n"
                                  "rocm: open libamdhip64.so.7: no_library\n"
                                  "rocm: open libamdhip64.so.6: opened\n"
                                  "rocm: hipGetDeviceCount: hipGetDeviceCount returned 0, count 2\n"
                                  "rocm: hipGetDevicePropertiesR0600: gfx90a:sramecc+:xnack-\n"
                                  "rocm: hipGetDevicePropertiesR0600: gfx90a:sramecc+:xnack-\n");
    tree_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_no_driver),
        cmocka_unit_test(test_driver_without_gpu),
        cmocka_unit_test(test_generations),
        cmocka_unit_test(test_card_and_integrated),
        cmocka_unit_test(test_partitions),
        cmocka_unit_test(test_more_than_fit),
        cmocka_unit_test(test_look),
        cmocka_unit_test(test_old_kernel),
        cmocka_unit_test(test_no_sys),
        cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_container),
        cmocka_unit_test(test_render_node_denied),
        cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_override),
        cmocka_unit_test(test_no_library),
        cmocka_unit_test(test_newest_library),
        cmocka_unit_test(test_library_that_is_loaded),
        cmocka_unit_test(test_rocm_folder),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_structs),
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_hip_knows_better),
        cmocka_unit_test(test_crash),
        cmocka_unit_test(test_wsl),
        cmocka_unit_test(test_hidden_without_list),
        cmocka_unit_test(test_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
