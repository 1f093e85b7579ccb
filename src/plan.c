/* SPDX-License-Identifier: Apache-2.0
 *
 * plan.c: one device after the other of a platform to be.
 */
#include "plan.h"

#include <string.h>

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

static void find_device(const rung_plan *plan, rung_position *position)
{
    const rung_machine *machine = plan->machine;
    const char *name = rung_device_text(plan->registry, position->device);
    position->state = RUNG_REASON_DEVICE_ABSENT;
    position->state_detail = "no such device was found";
    for (uint32_t i = 0; i < machine->n_found; i++) {
        const rung_found *found = &machine->found[i];
        if (strcmp(found->device, name) != 0)
            continue;
        position->state = found->state;
        position->state_detail = found->detail;
        position->detected = found->arch;
        position->driver = found->driver;
        if (found->state == RUNG_REASON_NONE && position->index >= found->count) {
            position->state = RUNG_REASON_DEVICE_ABSENT;
            position->state_detail = "there are fewer devices than that";
            position->detected = "";
            position->driver = 0;
        }
    }
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
