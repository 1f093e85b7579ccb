/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines with TPUs, and machines with other things in the same places.
 */
#include "detect_test.h"

#include <errno.h>
#include <stdio.h>

/* ---- machines ---------------------------------------------------------------------------------------------------- */

static void function_files(tree *t, const char *folder, const char *vendor, const char *device, const char *subsystem)
{
    static const char *const names[] = {"vendor", "device", "subsystem_device", "class"};
    const char *const texts[] = {vendor, device, subsystem, "0x120000\n"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[160];
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        tree_file(t, path, texts[i]);
    }
}

static void add_function(tree *t, const char *bus, const char *vendor, const char *device)
{
    char folder[96];
    (void)snprintf(folder, sizeof folder, "/sys/bus/pci/devices/%s", bus);
    function_files(t, folder, vendor, device, "0x0000\n");
}

/* v2 to v4: /dev/accelN with a device in /sys. */
static void add_accel(tree *t, unsigned n, const char *device, const char *subsystem)
{
    char path[96];
    char text[96];
    (void)snprintf(path, sizeof path, "/dev/accel%u", n);
    tree_node(t, path, 0666);
    (void)snprintf(path, sizeof path, "/sys/class/accel/accel%u/device/uevent", n);
    (void)snprintf(text, sizeof text, "DRIVER=accel\nPCI_CLASS=120000\nPCI_SLOT_NAME=0000:00:%02x.0\nMODALIAS=x\n",
                   4 + n);
    tree_file(t, path, text);
    (void)snprintf(path, sizeof path, "/sys/class/accel/accel%u/device", n);
    function_files(t, path, "0x1ae0\n", device, subsystem);
}

/* From v5 on: /dev/vfio/GROUP. */
static void add_vfio(tree *t, unsigned group, const char *bus, const char *vendor, const char *device)
{
    char path[128];
    tree_node(t, "/dev/vfio/vfio", 0666);
    (void)snprintf(path, sizeof path, "/dev/vfio/%u", group);
    tree_node(t, path, 0666);
    (void)snprintf(path, sizeof path, "/sys/kernel/iommu_groups/%u/devices/%s", group, bus);
    tree_folder(t, path);
    add_function(t, bus, vendor, device);
}

static rung_device_report look(tree *t)
{
    return probe_tree(rung_probe_tpu, t, RUNG_DEPTH_LOOK);
}

static rung_device_report full(tree *t)
{
    return probe_tree(rung_probe_tpu, t, RUNG_DEPTH_FULL);
}

/* ---- TPUs -------------------------------------------------------------------------------------------------------- */

static void test_accel(void **state)
{
    (void)state;
    static const struct {
        const char *device, *subsystem, *arch, *name;
    } chips[] = {{"0x0027\n", "0x004e\n", "v2", "TPU v2"},
                 {"0x0027\n", "0x004f\n", "v3", "TPU v3"},
                 {"0x0027\n", "0x0001\n", "", "TPU v2 or v3"},
                 {"0x005e\n", "0x0000\n", "v4", "TPU v4"},
                 {"0x005E", "", "v4", "TPU v4"}};
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        tree *t = tree_new();
        for (unsigned n = 0; n < 4; n++)
            add_accel(t, n, chips[i].device, chips[i].subsystem);
        for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_FULL; depth++) {
            rung_device_report r = probe_tree(rung_probe_tpu, t, (rung_depth)depth);
            assert_state(r, RUNG_STATE_USABLE);
            assert_int_equal(r.present, 1);
            assert_int_equal(r.initialised, 0);
            assert_int_equal(r.count, 4);
            assert_string_equal(r.unit[3].arch, chips[i].arch);
            assert_string_equal(r.unit[3].name, chips[i].name);
            assert_string_equal(r.unit[3].bus, "0000:00:07.0");
            assert_string_equal(r.unit[3].detail, "/dev/accel3");
        }
        tree_free(t);
    }
}

