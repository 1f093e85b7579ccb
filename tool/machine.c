/* SPDX-License-Identifier: Apache-2.0
 *
 * machine.c: what the library detects of the processor and the devices, and uname.
 */
#include "machine.h"

#include <stdlib.h>
#include <sys/utsname.h>

#include "json.h"
#include "machine_devices.h"
#include "rung/rung.h"
#include "say.h"

/* Whatever this build has kernels for; none where it cannot be found out. */
static void put_devices(json_t *machine)
{
    rung_devices *found;
    if (rung_devices_detect(NULL, RUNG_DETECT_ISOLATED | RUNG_DETECT_FULL, &found, NULL) != RUNG_OK)
        return;
    json_t *devices = machine_devices_of(found);
    rung_devices_free(found);
    if (json_array_size(devices) != 0)
        json_put(machine, "devices", devices);
    else
        json_decref(devices);
}

json_t *machine_json(void)
{
    rung_cpu cpu;
    rung_cpu_detect(&cpu);
    struct utsname name;
    char *system =
        uname(&name) == 0 ? say_format("%s %s %s", name.sysname, name.release, name.machine) : say_format("unknown");
    json_t *machine = json_object();
    /* only x86 tells a model */
    json_put(machine, "processor",
             json_text(cpu.model[0] != '\0'    ? cpu.model
                       : cpu.vendor[0] != '\0' ? cpu.vendor
                                               : cpu.family));
    json_put(machine, "level", json_text(cpu.level));
    json_put(machine, "system", json_text(system));
    free(system);
    put_devices(machine);
    return machine;
}
