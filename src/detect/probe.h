/* SPDX-License-Identifier: Apache-2.0
 *
 * probe.h: one function for each kind of device: from the world to a record.
 */
#ifndef RUNG_DETECT_PROBE_H
#define RUNG_DETECT_PROBE_H

#include "world.h"

/* How far a probe goes. */
typedef enum rung_depth {
    /* Nothing is initialised: files, nodes, and libraries that can be asked without. Where that does not tell, the
     * state is NOT_ASKED. For lists of devices and for the choice of a backend. */
    RUNG_DEPTH_LOOK,
    /* As LOOK, but the driver is initialised where nothing else tells a device's arch: for opening a chain. */
    RUNG_DEPTH_OPEN,
    /* Everything, a context tried on every device: in a process of its own, or where it was asked for. */
    RUNG_DEPTH_FULL
} rung_depth;

/* Fills *out, which is zeroed but for `device`. Knows nothing of RUNG_SKIP, RUNG_PROBE or registries. */
typedef void rung_probe_fn(const rung_world *world, rung_depth depth, rung_device_report *out);

rung_probe_fn rung_probe_nvidia; /* cuda */
rung_probe_fn rung_probe_amd;    /* rocm */
rung_probe_fn rung_probe_metal;
rung_probe_fn rung_probe_tpu;
rung_probe_fn rung_probe_opencl;

/* Sets the report's state and detail from its units: USABLE when one is, else the first unit's. Only for reports that
 * have units. */
void rung_report_from_units(rung_device_report *report);

/* A report's state, with figures that are put together from parts up to NULL. */
void rung_report_state(rung_device_report *report, rung_device_state state, const char *const *detail);

/* Copies a text into an array of this size, cut where it ends; bytes that are no printable ASCII become '?'. */
void rung_report_text(char *out, size_t size, const char *text);

#endif
