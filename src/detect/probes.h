/* SPDX-License-Identifier: Apache-2.0
 *
 * probes.h: all probes, for those who look for all devices; a platform asks those of its own registry.
 */
#ifndef RUNG_DETECT_PROBES_H
#define RUNG_DETECT_PROBES_H

#include "probe.h"

enum { RUNG_PROBES = 5 };

/* The devices, in the order in which they are told. */
extern const char *const rung_probe_names[RUNG_PROBES];

/* The probe of a device, NULL for one that has none. */
rung_probe_fn *rung_probe_of(const char *device);

#endif
