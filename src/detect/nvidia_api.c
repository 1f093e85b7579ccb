/* SPDX-License-Identifier: Apache-2.0
 *
 * nvidia_api.c: the names of the symbols. Sources: the macros and prototypes of CUDA 13.0's cuda.h, and of nvml.h in
 * NVIDIA/go-nvml.
 */
#include "nvidia_api.h"

#include <string.h>

#include "world.h"

typedef struct symbol {
    const char *name, *older; /* NULL: no older symbol has the same prototype */
    size_t at;
    bool needed;
} symbol;

#define CUDA(member) offsetof(rung_cuda_api, member)
#define NVML(member) offsetof(rung_nvml_api, member)

static const symbol cuda_symbols[] = {
    {"cuInit", NULL, CUDA(init), true},
    {"cuDriverGetVersion", NULL, CUDA(driver_version), true},
    {"cuDeviceGetCount", NULL, CUDA(device_count), true},
    {"cuDeviceGet", NULL, CUDA(device_get), true},
    {"cuDeviceGetName", NULL, CUDA(device_name), true},
    {"cuDeviceGetUuid_v2", "cuDeviceGetUuid", CUDA(device_uuid), false},
    {"cuDeviceTotalMem_v2", NULL, CUDA(device_memory), true},
    {"cuDeviceGetAttribute", NULL, CUDA(device_attribute), true},
    {"cuDeviceGetPCIBusId", NULL, CUDA(device_bus), false},
    {"cuDevicePrimaryCtxRetain", NULL, CUDA(context_retain), true},
    {"cuDevicePrimaryCtxRelease_v2", "cuDevicePrimaryCtxRelease", CUDA(context_release), true},
    {"cuGetErrorName", NULL, CUDA(error_name), false},
};

static const symbol nvml_symbols[] = {
    {"nvmlInit_v2", NULL, NVML(init), true},
    {"nvmlInitWithFlags", NULL, NVML(init_with_flags), false},
    {"nvmlShutdown", NULL, NVML(shutdown), true},
    {"nvmlSystemGetDriverVersion", NULL, NVML(driver_version), true},
    {"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion", NVML(cuda_version), false},
    {"nvmlDeviceGetCount_v2", NULL, NVML(device_count), true},
    {"nvmlDeviceGetHandleByIndex_v2", NULL, NVML(device_handle), true},
    {"nvmlDeviceGetName", NULL, NVML(device_name), true},
    {"nvmlDeviceGetUUID", NULL, NVML(device_uuid), true},
    {"nvmlDeviceGetPciInfo_v3", NULL, NVML(device_pci), false},
    {"nvmlDeviceGetMemoryInfo", NULL, NVML(device_memory), true},
    {"nvmlDeviceGetComputeMode", NULL, NVML(device_mode), true},
    {"nvmlDeviceGetCudaComputeCapability", NULL, NVML(device_capability), false},
    {"nvmlDeviceGetMigMode", NULL, NVML(mig_mode), false},
    {"nvmlDeviceGetMaxMigDeviceCount", NULL, NVML(mig_count), false},
    {"nvmlDeviceGetMigDeviceHandleByIndex", NULL, NVML(mig_handle), false},
    {"nvmlDeviceGetGpuInstanceId", NULL, NVML(mig_gi), false},
    {"nvmlDeviceGetComputeInstanceId", NULL, NVML(mig_ci), false},
};

/* All pointers to functions have one representation: POSIX, dlsym. */
static const char *load(void *library, const symbol *symbols, size_t count, void *out)
{
    const char *missing = NULL;
    for (size_t i = 0; i < count; i++) {
        rung_any_fn *found = rung_world_function(library, symbols[i].name);
        if (found == NULL && symbols[i].older != NULL)
            found = rung_world_function(library, symbols[i].older);
        memcpy((char *)out + symbols[i].at, &found, sizeof found);
        if (found == NULL && symbols[i].needed && missing == NULL)
            missing = symbols[i].name;
    }
    return missing;
}

const char *rung_cuda_api_load(void *library, rung_cuda_api *out)
{
    return load(library, cuda_symbols, sizeof cuda_symbols / sizeof *cuda_symbols, out);
}

const char *rung_nvml_api_load(void *library, rung_nvml_api *out)
{
    return load(library, nvml_symbols, sizeof nvml_symbols / sizeof *nvml_symbols, out);
}
