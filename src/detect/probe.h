/* SPDX-License-Identifier: Apache-2.0
 *
 * probe.h: one function for each kind of device: from the world to a record.
 */
#ifndef RUNG_DETECT_PROBE_H
#define RUNG_DETECT_PROBE_H

#include "rung/table.h"
#include "world.h"

/* The probes, rung_probe_nvidia for cuda, rung_probe_amd for rocm, rung_probe_metal, rung_probe_tpu and
 * rung_probe_opencl, are declared in rung/table.h, because registries name them. Each fills *out, which is zeroed but
 * for `device`, and knows nothing of registries. A probe first looks at files, which never harm, and returns where they
 * say that there is nothing; before it opens a library it lets rung_probe_elsewhere do so. */

/* True when RUNG_SKIP names the device: *out says so, and nothing is to be looked at. */
bool rung_probe_skipped(const rung_world *world, rung_device_report *out);

/* True in an isolated world: *out holds what another process has found. In a program without a dynamic loader nothing
 * of it can be used: STATIC_PROGRAM. */
bool rung_probe_elsewhere(const rung_world *world, rung_depth depth, rung_device_report *out);

/* Calls a probe, and keeps drivers and forks apart: what it initialises is given up by children (fork.h), and in a
 * child that has given the driver up, devices that could be used are FORKED and nothing is initialised. errno stays,
 * whatever libraries do. */
void rung_probe_ask(rung_probe_fn *probe, const rung_world *world, rung_depth depth, rung_device_report *out);

/* Sets the report's state and detail from its units: USABLE when one is, else the first unit's. Only for reports that
 * have units. */
void rung_report_from_units(rung_device_report *report);

/* A report's state, with figures that are put together from parts up to NULL. */
void rung_report_state(rung_device_report *report, rung_device_state state, const char *const *detail);

/* Whether nothing is known that speaks against using it. */
static inline bool rung_state_is_open(rung_device_state state)
{
    return state == RUNG_STATE_USABLE || state == RUNG_STATE_NOT_ASKED;
}

/* Units, and a report, that could be used or were not asked, are not to be used, for this reason. */
void rung_report_deny(rung_device_report *report, rung_device_state state, const char *detail);

/* Copies a text into an array of this size, cut where it ends, at a whole character; control characters, and bytes that
 * are not valid UTF-8, become '?'. */
void rung_report_text(char *out, size_t size, const char *text);

#endif
