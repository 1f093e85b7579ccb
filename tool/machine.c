/* SPDX-License-Identifier: Apache-2.0
 *
 * machine.c: what the library detects of the processor, and uname.
 */
#include "machine.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "json.h"
#include "rung/rung.h"
#include "say.h"

json_t *machine_json(void)
{
    rung_cpu cpu;
    rung_cpu_detect(&cpu);
    /* neither need be terminated when it is full, and only x86 has a model */
    char *model = say_format("%.*s", (int)strnlen(cpu.model, sizeof cpu.model), cpu.model);
    char *vendor = say_format("%.*s", (int)strnlen(cpu.vendor, sizeof cpu.vendor), cpu.vendor);
    struct utsname name;
    char *system =
        uname(&name) == 0 ? say_format("%s %s %s", name.sysname, name.release, name.machine) : say_format("unknown");
    json_t *machine = json_object();
    json_put(machine, "processor", json_text(model[0] != '\0' ? model : vendor[0] != '\0' ? vendor : cpu.family));
    json_put(machine, "level", json_text(cpu.level));
    json_put(machine, "system", json_text(system));
    free(model);
    free(vendor);
    free(system);
    return machine;
}
