/* SPDX-License-Identifier: Apache-2.0
 *
 * devices.h: rung_devices_detect in any world.
 */
#ifndef RUNG_DETECT_DEVICES_H
#define RUNG_DETECT_DEVICES_H

#include "probe.h"

/* cpu: what was found of the processor; its level names the arch. */
rung_status rung_devices_detect_in(const rung_world *world, const rung_cpu *cpu, const rung_registry *registry,
                                   unsigned flags, rung_devices **out, rung_error *err);

/* Adds what depends on the kernels of a build: units that are usable and have none become ARCH_TOO_NEW, ARCH_TOO_OLD,
 * DRIVER_TOO_OLD or NO_KERNELS. */
void rung_report_judge(const rung_registry *registry, rung_device_report *report);

#endif
