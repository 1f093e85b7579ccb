/* SPDX-License-Identifier: Apache-2.0
 *
 * devices.c: all kinds of devices, one after the other.
 */
#include "devices.h"

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "error.h"
#include "host.h"
#include "log.h"
#include "names.h"
#include "probes.h"

struct rung_devices {
    uint32_t count;
    char warning[512];
    rung_device_report report[RUNG_PROBES + 1]; /* the processor's is the first */
};

static void report_cpu(const rung_world *world, const rung_cpu *cpu, rung_device_report *out)
{
    rung_report_text(out->device, sizeof out->device, "cpu");
    out->present = 1;
    out->count = 1;
    rung_device_unit *unit = &out->unit[0];
    char model[sizeof cpu->model + 1] = "";
    memcpy(model, cpu->model, sizeof cpu->model);
    rung_report_text(unit->name, sizeof unit->name, model);
    rung_report_text(unit->arch, sizeof unit->arch, cpu->level);
    unit->memory = rung_machine_memory(world);
}

rung_status rung_devices_detect_in(const rung_world *world, const rung_cpu *cpu, const rung_registry *registry,
                                   unsigned flags, rung_devices **out, rung_error *err)
{
    const unsigned known = RUNG_DETECT_FULL | RUNG_DETECT_ISOLATED | RUNG_DETECT_NO_ENV;
    if (out == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no place given for the devices");
    if (flags & ~known)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "unknown flag");
    rung_status status = registry == NULL ? RUNG_OK : rung_registry_check(registry, err);
    if (status != RUNG_OK)
        return status;
    rung_devices *found = calloc(1, sizeof *found);
    if (found == NULL)
        return RUNG_FAIL(err, RUNG_ERR_MEMORY, "out of memory");
    rung_text warning = rung_text_in(found->warning, sizeof found->warning);
    rung_world_complaints(world, &warning);
    report_cpu(world, cpu, &found->report[found->count++]);
    rung_depth depth = flags & RUNG_DETECT_FULL ? RUNG_DEPTH_FULL : RUNG_DEPTH_LOOK;
    for (uint32_t i = 0; i < RUNG_PROBES; i++) {
        rung_device_report *report = &found->report[found->count++];
        rung_report_text(report->device, sizeof report->device, rung_probe_names[i]);
        rung_probe_ask(rung_probe_of(report->device), world, depth, report);
        if (registry != NULL)
            rung_report_judge(registry, report);
    }
    *out = found;
    return rung_succeed(err);
}

rung_status rung_devices_detect(const rung_registry *registry, unsigned flags, rung_devices **out, rung_error *err)
{
    rung_cpu cpu;
    rung_cpu_read(true, &cpu);
    rung_world world = rung_this_world();
    rung_world_settle(&world, flags);
    rung_log_listen(&world);
    rung_log_complaints(&world);
    return rung_devices_detect_in(&world, &cpu, registry, flags, out, err);
}

void rung_devices_free(rung_devices *devices)
{
    free(devices);
}

uint32_t rung_devices_count(const rung_devices *devices)
{
    return devices == NULL ? 0 : devices->count;
}

const char *rung_devices_warning(const rung_devices *devices)
{
    return devices == NULL ? "" : devices->warning;
}

const rung_device_report *rung_devices_at(const rung_devices *devices, uint32_t i)
{
    return i < rung_devices_count(devices) ? &devices->report[i] : NULL;
}

const rung_device_report *rung_devices_find(const rung_devices *devices, const char *device)
{
    for (uint32_t i = 0; device != NULL && i < rung_devices_count(devices); i++)
        if (strcmp(devices->report[i].device, device) == 0)
            return &devices->report[i];
    return NULL;
}
