/* SPDX-License-Identifier: Apache-2.0
 *
 * nvidia_say.h: what both of NVIDIA's libraries tell, in the words of records.
 */
#ifndef RUNG_DETECT_NVIDIA_SAY_H
#define RUNG_DETECT_NVIDIA_SAY_H

#include "rung/devices.h"
#include "text.h"

/* "cuInit returned 802 (CUDA_ERROR_SYSTEM_NOT_READY)"; `name` may be NULL. */
void rung_nvidia_say_code(rung_text *out, const char *call, int code, const char *name);

/* The arch of a compute capability: "sm80"; "" where it is none. */
void rung_nvidia_say_arch(char *out, size_t size, int major, int minor);

/* Sets a unit's state from its compute mode. */
void rung_nvidia_say_mode(rung_device_unit *unit, int mode);

#define RUNG_CUDA_LIBRARY "libcuda.so.1"
#define RUNG_NVML_LIBRARY "libnvidia-ml.so.1"

#endif
