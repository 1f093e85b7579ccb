/* SPDX-License-Identifier: Apache-2.0
 *
 * ask.c: probes and forks. What a probe initialises is known to the process from then on, and a driver that was
 * initialised, or was being asked, before a fork is not touched in the child: its files are looked at.
 */
#include <errno.h>

#include "fork.h"
#include "probe.h"

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
    int saved = errno;
    if (world->isolated)
        probe(world, depth, out);
    else if (rung_driver_is_forked(driver))
        look_at_files(probe, world, out);
    else
        ask_here(driver, probe, world, depth, out);
    errno = saved;
    if (!rung_driver_is_forked(driver)) /* afterwards: a library, or whoever listens, may have forked */
        return;
    char why[sizeof out->detail];
    rung_text t = rung_text_in(why, sizeof why);
    rung_driver_tell(driver, &t);
    rung_report_deny(out, RUNG_STATE_FORKED, why);
}
