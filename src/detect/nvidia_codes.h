/* SPDX-License-Identifier: Apache-2.0
 *
 * nvidia_codes.h: what the return codes of NVIDIA's libraries say about a device.
 */
#ifndef RUNG_DETECT_NVIDIA_CODES_H
#define RUNG_DETECT_NVIDIA_CODES_H

#include "rung/devices.h"

/* FAILED for a code that says nothing in particular. */
rung_device_state rung_cuda_code_state(int code);
/* NOT_ASKED for a code of NVML that says nothing about the driver. */
rung_device_state rung_nvml_code_state(int code);

/* The name in NVIDIA's headers; NULL where it is not known here. */
const char *rung_cuda_code_name(int code);
const char *rung_nvml_code_name(int code);

#endif
