/* SPDX-License-Identifier: Apache-2.0
 *
 * tpu.c: Google's TPUs. One process owns a TPU, and whoever opens one keeps others out, so that no node is ever opened:
 * /sys tells what is behind it. Frameworks bring the library, libtpu, along; without it here a TPU is usable all the
 * same.
 */
#include <errno.h>
#include <string.h>

#include "numbers.h"
#include "pci.h"
#include "steps.h"

/* ---- which functions are TPUs ------------------------------------------------------------------------------------ */

enum { GOOGLE = 0x1ae0 }; /* of network cards too: the device decides */

typedef struct version {
    uint32_t device, subsystem; /* subsystem 0: any */
    const char *arch, *name;
} version;

/* Devices: jax/_src/hardware_utils.py of JAX; subsystems: tpu_info/device.py of cloud-accelerator-diagnostics. */
static const version versions[] = {
    {0x0027, 0x004e, "v2", "TPU v2"}, {0x0027, 0x004f, "v3", "TPU v3"}, {0x0027, 0, "", "TPU v2 or v3"},
    {0x0056, 0, "plc", "TPU plc"},    {0x005e, 0, "v4", "TPU v4"},      {0x0062, 0, "v5p", "TPU v5p"},
    {0x0063, 0, "v5e", "TPU v5e"},    {0x006f, 0, "v6e", "TPU v6e"},    {0x0076, 0, "tpu7x", "TPU 7x"},
    {0x007c, 0, "tpu8t", "TPU 8t"},   {0x0083, 0, "tpu8i", "TPU 8i"},
};

