/* SPDX-License-Identifier: Apache-2.0
 *
 * start_program.c: what a program does that starts on the machine below the folder ROOT: it looks for all devices
 * in every way, for what frameworks a Python has and for what it may use of the host, opens the best platform of a
 * registry whose kernels for accelerators are all built, and writes "start" and "end" around it, for those who watch
 * its system calls.
 */
#include <string.h>
#include <unistd.h>

#include "cpu.h"
#include "detect/devices.h"
#include "detect/host.h"
#include "detect/probes.h"
#include "frameworks/frameworks.h"
#include "gp/gp.h"
#include "machine.h"
#include "rung/table.h"

enum { CELLS = 64 };

/* Whether the processor is all there is; on a machine with anything else there would be something to open. */
static int finds_no_device(const rung_world *world, const rung_cpu *cpu, const rung_registry *registry, unsigned flags)
{
    rung_devices *devices;
    if (rung_devices_detect_in(world, cpu, registry, flags, &devices, NULL) != RUNG_OK)
        return 0;
    int none = 1;
    for (uint32_t i = 0; i < rung_devices_count(devices); i++) {
        const rung_device_report *report = rung_devices_at(devices, i);
        none &= strcmp(report->device, "cpu") == 0 || report->state == RUNG_STATE_ABSENT;
    }
    rung_devices_free(devices);
    return none;
}

static int finds_nothing(const rung_world *world, const rung_cpu *cpu, const rung_registry *registry)
{
    static rung_python python;
    rung_world isolated = *world;
    isolated.isolated = true;
    int right = 1;
    for (unsigned full = 0; full <= RUNG_DETECT_FULL; full += RUNG_DETECT_FULL) {
        right &= finds_no_device(world, cpu, registry, full);
        right &= finds_no_device(&isolated, cpu, registry, full);
    }
    rung_python_detect_in(world, NULL, &python);
    rung_host host;
    rung_host_detect_in(world, &host);
    return right;
}

static int run(const rung_world *world, const rung_registry *registry)
{
    rung_machine machine = {.world = world};
    rung_cpu_read(false, &machine.cpu);
    rung_platform *platform;
    if (!finds_nothing(world, &machine.cpu, registry))
        return 1;
    if (rung_platform_open_on(registry, NULL, 0, &machine, &platform, NULL) != RUNG_OK)
        return 1;
    int wrong = strcmp(rung_platform_device(platform, 0), "cpu") != 0;
    rung_platform_close(platform);
    return wrong;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    rung_world world = rung_this_world();
    world.root = argv[1];
    static const char *const environment[] = {"PATH=/usr/bin", NULL};
    world.environment = environment;
    rung_registry registry = gp_registry;
    static rung_cell_row cells[CELLS];
    if (registry.n_cells > CELLS)
        return 2;
    memcpy(cells, gp_registry.cells, registry.n_cells * sizeof *cells);
    registry.cells = cells;
    for (uint32_t i = 0; i < registry.n_cells; i++) {
        uint32_t device = registry.arch_names[cells[i].arch].device;
        const char *name = registry.strings + registry.devices[device].name;
        if (strcmp(name, "cpu") == 0)
            continue;
        cells[i].flags |= RUNG_CELL_BUILT;
        registry.probes[device] = rung_probe_of(name);
    }
    int failed = write(1, "start\n", 6) != 6;
    failed |= run(&world, &registry);
    failed |= write(1, "end\n", 4) != 4;
    return failed;
}
