/* SPDX-License-Identifier: Apache-2.0 */
#include "probes.h"

#include <string.h>

rung_probe_fn *rung_probe_of(const char *device)
{
    if (strcmp(device, "cuda") == 0)
        return rung_probe_nvidia;
    if (strcmp(device, "rocm") == 0)
        return rung_probe_amd;
    if (strcmp(device, "metal") == 0)
        return rung_probe_metal;
    if (strcmp(device, "tpu") == 0)
        return rung_probe_tpu;
    return strcmp(device, "opencl") == 0 ? rung_probe_opencl : NULL;
}
