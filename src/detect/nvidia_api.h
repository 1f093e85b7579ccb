/* SPDX-License-Identifier: Apache-2.0
 *
 * nvidia_api.h: the entry points of NVIDIA's libraries that detection calls, with the prototypes of the symbols that
 * are looked up. NVIDIA's headers rename several of them by macros: the unsuffixed symbols are older and differ.
 */
#ifndef RUNG_DETECT_NVIDIA_API_H
#define RUNG_DETECT_NVIDIA_API_H

#include <stdbool.h>
#include <stddef.h>

/* ---- libcuda.so.1 ------------------------------------------------------------------------------------------------ */

typedef struct rung_cuda_uuid {
    unsigned char byte[16];
} rung_cuda_uuid;

enum { /* attributes of devices */
       RUNG_CUDA_COMPUTE_MODE = 20,
       RUNG_CUDA_CAPABILITY_MAJOR = 75,
       RUNG_CUDA_CAPABILITY_MINOR = 76
};

enum { /* compute modes, of NVML as well */
       RUNG_NVIDIA_MODE_DEFAULT = 0,
       RUNG_NVIDIA_MODE_PROHIBITED = 2,
       RUNG_NVIDIA_MODE_EXCLUSIVE_PROCESS = 3
};

typedef struct rung_cuda_api {
    int (*init)(unsigned flags);
    int (*driver_version)(int *version);
    int (*device_count)(int *count);
    int (*device_get)(int *device, int ordinal);
    int (*device_name)(char *name, int size, int device);
    int (*device_uuid)(rung_cuda_uuid *uuid, int device); /* NULL before CUDA 9.2 */
    int (*device_memory)(size_t *bytes, int device);
    int (*device_attribute)(int *value, int attribute, int device);
    int (*device_bus)(char *id, int size, int device);
    int (*context_retain)(void **context, int device);
    int (*context_release)(int device);
    int (*error_name)(int error, const char **name);
} rung_cuda_api;

/* ---- libnvidia-ml.so.1 ------------------------------------------------------------------------------------------- */

typedef struct rung_nvml_pci {
    char bus_id_legacy[16];
    unsigned domain, bus, device, device_id, subsystem_id;
    char bus_id[32];
} rung_nvml_pci;

typedef struct rung_nvml_memory {
    unsigned long long total, free, used;
} rung_nvml_memory;

typedef struct rung_nvml_handle *rung_nvml_device;

enum { RUNG_NVML_INIT_NO_GPUS = 1 /* no GPU is no failure */ };

typedef struct rung_nvml_api {
    int (*init)(void);
    int (*init_with_flags)(unsigned flags); /* NULL before R390 */
    int (*shutdown)(void);
    int (*driver_version)(char *version, unsigned size);
    int (*cuda_version)(int *version); /* NULL before R410 */
    int (*device_count)(unsigned *count);
    int (*device_handle)(unsigned index, rung_nvml_device *device);
    int (*device_name)(rung_nvml_device device, char *name, unsigned size);
    int (*device_uuid)(rung_nvml_device device, char *uuid, unsigned size);
    int (*device_pci)(rung_nvml_device device, rung_nvml_pci *pci);
    int (*device_memory)(rung_nvml_device device, rung_nvml_memory *memory);
    int (*device_mode)(rung_nvml_device device, int *mode);
    int (*device_capability)(rung_nvml_device device, int *major, int *minor);
    /* NULL before R450 */
    int (*mig_mode)(rung_nvml_device device, unsigned *current, unsigned *pending);
    int (*mig_count)(rung_nvml_device device, unsigned *count);
    int (*mig_handle)(rung_nvml_device device, unsigned index, rung_nvml_device *instance);
    int (*mig_gi)(rung_nvml_device instance, unsigned *id);
    int (*mig_ci)(rung_nvml_device instance, unsigned *id);
} rung_nvml_api;

/* ---- looking up -------------------------------------------------------------------------------------------------- */

/* Fill the tables. The name of what is missing and cannot be done without; NULL when there is nothing of the kind. */
const char *rung_cuda_api_load(void *library, rung_cuda_api *out);
const char *rung_nvml_api_load(void *library, rung_nvml_api *out);

#endif