static void test_vfio(void **state)
{
    (void)state;
    static const char *const chips[][2] = {{"0x0063\n", "v5e"},   {"0x0062\n", "v5p"},   {"0x006f\n", "v6e"},
                                           {"0x0076\n", "tpu7x"}, {"0x0083\n", "tpu8i"}, {"0x007c\n", "tpu8t"},
                                           {"0x0056\n", "plc"}};
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        tree *t = tree_new();
        add_vfio(t, 10, "0000:00:05.0", "0x1ae0\n", chips[i][0]);
        add_vfio(t, 2, "0000:00:04.0", "0x1ae0\n", chips[i][0]);
        tree_folder(t, "/dev/vfio/devices");
        rung_device_report r = look(t);
        assert_state(r, RUNG_STATE_USABLE);
        assert_int_equal(r.count, 2);
        assert_string_equal(r.unit[0].arch, chips[i][1]);
        assert_string_equal(r.unit[0].detail, "/dev/vfio/2");
        assert_string_equal(r.unit[0].bus, "0000:00:04.0");
        assert_string_equal(r.unit[1].detail, "/dev/vfio/10");
        tree_free(t);
    }
}

static void test_permission(void **state)
{
    (void)state;
    tree *t = tree_new();
    add_accel(t, 0, "0x005e\n", "0x0000\n");
    tree_node(t, "/dev/accel0", 0600);
    rung_device_report r = look(t);
    assert_state(r, RUNG_STATE_NO_PERMISSION);
    assert_string_equal(r.detail, "/dev/accel0 may not be opened");
    assert_string_equal(r.unit[0].arch, "v4");
    tree_free(t);

    t = tree_new();
    add_vfio(t, 0, "0000:00:04.0", "0x1ae0\n", "0x0063\n");
    add_vfio(t, 1, "0000:00:05.0", "0x1ae0\n", "0x0063\n");
    tree_node(t, "/dev/vfio/0", 0600);
    r = look(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_int_equal(r.unit[0].state, RUNG_STATE_NO_PERMISSION);
    tree_node(t, "/dev/vfio/vfio", 0600);
    r = look(t);
    assert_state(r, RUNG_STATE_NO_PERMISSION);
    assert_string_equal(r.unit[1].detail, "/dev/vfio/vfio may not be opened");
    tree_remove(t, "/dev/vfio/vfio");
    r = look(t);
    assert_string_equal(r.unit[1].detail, "/dev/vfio/vfio is not there");
    tree_free(t);
}

static void test_libtpu(void **state)
{
    (void)state;
    tree *t = tree_new();
    add_accel(t, 0, "0x005e\n", "0x0000\n");
    rung_device_report r = look(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_string_equal(r.detail, "/dev/accel0, libtpu: as Python has it");
    assert_string_equal(r.library, "");
    tree_file(t, "/lib/libtpu.so", "");
    r = look(t);
    assert_string_equal(r.detail, "/dev/accel0, libtpu: /lib/libtpu.so");
    tree_env(t, "TPU_LIBRARY_PATH", "/opt/tpu/libtpu.so");
    r = look(t);
    assert_string_equal(r.library, "/lib/libtpu.so");
    tree_file(t, "/opt/tpu/libtpu.so", "");
    r = look(t);
    assert_string_equal(r.library, "/opt/tpu/libtpu.so");
    assert_state(r, RUNG_STATE_USABLE);
    tree_free(t);
}

static void test_environment(void **state)
{
    (void)state;
    static const struct {
        const char *chips, *devices; /* NULL: unset */
        unsigned count, hidden;
        const char *first; /* detail of the first unit, or of the report */
    } cases[] = {
        {NULL, NULL, 4, 0, "/dev/accel0"},
        {"", NULL, 4, 0, "/dev/accel0"},
        {"2", NULL, 1, 3, "/dev/accel2"},
        {"1,3", NULL, 2, 2, "/dev/accel1"},
        {"3,1,3", NULL, 2, 2, "/dev/accel1"},
        {"1,7,x", NULL, 1, 3, "/dev/accel1"},
        {NULL, "3", 1, 3, "/dev/accel3"},
        {"0", "3", 1, 3, "/dev/accel0"},
        {"", "3", 1, 3, "/dev/accel3"},
        {"9", NULL, 0, 4, "TPU_VISIBLE_CHIPS=\"9\" hides every chip"},
        {NULL, "none", 0, 4, "TPU_VISIBLE_DEVICES=\"none\" hides every chip"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tree *t = tree_new();
        for (unsigned n = 0; n < 4; n++)
            add_accel(t, n, "0x005e\n", "0x0000\n");
        if (cases[i].chips != NULL)
            tree_env(t, "TPU_VISIBLE_CHIPS", cases[i].chips);
        if (cases[i].devices != NULL)
            tree_env(t, "TPU_VISIBLE_DEVICES", cases[i].devices);
        rung_device_report r = look(t);
        assert_state(r, cases[i].count > 0 ? RUNG_STATE_USABLE : RUNG_STATE_HIDDEN);
        assert_int_equal(r.count, cases[i].count);
        assert_int_equal(r.hidden, cases[i].hidden);
        assert_string_equal(r.count > 0 ? r.unit[0].detail : r.detail, cases[i].first);
        tree_free(t);
    }
}

/* ---- no TPUs ----------------------------------------------------------------------------------------------------- */

static void test_none(void **state)
{
    (void)state;
    tree *t = tree_new();
    told all = {""};
    rung_world world = tree_world(t);
    world.tell = told_line;
    world.tell_user = &all;
    errno = 77;
    rung_device_report r = probe_world(rung_probe_tpu, &world, RUNG_DEPTH_LOOK);
    assert_int_equal(errno, 77);
    assert_state(r, RUNG_STATE_ABSENT);
    assert_string_equal(all.text, "tpu: /dev/accel0: is not there\ntpu: /dev/vfio: is not there\n");
    r = full(t);
    assert_state(r, RUNG_STATE_ABSENT);
    /* the network card of every guest of the same cloud is of the same maker */
    add_function(t, "0000:00:03.0", "0x1ae0\n", "0x0042\n");
    r = full(t);
    assert_state(r, RUNG_STATE_ABSENT);
    assert_int_equal(r.present, 0);
    tree_free(t);
}

static void test_no_driver(void **state)
{
    (void)state;
    tree *t = tree_new();
    add_function(t, "0000:00:05.0", "0x1ae0\n", "0x006f\n");
    add_function(t, "0000:00:04.0", "0x1ae0\n", "0x006f\n");
    add_function(t, "0000:00:03.0", "0x1ae0\n", "0x0042\n");
    rung_device_report r = look(t);
    assert_state(r, RUNG_STATE_ABSENT);
    r = full(t);
    assert_state(r, RUNG_STATE_NO_DRIVER);
    assert_string_equal(r.detail, "TPU v6e at 0000:00:04.0 has no device node");
    assert_int_equal(r.present, 1);
    assert_int_equal(r.count, 0);
    tree_free(t);
}

static void test_other_vfio(void **state)
{
    (void)state;
    tree *t = tree_new();
    add_vfio(t, 7, "0000:03:00.0", "0x15b3\n", "0x1017\n");  /* a network card */
    add_vfio(t, 8, "0000:04:00.0", "0x10de\n", "0x2330\n");  /* a GPU */
    add_vfio(t, 9, "0000:05:00.0", "0x1ae0\n", "0x0042\n");  /* of Google, no TPU */
    add_vfio(t, 11, "0000:06:00.0", "0x15b3\n", "0x0063\n"); /* a TPU's number, of another maker */
    rung_device_report r = full(t);
    assert_state(r, RUNG_STATE_ABSENT);
    add_vfio(t, 12, "0000:07:00.0", "0x1ae0\n", "0x0063\n");
    r = look(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_int_equal(r.count, 1);
    assert_string_equal(r.unit[0].detail, "/dev/vfio/12");
    tree_free(t);
}

static void test_other_accelerators(void **state)
{
    (void)state;
    tree *t = tree_new();
    /* the folder of NPUs of the kernel's own subsystem, whose classes in /sys have the same name */
    tree_node(t, "/dev/accel/accel0", 0666);
    function_files(t, "/sys/class/accel/accel0/device", "0x8086\n", "0x7d1d\n", "0x0000\n");
    rung_device_report r = full(t);
    assert_state(r, RUNG_STATE_ABSENT);
    tree_free(t);

    t = tree_new();
    tree_node(t, "/dev/accel0", 0666); /* of another driver that likes the name */
    function_files(t, "/sys/class/accel/accel0/device", "0x8086\n", "0x7d1d\n", "0x0000\n");
    r = full(t);
    assert_state(r, RUNG_STATE_ABSENT);
    tree_free(t);
}

/* ---- what /sys tells badly --------------------------------------------------------------------------------------- */

static void test_little_told(void **state)
{
    (void)state;
    tree *t = tree_new();
    tree_node(t, "/dev/accel0", 0666);
    tree_node(t, "/dev/accel1", 0666);
    rung_device_report r = look(t); /* neither class nor bus */
    assert_state(r, RUNG_STATE_NOT_ASKED);
    assert_int_equal(r.count, 2);
    assert_string_equal(r.detail, "/sys does not tell what is behind /dev/accel0");
    /* the bus has a TPU */
    add_function(t, "0000:00:04.0", "0x1ae0\n", "0x005e\n");
    r = look(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_string_equal(r.unit[1].arch, "v4");
    assert_string_equal(r.unit[1].bus, "");
    tree_free(t);

    t = tree_new();
    tree_node(t, "/dev/accel0", 0666);
    add_function(t, "0000:00:03.0", "0x1ae0\n", "0x0042\n"); /* and here it has none */
    r = look(t);
    assert_state(r, RUNG_STATE_ABSENT);
    tree_free(t);
}

static void test_garbage(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "\n", "0x", "0x\n", "1ae0\n", "0xzz\n", "0x1ae01ae01ae01ae01ae0\n", "\xff\xfe\x01", "0x1ae0"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t j = 0; j < sizeof texts / sizeof *texts; j++) {
            tree *t = tree_new();
            add_vfio(t, 3, "0000:00:04.0", texts[i], texts[j]);
            rung_device_report r = full(t);
            assert_state(r, RUNG_STATE_ABSENT);
            tree_free(t);
        }
    }
    tree *t = tree_new();
    add_accel(t, 0, "0x005e\n", "0x0000\n");
    tree_file(t, "/sys/class/accel/accel0/device/uevent",
              "PCI_SLOT_NAME=an-address-that-is-longer-than-any-address-may-ever-be");
    tree_node(t, "/dev/vfio/99999999999999999999", 0666);
    tree_node(t, "/dev/vfio/-1", 0666);
    rung_device_report r = look(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_int_equal(r.count, 1);
    assert_int_equal(strlen(r.unit[0].bus), sizeof r.unit[0].bus - 1);
    tree_free(t);
}

static void test_more_than_fit(void **state)
{
    (void)state;
    tree *t = tree_new();
    for (unsigned n = 0; n < RUNG_UNITS_MAX + 3; n++)
        add_accel(t, n, "0x005e\n", "0x0000\n");
    add_vfio(t, 3, "0000:00:04.0", "0x1ae0\n", "0x0063\n");
    rung_device_report r = look(t);
    assert_state(r, RUNG_STATE_USABLE);
    assert_int_equal(r.count, RUNG_UNITS_MAX);
    assert_string_equal(r.unit[RUNG_UNITS_MAX - 1].arch, "v4");
    tree_free(t);
}

static void test_other_system(void **state)
{
    (void)state;
    tree *t = tree_new();
    add_accel(t, 0, "0x005e\n", "0x0000\n");
    rung_world world = tree_world(t);
    world.system = "macos";
    rung_device_report r = probe_world(rung_probe_tpu, &world, RUNG_DEPTH_FULL);
    assert_state(r, RUNG_STATE_ABSENT);
    tree_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accel),
        cmocka_unit_test(test_vfio),
        cmocka_unit_test(test_permission),
        cmocka_unit_test(test_libtpu),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_no_driver),
        cmocka_unit_test(test_other_vfio),
        cmocka_unit_test(test_other_accelerators),
        cmocka_unit_test(test_little_told),
        cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_more_than_fit),
        cmocka_unit_test(test_other_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
