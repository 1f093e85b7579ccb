/* SPDX-License-Identifier: Apache-2.0
 *
 * nvidia_driver.h: what the CUDA driver tells.
 */
#ifndef RUNG_DETECT_NVIDIA_DRIVER_H
#define RUNG_DETECT_NVIDIA_DRIVER_H

#include "nvidia_api.h"
#include "world.h"

/* Opens libcuda.so.1, on WSL also from where that puts it. NULL: as rung_world_library has it. */
void *rung_cuda_library(const rung_world *world, bool wsl, rung_device_state *state, rung_text *detail);

/* Opens the library and asks for its version; initialises nothing. USABLE, or the report has state and detail. Fills
 * the report's library and driver_version. */
rung_device_state rung_cuda_open(const rung_world *world, bool wsl, rung_cuda_api *api, rung_device_report *out);

/* Initialises the driver and fills the units that it enumerates; tries a context on each when `contexts`. Returns what
 * cuInit, or else cuDeviceGetCount, gave; 100 for no device. `detail` gets it in words. */
int rung_cuda_ask(const rung_world *world, const rung_cuda_api *api, bool contexts, rung_device_report *out,
                  rung_text *detail);

#endif