static const version *version_of(const rung_pci *function)
{
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (function->vendor == GOOGLE && function->device == versions[i].device &&
            (versions[i].subsystem == 0 || versions[i].subsystem == function->subsystem))
            return &versions[i];
    return NULL;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

typedef struct chip {
    char node[48];
    char bus[32];
    const version *version; /* NULL: /sys does not tell */
} chip;

typedef struct machine {
    const rung_world *world;
    uint32_t chips;
    chip chip[RUNG_UNITS_MAX];
} machine;

static chip *add_chip(machine *m, const char *prefix, uint32_t number)
{
    if (m->chips == RUNG_UNITS_MAX)
        return NULL;
    chip *c = &m->chip[m->chips++];
    memset(c, 0, sizeof *c);
    rung_text t = rung_text_in(c->node, sizeof c->node);
    rung_text_add(&t, prefix);
    rung_text_uint(&t, number);
    return c;
}

/* "PCI_SLOT_NAME=0000:00:05.0" among the lines of a device's uevent. */
static void read_slot(const rung_world *world, const char *folder, char *out, size_t size)
{
    static const char key[] = "PCI_SLOT_NAME=";
    char path[96];
    char text[1024];
    rung_text t = rung_text_in(path, sizeof path);
    rung_text_join(&t, (const char *const[]){folder, "/uevent", NULL});
    (void)rung_world_read(world, path, text, sizeof text);
    char *at = strstr(text, key);
    if (at == NULL)
        return;
    at += sizeof key - 1;
    at[strcspn(at, "\n")] = '\0';
    rung_report_text(out, size, at);
}

static bool is_tpu(const rung_pci *function)
{
    return version_of(function) != NULL;
}

/* v2 to v4: /dev/accelN, without gaps. Folder /dev/accel is of NPUs. Where a node has no device in /sys, the bus tells
 * whether there are TPUs at all; where that cannot be read either, the node is taken for one that has to be asked. */
static void take_accel(machine *m)
{
    for (uint32_t i = 0; i < RUNG_UNITS_MAX; i++) {
        char folder[64];
        rung_pci function;
        chip *c = add_chip(m, "/dev/accel", i);
        if (c == NULL)
            return;
        if (rung_world_exists(m->world, c->node) != 0) {
            m->chips--;
            return;
        }
        rung_text t = rung_text_in(folder, sizeof folder);
        rung_text_add(&t, "/sys/class/accel/accel");
        rung_text_uint(&t, i);
        rung_text_add(&t, "/device");
        if (rung_pci_read(m->world, folder, &function)) {
            c->version = version_of(&function);
            read_slot(m->world, folder, c->bus, sizeof c->bus);
            if (c->version == NULL)
                m->chips--;
        } else if (rung_pci_first(m->world, GOOGLE, is_tpu, &function) == 0) {
            c->version = version_of(&function);
            if (c->version == NULL)
                m->chips--;
        }
    }
}

typedef struct group {
    machine *m;
    uint32_t number;
} group;

/* A function in a group: network cards and GPUs are given to guests in the same way. */
static int take_function(const char *name, void *user)
{
    const group *g = user;
    char folder[128];
    rung_pci function;
    rung_text t = rung_text_in(folder, sizeof folder);
    rung_text_join(&t, (const char *const[]){"/sys/bus/pci/devices/", name, NULL});
    if (!rung_pci_read(g->m->world, folder, &function))
        return 0;
    const version *found = version_of(&function);
    chip *c = found == NULL ? NULL : add_chip(g->m, "/dev/vfio/", g->number);
    if (c != NULL) {
        c->version = found;
        memcpy(c->bus, function.bus, sizeof c->bus);
    }
    return 0;
}

/* From v5 on: /dev/vfio/GROUP. The folder has also `vfio`, the node of all groups, and `devices`. */
static void take_vfio(machine *m)
{
    rung_numbers found;
    (void)rung_world_numbers(m->world, "/dev/vfio", &found);
    for (uint32_t i = 0; i < found.count; i++) {
        group g = {m, found.at[i]};
        char folder[64];
        rung_text t = rung_text_in(folder, sizeof folder);
        rung_text_add(&t, "/sys/kernel/iommu_groups/");
        rung_text_uint(&t, g.number);
        rung_text_add(&t, "/devices");
        (void)rung_world_list(m->world, folder, take_function, &g);
    }
}

/* ---- environment ------------------------------------------------------------------------------------------------- */

/* Indexes, separated by commas, in TPU_VISIBLE_CHIPS, or in the older TPU_VISIBLE_DEVICES. What is none counts for
 * nothing, and so does a variable that is empty: libtpu's own rules are not published. NULL: all chips are visible. */
static const char *visible_variable(const rung_world *world)
{
    static const char *const names[] = {"TPU_VISIBLE_CHIPS", "TPU_VISIBLE_DEVICES"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = rung_world_env(world, names[i]);
        if (value != NULL && *value != '\0')
            return names[i];
    }
    return NULL;
}

static bool is_visible(const char *list, uint32_t chip)
{
    while (*list != '\0') {
        size_t len = strcspn(list, ",");
        uint64_t value;
        if (rung_decimal(list, len, &value) && value == chip)
            return true;
        list += len + (list[len] == ',');
    }
    return false;
}

/* ---- the report -------------------------------------------------------------------------------------------------- */

static void fill_unit(const rung_world *world, const chip *c, rung_device_unit *unit)
{
    const char *closed = c->node;
    int failed = rung_world_may_open(world, c->node);
    if (failed == 0 && strncmp(c->node, "/dev/vfio/", 10) == 0) {
        closed = "/dev/vfio/vfio";
        failed = rung_world_may_open(world, closed);
    }
    memcpy(unit->bus, c->bus, sizeof unit->bus);
    rung_report_text(unit->name, sizeof unit->name, c->version == NULL ? "TPU" : c->version->name);
    rung_report_text(unit->arch, sizeof unit->arch, c->version == NULL ? "" : c->version->arch);
    unit->state = RUNG_STATE_USABLE;
    rung_text t = rung_text_in(unit->detail, sizeof unit->detail);
    if (failed != 0) {
        unit->state = RUNG_STATE_NO_PERMISSION;
        rung_text_join(&t,
                       (const char *const[]){closed, failed == ENOENT ? " is not there" : " may not be opened", NULL});
    } else if (c->version == NULL) {
        unit->state = RUNG_STATE_NOT_ASKED;
        rung_text_join(&t, (const char *const[]){"/sys does not tell what is behind ", c->node, NULL});
    } else {
        rung_text_add(&t, c->node);
    }
}

/* Looked for where it is installed apart from Python, and never opened: it takes hold of the TPU. */
static void find_libtpu(const rung_world *world, rung_device_report *out)
{
    const char *const paths[] = {rung_world_env(world, "TPU_LIBRARY_PATH"), "/lib/libtpu.so", "/usr/lib/libtpu.so",
                                 "/usr/local/lib/libtpu.so"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths && out->library[0] == '\0'; i++)
        if (paths[i] != NULL && paths[i][0] != '\0' && rung_step_exists(world, "tpu", paths[i]))
            rung_report_text(out->library, sizeof out->library, paths[i]);
    if (out->state != RUNG_STATE_USABLE)
        return;
    char words[sizeof out->detail];
    memcpy(words, out->detail, sizeof words);
    rung_report_state(
        out, RUNG_STATE_USABLE,
        (const char *const[]){
            words, out->library[0] == '\0' ? ", libtpu: as Python has it" : ", libtpu: ", out->library, NULL});
}

static void report_chips(const machine *m, rung_device_report *out)
{
    const char *variable = visible_variable(m->world);
    const char *list = variable == NULL ? NULL : rung_world_env(m->world, variable);
    for (uint32_t i = 0; i < m->chips; i++) {
        if (list != NULL && !is_visible(list, i)) {
            out->hidden++;
            continue;
        }
        rung_device_unit *unit = &out->unit[out->count];
        unit->index = out->count++;
        fill_unit(m->world, &m->chip[i], unit);
    }
    out->present = 1;
    if (out->count > 0) {
        rung_report_from_units(out);
        find_libtpu(m->world, out);
        return;
    }
    rung_report_hidden(m->world, out, variable, "hides every chip");
}

/* A machine that was started from an image without the driver has the chips and no node. */
static void probe_bus(const rung_world *world, rung_device_report *out)
{
    rung_pci first;
    uint64_t start = rung_probe_start(world);
    (void)rung_pci_first(world, GOOGLE, is_tpu, &first);
    rung_probe_told(world, start, "tpu", "PCI bus", first.bus[0] == '\0' ? "no TPU" : first.bus);
    if (first.bus[0] == '\0')
        return;
    out->present = 1;
    rung_report_state(out, RUNG_STATE_NO_DRIVER,
                      (const char *const[]){version_of(&first)->name, " at ", first.bus, " has no device node", NULL});
}

void rung_probe_tpu(const rung_world *world, rung_depth depth, rung_device_report *out)
{
    machine m = {.world = world};
    rung_report_state(out, RUNG_STATE_ABSENT, (const char *const[]){NULL});
    if (rung_probe_skipped(world, out) || strcmp(world->system, "linux") != 0)
        return;
    bool accel = rung_step_exists(world, "tpu", "/dev/accel0");
    bool vfio = rung_step_exists(world, "tpu", "/dev/vfio");
    uint64_t start = rung_probe_start(world);
    if (accel)
        take_accel(&m);
    if (vfio)
        take_vfio(&m);
    if (accel || vfio)
        rung_probe_told(world, start, "tpu", "nodes", m.chips == 0 ? "none is of a TPU" : m.chip[0].node);
    if (m.chips > 0)
        report_chips(&m, out);
    else if (depth == RUNG_DEPTH_FULL)
        probe_bus(world, out);
}
