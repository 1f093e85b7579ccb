/* SPDX-License-Identifier: Apache-2.0
 *
 * amd_hip.h: AMD's GPUs as HIP's library tells of them.
 */
#ifndef RUNG_DETECT_AMD_HIP_H
#define RUNG_DETECT_AMD_HIP_H

#include "probe.h"

/* Opens the library, which initialises nothing, and puts its name into the report. NULL: *state and *detail say why. */
void *rung_hip_open(const rung_world *world, rung_device_report *report, rung_device_state *state, rung_text *detail);

/* Initialises HIP and asks. USABLE: the report has HIP's units, each with its own state. Units that the report had are
 * completed when there are as many, and otherwise replaced. Any other state: *detail says more, the units are as
 * before. use: memory is allocated on every device for a moment, the current device of the thread is as before. */
rung_device_state rung_hip_ask(const rung_world *world, void *library, bool use, rung_device_report *report,
                               rung_text *detail);

#endif
