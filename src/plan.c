/* SPDX-License-Identifier: Apache-2.0
 *
 * plan.c: one device after the other of a platform to be.
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "detect/devices.h"
#include "log.h"
#include "names.h"

bool rung_plan_has_built(const rung_registry *registry, uint32_t device)
{
    for (uint32_t i = 0; i < registry->n_cells; i++) {
        const rung_cell_row *row = &registry->cells[i];
        if ((row->flags & RUNG_CELL_BUILT) && registry->arch_names[row->arch].device == device)
            return true;
    }
    for (uint32_t i = 0; i < registry->n_builders; i++)
        if ((registry->builders[i].flags & RUNG_CELL_BUILT) && registry->builders[i].device == device)
            return true;
    return false;
}

static const rung_device_report *found_before(const rung_machine *machine, const char *device)
{
    for (uint32_t i = 0; i < machine->n_reports; i++)
        if (strcmp(machine->reports[i]->device, device) == 0)
            return machine->reports[i];
    return NULL;
}

/* What was found before or a probe finds now, and what the kernels of the build make of it; NULL where there is
 * neither.
 */
static const rung_device_report *probe(rung_plan *plan, uint32_t device)
{
    const char *name = rung_device_text(plan->registry, device);
    const rung_world *world = plan->machine->world;
    const rung_device_report *before = found_before(plan->machine, name);
    for (uint32_t i = 0; i < plan->n_probed; i++)
        if (strcmp(plan->probed[i]->device, name) == 0)
            return plan->probed[i];
    if (before == NULL && (world == NULL || plan->registry->probes[device] == NULL))
        return NULL;
    rung_device_report *report = plan->n_probed < RUNG_PROBED_MAX ? calloc(1, sizeof *report) : NULL;
    if (report == NULL)
        return NULL;
    if (before != NULL) {
        *report = *before;
    } else {
        rung_report_text(report->device, sizeof report->device, name);
        if (plan->n_probed == 0)
            rung_log_complaints(world);
        rung_probe_ask(plan->registry->probes[device], world, RUNG_DEPTH_OPEN, report);
    }
    rung_report_judge(plan->registry, report);
    plan->probed[plan->n_probed++] = report;
    return report;
}

static void stand_on(rung_position *position, rung_reason state, const char *detail)
{
    position->state = state;
    position->state_detail = detail;
}

/* A device that can be used: its driver, and whether a fork has taken that away. */
static void stand_behind(rung_position *position, const char *name, bool initialised)
{
    position->of_process = rung_driver_of(name);
    if (initialised)
        rung_driver_use(position->of_process);
    position->forked = rung_driver_is_forked(position->of_process);
}

static void find_by_probe(rung_position *position, const rung_device_report *report)
{
    if (report->count == 0) {
        const char *detail = report->detail[0] != '\0' ? report->detail : rung_device_state_text(report->state);
        stand_on(position, rung_device_state_reason(report->state), detail);
        return;
    }
    for (uint32_t i = 0; i < report->count && i < RUNG_UNITS_MAX; i++) {
        const rung_device_unit *unit = &report->unit[i];
        if (unit->index != position->index)
            continue;
        const char *detail = unit->detail[0] != '\0' ? unit->detail : rung_device_state_text(unit->state);
        stand_on(position, rung_device_state_reason(unit->state), detail);
        position->detected = unit->arch;
        position->driver = report->driver_version;
        if (unit->state == RUNG_STATE_USABLE)
            stand_behind(position, report->device, report->initialised);
        return;
    }
    stand_on(position, RUNG_REASON_DEVICE_ABSENT, "there are fewer devices than that");
}

static void find_device(rung_plan *plan, rung_position *position)
{
    const rung_machine *machine = plan->machine;
    const char *name = rung_device_text(plan->registry, position->device);
    for (uint32_t i = 0; i < machine->n_found; i++) {
        const rung_found *found = &machine->found[i];
        if (strcmp(found->device, name) != 0)
            continue;
        stand_on(position, found->state, found->detail);
        if (found->state == RUNG_REASON_NONE && position->index >= found->count) {
            stand_on(position, RUNG_REASON_DEVICE_ABSENT, "there are fewer devices than that");
            return;
        }
        position->detected = found->arch;
        position->driver = found->driver;
        if (position->state == RUNG_REASON_NONE)
            stand_behind(position, name, found->initialised);
        return;
    }
    const rung_device_report *report = probe(plan, position->device);
    if (report == NULL)
        stand_on(position, RUNG_REASON_DEVICE_ABSENT, "no such device was found");
    else
        find_by_probe(position, report);
}

uint32_t rung_plan_lowest(rung_plan *plan, uint32_t device)
{
    for (uint32_t i = 0; i < plan->machine->n_found; i++)
        if (strcmp(plan->machine->found[i].device, rung_device_text(plan->registry, device)) == 0)
            return 0;
    const rung_device_report *report = probe(plan, device);
    for (uint32_t i = 0; report != NULL && i < report->count && i < RUNG_UNITS_MAX; i++)
        if (report->unit[i].state == RUNG_STATE_USABLE)
            return report->unit[i].index;
    return 0;
}

void rung_plan_end(rung_plan *plan)
{
    while (plan->n_probed > 0)
        free(plan->probed[--plan->n_probed]);
}

void rung_plan_use_arch(rung_plan *plan, rung_position *position, const char *name, size_t len, const rung_arch *at)
{
    position->at = *at;
    position->arch = at->id == RUNG_NONE ? name : rung_arch_text(plan->registry, at->id);
    plan->arch_len[plan->count] = at->id == RUNG_NONE ? len : strlen(position->arch);
}

/* The next position of the chain, on the arch that was found. */
rung_position *rung_plan_add(rung_plan *plan, uint32_t device, uint32_t index)
{
    const rung_registry *registry = plan->registry;
    const rung_device_row *row = &registry->devices[device];
    rung_position *position = &plan->position[plan->count];
    *position = (rung_position){.device = device,
                                .index = index,
                                .arch = "",
                                .detected = "",
                                .state_detail = "",
                                .at = {.id = RUNG_NONE, .row = row->portable_row},
                                .found = {.id = RUNG_NONE, .row = row->portable_row},
                                .is_cpu = rung_is_cpu(registry, device)};
    plan->arch_len[plan->count] = 0;
    position->host = position->is_cpu || rung_is_accel(registry, device);
    const char *stands = "";
    position->gpu_driver = device < RUNG_ON_COUNT ? registry->drivers[device] : NULL;
    if (position->is_cpu) {
        position->detected = stands = plan->cpu.level;
    } else if (!position->host) {
        find_device(plan, position);
        stands = position->detected;
    } else if (row->archs > 0) {
        stands = rung_arch_text(registry, row->first_arch);
    }
    rung_arch at;
    if (stands[0] != '\0' && rung_arch_find(registry, device, stands, strlen(stands), &at) == RUNG_ARCH_KNOWN) {
        rung_plan_use_arch(plan, position, stands, strlen(stands), &at);
        position->found = at;
    }
    return position;
}

bool rung_plan_holds(const rung_plan *plan, uint32_t device)
{
    for (uint32_t i = 0; i < plan->count; i++)
        if (plan->position[i].device == device)
            return true;
    return false;
}

/* The last device of every chain (R1). */
void rung_plan_add_cpu(rung_plan *plan)
{
    uint32_t cpu = rung_device_find(plan->registry, "cpu");
    if (cpu != RUNG_NONE && !rung_plan_holds(plan, cpu) && plan->count < RUNG_CHAIN_MAX) {
        rung_plan_add(plan, cpu, 0);
        plan->count++;
    }
}
