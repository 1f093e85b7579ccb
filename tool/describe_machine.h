/* SPDX-License-Identifier: Apache-2.0
 *
 * describe_machine.h: devices, the host, a Python and a choice of backend, as JSON and in words.
 */
#ifndef RUNG_TOOL_DESCRIBE_MACHINE_H
#define RUNG_TOOL_DESCRIBE_MACHINE_H

#include <jansson.h>

#include "rung/devices.h"
#include "rung/frameworks.h"
#include "rung/select.h"

json_t *describe_cpu_json(const rung_cpu *cpu);
json_t *describe_host_json(const rung_host *host);
/* A list of records, one for every kind of device. */
json_t *describe_devices_json(const rung_devices *devices);
json_t *describe_python_json(const rung_python *python);
json_t *describe_choice_json(const rung_choice *choice);

/* "24.0 GiB", "512 MiB". Free it. */
char *describe_bytes(uint64_t bytes);
/* "usable: 2 x sm80 NVIDIA A100-SXM4-40GB, 40.0 GiB; driver 535.104.05" or "the driver's library is missing
 * (libcuda.so.1 is not there)". Free it. */
char *describe_device(const rung_device_report *report);
/* "2.11.0 for CUDA 13.0, editable" or "not installed". Free it. */
char *describe_framework(const rung_framework *framework);

#endif
