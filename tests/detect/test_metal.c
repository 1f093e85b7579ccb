/* SPDX-License-Identifier: Apache-2.0
 *
 * Macs, with imitations of their libraries: that the right functions are called in the right order. No Mac has run
 * this.
 */
#include "detect_test.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static tree *mac(const char *steer)
{
    tree *t = tree_new();
    tree_library(t, "CoreGraphics", "CoreGraphics");
    tree_library(t, "Metal", "Metal");
    tree_library(t, "libobjc.A.dylib", "libobjc.A.dylib");
    (void)setenv("RUNG_FAKE_METAL", steer, 1);
    return t;
}

static rung_device_report probe(tree *t, rung_depth depth)
{
    rung_world world = tree_world(t);
    world.system = "macos";
    return probe_world(rung_probe_metal, &world, depth);
}

/* What the imitations count must be nothing in the end: objects that nobody released, pools that nobody emptied. */
static int left_in(tree *t, const char *library, const char *counter)
{
    char path[1024];
    int (*function)(void);
    (void)snprintf(path, sizeof path, "%s/%s", t->libraries, library);
    void *handle = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(handle);
    void *address = dlsym(handle, counter);
    assert_non_null(address);
    memcpy(&function, &address, sizeof function);
    return function();
}

static void assert_nothing_left(tree *t)
{
    assert_int_equal(left_in(t, "Metal", "fake_metal_references"), 0);
    assert_int_equal(left_in(t, "libobjc.A.dylib", "fake_objc_pools"), 0);
}

/* Runs first: no CoreGraphics is in this process yet, and Metal gives devices to nobody without it. */
static void test_without_core_graphics(void **state)
{
    (void)state;
    tree *t = mac("device=Apple M1|1007,5001|1|1");
    tree_remove(t, "/libraries/CoreGraphics");
    rung_device_report r = probe(t, RUNG_DEPTH_OPEN);
    assert_state(r, RUNG_STATE_NO_DEVICES);
    assert_nothing_left(t);
    tree_library(t, "CoreGraphics", "CoreGraphics");
    r = probe(t, RUNG_DEPTH_OPEN);
    assert_state(r, RUNG_STATE_USABLE);
    tree_free(t);
}

static void test_macs(void **state)
{
    (void)state;
    static const struct {
        const char *steer, *name, *arch;
    } macs[] = {
        {"device=Apple M1|1001,1002,1003,1004,1005,1006,1007,2002,3003,5001|11453251584|4294969404", "Apple M1",
         "apple7"},
        {"device=Apple M2|1006,1007,1008,2002,5001|11453251584|4294969404", "Apple M2", "apple8"},
        {"device=Apple M3 Max|1007,1008,1009,2002,5001|11453251584|4294969404", "Apple M3 Max", "apple9"},
        {"device=Apple M5|1007,1008,1009,1010,2002,5001,5002|11453251584|4294969404", "Apple M5", "apple10"},
        {"device=AMD Radeon Pro 5500M|2001,2002,3003,5001|11453251584|4294969404", "AMD Radeon Pro 5500M", "mac2"},
        {"device=Some GPU|3003,5001|11453251584|4294969404", "Some GPU", "metal3"},
        {"device=Old GPU|3001|11453251584|4294969404", "Old GPU", ""},
    };
    for (size_t i = 0; i < sizeof macs / sizeof *macs; i++) {
        tree *t = mac(macs[i].steer);
        for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_FULL; depth++) {
            rung_device_report r = probe(t, (rung_depth)depth);
            assert_state(r, RUNG_STATE_USABLE);
            assert_int_equal(r.present, 1);
            assert_int_equal(r.count, 1);
            assert_string_equal(r.unit[0].name, macs[i].name);
            assert_string_equal(r.unit[0].arch, macs[i].arch);
            assert_int_equal(r.unit[0].memory, 11453251584);
            assert_string_equal(r.unit[0].uuid, "registry-4294969404");
            assert_string_equal(r.library, "/System/Library/Frameworks/Metal.framework/Metal");
            assert_nothing_left(t);
        }
        tree_free(t);
    }
}

static void test_several(void **state)
{
    (void)state;
    tree *t = mac("device=Intel UHD|2002,5001|1|7;device=AMD Radeon|2002,5001|2|8");
    rung_device_report r = probe(t, RUNG_DEPTH_LOOK);
    assert_int_equal(r.count, 2);
    assert_string_equal(r.unit[1].name, "AMD Radeon");
    assert_int_equal(r.unit[1].memory, 2);
    assert_nothing_left(t);
    tree_free(t);
}

static void test_virtual_machines(void **state)
{
    (void)state;
    tree *t = mac("array=nil;default=nil");
    rung_device_report r = probe(t, RUNG_DEPTH_FULL);
    assert_state(r, RUNG_STATE_NO_DEVICES);
    assert_int_equal(r.count, 0);
    assert_nothing_left(t);
    tree_free(t);

    t = mac(""); /* an empty array */
    r = probe(t, RUNG_DEPTH_FULL);
    assert_state(r, RUNG_STATE_NO_DEVICES);
    assert_nothing_left(t);
    tree_free(t);

    t = mac("array=nil;device=Apple Paravirtual device|1001,1005,5001|1|9");
    r = probe(t, RUNG_DEPTH_FULL);
    assert_state(r, RUNG_STATE_USABLE);
    assert_string_equal(r.unit[0].name, "Apple Paravirtual device");
    assert_string_equal(r.unit[0].arch, "metal3");
    assert_nothing_left(t);
    tree_free(t);
}

