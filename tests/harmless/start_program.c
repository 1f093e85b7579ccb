/* SPDX-License-Identifier: Apache-2.0
 *
 * start_program.c: what a program does that starts on the machine below the folder ROOT: it looks for all devices,
 * opens the best platform of a registry whose kernels for accelerators are all built, and writes "start" and "end"
 * around it, for those who watch its system calls.
 */
#include <string.h>
#include <unistd.h>

#include "cpu.h"
#include "detect/devices.h"
#include "detect/probes.h"
#include "gp/gp.h"
#include "machine.h"
#include "rung/table.h"

enum { CELLS = 64 };

static int run(const rung_world *world, const rung_registry *registry)
{
    rung_machine machine = {.world = world};
    rung_cpu_read(false, &machine.cpu);
    rung_devices *devices;
    rung_platform *platform;
    if (rung_devices_detect_in(world, &machine.cpu, registry, 0, &devices, NULL) != RUNG_OK)
        return 1;
    rung_devices_free(devices);
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
