/* SPDX-License-Identifier: Apache-2.0
 *
 * machine.h: this machine in a few words, for results that are read on others.
 */
#ifndef RUNG_TOOL_MACHINE_H
#define RUNG_TOOL_MACHINE_H

#include <jansson.h>

/* {"processor": "AMD EPYC 7B13", "level": "x86-64-v3", "system": "Linux 6.1.0 x86_64"}, and "devices" where there are
 * any (machine_devices.h). Drivers are asked in another process, as one that was initialised here would be lost to the
 * children that proofs are run in. */
json_t *machine_json(void);

#endif
