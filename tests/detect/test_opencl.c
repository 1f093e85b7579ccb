/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines with OpenCL on GPUs, on the processor alone, and with parts of it.
 */
#include "detect_test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define VENDORS "/etc/OpenCL/vendors"

static const char pocl[] =
    "platform=Portable Computing Language;device=0|cpu|cpu-haswell-AMD EPYC|67000000000|3.1|OpenCL 1.2 x|1";
static const char gpu[] = "platform=Portable Computing Language;platform=Intel(R) OpenCL Graphics;"
                          "device=0|cpu|cpu-haswell-AMD EPYC|67000000000|3.1|OpenCL 1.2 x|1;"
                          "device=1|gpu|Intel(R) Arc(TM) A770 Graphics|16225243136|24.35.30872|OpenCL 3.0 NEO |1";

static tree *machine(const char *steer)
{
    tree *t = tree_new();
    tree_file(t, VENDORS "/x.icd", "libx.so\n");
    tree_library(t, "libOpenCL.so.1", "libOpenCL.so.1");
    (void)setenv("RUNG_FAKE_OPENCL", steer, 1);
    return t;
}

static rung_device_report look(tree *t)
{
    return probe_tree(rung_probe_opencl, t, RUNG_DEPTH_LOOK);
}

static rung_device_report open_chain(tree *t)
{
    return probe_tree(rung_probe_opencl, t, RUNG_DEPTH_OPEN);
}

/* ---- implementations --------------------------------------------------------------------------------------------- */

static void test_none(void **state)
{
    (void)state;
    tree *t = tree_new();
    told all = {""};
    tree_library(t, "libOpenCL.so.1", "libOpenCL.so.1"); /* a loader without anything to load */
    (void)setenv("RUNG_FAKE_OPENCL", "clGetPlatformIDs=crash", 1);
    rung_world world = tree_world(t);
    world.tell = told_line;
    world.tell_user = &all;
    errno = 77;
    for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_FULL; depth++) {
        rung_device_report r = probe_world(rung_probe_opencl, &world, (rung_depth)depth);
        assert_state(r, RUNG_STATE_ABSENT);
        assert_int_equal(r.present, 0);
    }
    assert_int_equal(errno, 77);
    assert_string_equal(all.text, "opencl: " VENDORS ": no implementation\n"
                                  "opencl: " VENDORS ": no implementation\n"
                                  "opencl: " VENDORS ": no implementation\n");
    tree_file(t, VENDORS "/README", "");
    tree_file(t, VENDORS "/.icd", "");
    rung_device_report r = look(t);
    assert_state(r, RUNG_STATE_ABSENT);
    world.system = "macos";
    tree_file(t, VENDORS "/x.icd", "");
    r = probe_world(rung_probe_opencl, &world, RUNG_DEPTH_FULL);
    assert_state(r, RUNG_STATE_ABSENT);
    tree_free(t);
}

static void test_look(void **state)
{
    (void)state;
    tree *t = machine("clGetPlatformIDs=crash"); /* nobody calls it */
    rung_device_report r = look(t);
    assert_state(r, RUNG_STATE_NOT_ASKED);
    assert_string_equal(r.detail, "x.icd");
    assert_string_equal(r.library, "");
    assert_int_equal(r.present, 1);
    assert_int_equal(r.initialised, 0);
    tree_free(t);
}