/* Methods came one after another with the versions of macOS. */
static void test_missing_methods(void **state)
{
    (void)state;
    static const char *const methods[] = {"name", "supportsFamily:", "recommendedMaxWorkingSetSize", "registryID"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        char steer[128];
        (void)snprintf(steer, sizeof steer, "device=Apple M1|1007|5|6;without=%s", methods[i]);
        tree *t = mac(steer);
        rung_device_report r = probe(t, RUNG_DEPTH_OPEN);
        assert_state(r, RUNG_STATE_USABLE);
        assert_string_equal(r.unit[0].name, i == 0 ? "" : "Apple M1");
        assert_string_equal(r.unit[0].arch, i == 1 ? "" : "apple7");
        assert_int_equal(r.unit[0].memory, i == 2 ? 0 : 5);
        assert_string_equal(r.unit[0].uuid, i == 3 ? "" : "registry-6");
        tree_free(t);
    }
}

static void test_libraries(void **state)
{
    (void)state;
    tree *t = mac("device=Apple M1|1007|5|6");
    tree_remove(t, "/libraries/Metal");
    rung_device_report r = probe(t, RUNG_DEPTH_OPEN);
    assert_state(r, RUNG_STATE_NO_LIBRARY);
    assert_contains(r.detail, "Metal is not there");
    assert_int_equal(r.present, 1);
    tree_library_text(t, "Metal", "");
    r = probe(t, RUNG_DEPTH_OPEN);
    assert_state(r, RUNG_STATE_LIBRARY_INVALID);
    tree_library(t, "Metal", "CoreGraphics");
    r = probe(t, RUNG_DEPTH_OPEN);
    assert_state(r, RUNG_STATE_LIBRARY_INVALID);
    assert_string_equal(r.detail, "Metal lacks the functions that list devices");
    tree_free(t);

    t = mac("device=Apple M1|1007|5|6");
    tree_remove(t, "/libraries/libobjc.A.dylib");
    r = probe(t, RUNG_DEPTH_OPEN);
    assert_state(r, RUNG_STATE_NO_LIBRARY);
    assert_contains(r.detail, "libobjc.A.dylib is not there");
    tree_free(t);
}

static void test_told(void **state)
{
    (void)state;
    tree *t = mac("device=Apple M1|1007|5|6");
    told all = {""};
    rung_world world = tree_world(t);
    world.system = "macos";
    world.tell = told_line;
    world.tell_user = &all;
    errno = 77;
    rung_device_report r = {.device = "metal"};
    rung_probe_ask(rung_probe_metal, &world, RUNG_DEPTH_OPEN, &r);
    assert_int_equal(errno, 77);
    assert_string_equal(all.text, "metal: open /System/Library/Frameworks/CoreGraphics.framework/CoreGraphics: opened\n"
                                  "metal: open /System/Library/Frameworks/Metal.framework/Metal: opened\n"
                                  "metal: open /usr/lib/libobjc.A.dylib: opened\n"
                                  "metal: devices: Apple M1\n");
    tree_free(t);
}

/* Metal is not to be touched in a child of a process that has touched it, at any depth. */
static void test_forked(void **state)
{
    (void)state;
    tree *t = mac("device=Apple M1|1007|5|6");
    rung_world world = tree_world(t);
    rung_device_report report = {.device = "metal"};
    world.system = "macos";
    rung_probe_ask(rung_probe_metal, &world, RUNG_DEPTH_LOOK, &report);
    assert_state(report, RUNG_STATE_USABLE);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int wrong = setenv("RUNG_FAKE_METAL", "MTLCopyAllDevices=exit", 1);
        for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_FULL; depth++) {
            rung_device_report inside = {.device = "metal"};
            rung_probe_ask(rung_probe_metal, &world, (rung_depth)depth, &inside);
            wrong |= inside.state != RUNG_STATE_FORKED || inside.initialised;
        }
        _exit(wrong);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    tree_free(t);
}

static void test_other_systems(void **state)
{
    (void)state;
    static const char *const systems[] = {"linux", "other"};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        tree *t = mac("device=Apple M1|1007|5|6");
        rung_world world = tree_world(t);
        world.system = systems[i];
        rung_device_report r = probe_world(rung_probe_metal, &world, RUNG_DEPTH_FULL);
        assert_state(r, RUNG_STATE_ABSENT);
        assert_int_equal(r.present, 0);
        tree_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_core_graphics),
        cmocka_unit_test(test_macs),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_virtual_machines),
        cmocka_unit_test(test_missing_methods),
        cmocka_unit_test(test_libraries),
        cmocka_unit_test(test_told),
        cmocka_unit_test(test_forked),
        cmocka_unit_test(test_other_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
