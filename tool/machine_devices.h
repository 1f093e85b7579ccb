/* SPDX-License-Identifier: Apache-2.0
 *
 * machine_devices.h: the devices in the words for a machine, beside its processor: times and proofs of their kernels
 * are theirs. "devices" is a member of "machine" where there are any, and files from before it have none.
 */
#ifndef RUNG_TOOL_MACHINE_DEVICES_H
#define RUNG_TOOL_MACHINE_DEVICES_H

#include <jansson.h>
#include <stdbool.h>

#include "rung/devices.h"

/* [{"device": "cuda", "name": "NVIDIA H100 80GB HBM3", "arch": "sm90", "driver": "13.0"}] of those that can be used and
 * are not the processor; alike ones once. `driver` is what the driver supports, or else its own version. A new
 * reference. */
json_t *machine_devices_of(const rung_devices *found);

/* Whether a machine of a file has such a list, or none. */
bool machine_devices_good(const json_t *machine);
/* Copies the list of a machine that has a good one. */
void machine_devices_copy(json_t *to, const json_t *machine);
/* ", NVIDIA H100 80GB HBM3 (cuda/sm90, driver 13.0)" for each; "" where there is none. Free it. */
char *machine_devices_text(const json_t *machine);

/* Whether a kernel of a device ran on the same hardware in both: always for "cpu", else where both tell which devices
 * of that kind they have, and these have the same names and archs, in the same order. drivers: and the same driver. */
bool machine_devices_same(const json_t *a, const json_t *b, const char *device, bool drivers);

#endif
