/* SPDX-License-Identifier: Apache-2.0
 *
 * plan_auto.c: the chain that nobody asked for.
 */
#include "plan.h"

#include "error.h"
#include "names.h"

/* The first device of `auto` that can be used, noting why those before it cannot: RUNG_NONE when there is none. */
static uint32_t pick_device(rung_plan *plan, rung_text *skipped)
{
    const rung_registry *registry = plan->registry;
    for (uint32_t i = 0; i < registry->n_auto; i++) {
        uint32_t device = registry->auto_devices[i];
        if (rung_is_accel(registry, device))
            continue;
        const char *why = NULL;
        if (!rung_plan_has_built(registry, device)) {
            why = rung_reason_text(RUNG_REASON_NOT_BUILT);
        } else {
            const rung_position *position = rung_plan_add(plan, device, rung_plan_lowest(plan, device));
            rung_reason state = rung_position_state(position, NULL);
            if (state == RUNG_REASON_NONE)
                return device;
            why = rung_reason_text(state);
        }
        rung_text_add(skipped, "; ");
        rung_text_add(skipped, rung_device_text(registry, device));
        rung_text_add(skipped, ": ");
        rung_text_add(skipped, why);
    }
    return RUNG_NONE;
}

rung_status rung_plan_automatic(rung_plan *plan, rung_error *err)
{
    const rung_registry *registry = plan->registry;
    char notes[128];
    rung_text skipped = rung_text_in(notes, sizeof notes);
    uint32_t first = pick_device(plan, &skipped);
    if (first == RUNG_NONE)
        first = rung_device_find(registry, "cpu");
    if (first == RUNG_NONE)
        return RUNG_FAIL(err, RUNG_ERR_UNAVAILABLE, "no device of the registry's `auto` list can be used", notes);
    rung_plan_add(plan, first, rung_plan_lowest(plan, first));
    plan->count++;
    const rung_device_row *row = &registry->devices[first];
    for (uint32_t i = 0; i < row->fallbacks && plan->count < RUNG_CHAIN_MAX; i++) {
        uint32_t device = registry->fallbacks[row->first_fallback + i];
        if (rung_plan_holds(plan, device))
            continue;
        rung_plan_add(plan, device, rung_plan_lowest(plan, device));
        plan->count++;
    }
    rung_plan_add_cpu(plan);
    rung_text t = rung_text_in(plan->reason, sizeof plan->reason);
    rung_text_add(&t, "automatic: first of ");
    for (uint32_t i = 0; i < registry->n_auto; i++) {
        rung_text_add(&t, i == 0 ? "" : ", ");
        rung_text_add(&t, rung_device_text(registry, registry->auto_devices[i]));
    }
    rung_text_add(&t, " that is usable");
    rung_text_add(&t, notes);
    return RUNG_OK;
}
