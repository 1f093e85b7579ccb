/* SPDX-License-Identifier: Apache-2.0
 *
 * ask.c: probes and forks. What a probe initialises is known to the process from then on, and a driver that was
 * initialised before a fork is not touched in the child.
 */
#include "fork.h"
#include "probe.h"

static bool would_be_used(rung_device_state state)
{
    return state == RUNG_STATE_USABLE || state == RUNG_STATE_NOT_ASKED;
}

void rung_probe_ask(rung_probe_fn *probe, const rung_world *world, rung_depth depth, rung_device_report *out)
{
    rung_driver *driver = rung_driver_of(out->device);
    bool forked = rung_driver_is_forked(driver);
    probe(world, forked && !world->isolated ? RUNG_DEPTH_LOOK : depth, out);
    if (out->initialised)
        rung_driver_use(driver);
    if (!forked)
        return;
    char why[sizeof out->detail];
    rung_text t = rung_text_in(why, sizeof why);
    rung_driver_tell(driver, &t);
    for (uint32_t i = 0; i < out->count && i < RUNG_UNITS_MAX; i++) {
        rung_device_unit *unit = &out->unit[i];
        if (!would_be_used(unit->state))
            continue;
        unit->state = RUNG_STATE_FORKED;
        rung_report_text(unit->detail, sizeof unit->detail, why);
    }
    if (would_be_used(out->state))
        rung_report_state(out, RUNG_STATE_FORKED, (const char *const[]){why, NULL});
}
