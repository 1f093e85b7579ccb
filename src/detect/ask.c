/* SPDX-License-Identifier: Apache-2.0
 *
 * ask.c: probes and forks. What a probe initialises is known to the process from then on, and a driver that was
 * initialised, or was being asked, before a fork is not touched in the child: its files are looked at.
 */
#include "fork.h"
#include "probe.h"

static bool would_be_used(rung_device_state state)
{
    return state == RUNG_STATE_USABLE || state == RUNG_STATE_NOT_ASKED;
}

static void look_at_files(rung_probe_fn *probe, const rung_world *world, rung_device_report *out)
{
    rung_world files = *world;
    files.no_libraries = true;
    probe(&files, RUNG_DEPTH_LOOK, out);
}

static void ask_here(rung_driver *driver, rung_probe_fn *probe, const rung_world *world, rung_depth depth,
                     rung_device_report *out)
{
    rung_driver_ask_begin(driver);
    probe(world, depth, out);
    if (out->initialised)
        rung_driver_use(driver);
    rung_driver_ask_end(driver);
}

void rung_probe_ask(rung_probe_fn *probe, const rung_world *world, rung_depth depth, rung_device_report *out)
{
    rung_driver *driver = rung_driver_of(out->device);
    if (world->isolated)
        probe(world, depth, out);
    else if (rung_driver_is_forked(driver))
        look_at_files(probe, world, out);
    else
        ask_here(driver, probe, world, depth, out);
    if (!rung_driver_is_forked(driver)) /* afterwards: a library, or whoever listens, may have forked */
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