static void test_environment(void **state)
{
    (void)state;
    static const struct {
        const char *vendors, *files; /* NULL: unset */
        const char *detail;
    } cases[] = {
        {"/opt/vendors", NULL, "other.icd"},
        {"/opt/empty", NULL, "OCL_ICD_VENDORS=\"/opt/empty\" names none, there is x.icd"},
        {"/opt/none", NULL, "OCL_ICD_VENDORS=\"/opt/none\" names none, there is x.icd"},
        {"", NULL, "OCL_ICD_VENDORS=\"\" names none, there is x.icd"},
        {"/opt/vendors/other.icd", NULL, "/opt/vendors/other.icd"},
        {"/opt/vendors/none.icd", NULL, "OCL_ICD_VENDORS=\"/opt/vendors/none.icd\" names none, there is x.icd"},
        {"x.icd", NULL, "x.icd"},
        {"y.icd", NULL, "OCL_ICD_VENDORS=\"y.icd\" names none, there is x.icd"},
        {NULL, "libvendor.so:libothers.so", "libvendor.so:libothers.so, x.icd"},
        {"/opt/empty", "libvendor.so", "libvendor.so"},
        {NULL, "", "x.icd"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tree *t = machine("");
        tree_file(t, "/opt/vendors/other.icd", "libother.so\n");
        tree_folder(t, "/opt/empty");
        if (cases[i].vendors != NULL)
            tree_env(t, "OCL_ICD_VENDORS", cases[i].vendors);
        if (cases[i].files != NULL)
            tree_env(t, "OCL_ICD_FILENAMES", cases[i].files);
        rung_device_report r = look(t);
        assert_state(r, strstr(cases[i].detail, "names none") != NULL ? RUNG_STATE_HIDDEN : RUNG_STATE_NOT_ASKED);
        assert_string_equal(r.detail, cases[i].detail);
        assert_int_equal(r.present, 1);
        tree_free(t);
    }
}

/* ---- the loader -------------------------------------------------------------------------------------------------- */

static void test_library(void **state)
{
    (void)state;
    tree *t = tree_new();
    tree_file(t, VENDORS "/x.icd", "libx.so\n");
    rung_device_report r = open_chain(t);
    assert_state(r, RUNG_STATE_NO_LIBRARY);
    assert_string_equal(r.detail, "libOpenCL.so.1 is not there");
    assert_int_equal(r.present, 1);
    tree_library_text(t, "libOpenCL.so.1", "");
    r = open_chain(t);
    assert_state(r, RUNG_STATE_LIBRARY_INVALID);
    assert_contains(r.detail, "libOpenCL.so.1");
    tree_library(t, "libOpenCL.so.1", "CoreGraphics");
    r = open_chain(t);
    assert_state(r, RUNG_STATE_LIBRARY_INVALID);
    assert_string_equal(r.detail, "libOpenCL.so.1 lacks functions of OpenCL");
    tree_free(t);
}

static void test_processor_alone(void **state)
{
    (void)state;
    tree *t = machine(pocl);
    rung_device_report r = open_chain(t);
    assert_state(r, RUNG_STATE_NO_DEVICES);
    assert_string_equal(r.detail, "Portable Computing Language: no GPU");
    assert_int_equal(r.count, 0);
    assert_int_equal(r.initialised, 1);
    assert_string_equal(r.library, "libOpenCL.so.1");
    tree_free(t);
}

static void test_gpu(void **state)
{
    (void)state;
    tree *t = machine(gpu);
    for (int depth = RUNG_DEPTH_OPEN; depth <= RUNG_DEPTH_FULL; depth++) {
        rung_device_report r = probe_tree(rung_probe_opencl, t, (rung_depth)depth);
        assert_state(r, RUNG_STATE_USABLE);
        assert_int_equal(r.count, 1);
        assert_string_equal(r.unit[0].name, "Intel(R) Arc(TM) A770 Graphics");
        assert_int_equal(r.unit[0].memory, 16225243136);
        assert_string_equal(r.driver, "24.35.30872");
        assert_int_equal(r.driver_version, 3u << 16);
    }
    tree_free(t);
}

static void test_kinds(void **state)
{
    (void)state;
    tree *t =
        machine("platform=A;platform=B;device=1|gpu|g0|1|d|OpenCL 2.1 x|0;device=0|accelerator|a0|2|d|OpenCL 1.2|1;"
                "device=1|cpu|c|3|d|v|1;device=1|gpu|g1|4|d|v|1");
    rung_device_report r = open_chain(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_int_equal(r.count, 3);
    assert_string_equal(r.unit[0].name, "a0"); /* platform by platform */
    assert_string_equal(r.unit[1].name, "g0");
    assert_int_equal(r.unit[1].state, RUNG_STATE_NOT_READY);
    assert_string_equal(r.unit[2].name, "g1");
    assert_int_equal(r.driver_version, 1u << 16 | 2);
    tree_free(t);
}

static void test_codes(void **state)
{
    (void)state;
    static const struct {
        const char *steer;
        rung_device_state state;
        const char *detail;
    } codes[] = {
        {"", RUNG_STATE_NO_DEVICES, "clGetPlatformIDs returned -1001"},
        {"clGetPlatformIDs=0", RUNG_STATE_NO_DEVICES, "no platform"},
        {"platform=A;clGetPlatformIDs=-6", RUNG_STATE_OUT_OF_MEMORY, "clGetPlatformIDs returned -6"},
        {"platform=A;clGetPlatformIDs=-30", RUNG_STATE_FAILED, "clGetPlatformIDs returned -30"},
        {"platform=A;clGetPlatformIDs=5", RUNG_STATE_FAILED, "clGetPlatformIDs returned 5"},
        {"platform=A", RUNG_STATE_NO_DEVICES, "A: no GPU"},
        {"platform=A;platform=B", RUNG_STATE_NO_DEVICES, "A, B: no GPU"},
        {"platform=A;clGetPlatformInfo=-30", RUNG_STATE_NO_DEVICES, "?: no GPU"},
        {"platform=A;clGetDeviceIDs=-32", RUNG_STATE_FAILED, "clGetDeviceIDs returned -32"},
        {"platform=A;clGetDeviceIDs=0", RUNG_STATE_NO_DEVICES, "A: no GPU"},
        {"platform=A;device=0|gpu|g|1|d|v|1;clGetDeviceInfo=-33", RUNG_STATE_USABLE, ""},
    };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        tree *t = machine(codes[i].steer);
        rung_device_report r = open_chain(t);
        assert_state(r, codes[i].state);
        assert_string_equal(r.detail, codes[i].detail);
        tree_free(t);
    }
}

static void test_long_texts(void **state)
{
    (void)state;
    char text[1024];
    int len = snprintf(text, sizeof text, "platform=A;device=0|gpu|");
    memset(text + len, 'N', 200); /* fits into the library's buffer, not into ours */
    (void)snprintf(text + len + 200, sizeof text - (size_t)len - 200, "|1|d\xc3\xa9\x01|OpenCL x.y|1");
    tree *t = machine(text);
    rung_device_report r = open_chain(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_int_equal(strlen(r.unit[0].name), sizeof r.unit[0].name - 1);
    assert_string_equal(r.driver, "d\xc3\xa9?");
    assert_int_equal(r.driver_version, 0);
    tree_free(t);
}

static void test_more_than_fit(void **state)
{
    (void)state;
    static char text[16384];
    int len = snprintf(text, sizeof text, "platform=A");
    for (unsigned i = 0; i < RUNG_UNITS_MAX + 20; i++)
        len += snprintf(text + len, sizeof text - (size_t)len, ";device=0|gpu|g%u|1|d|v|1", i);
    tree *t = machine(text);
    rung_device_report r = open_chain(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_int_equal(r.count, RUNG_UNITS_MAX);
    assert_string_equal(r.unit[RUNG_UNITS_MAX - 1].name, "g63");
    tree_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_look),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_library),
        cmocka_unit_test(test_processor_alone),
        cmocka_unit_test(test_gpu),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_more_than_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
