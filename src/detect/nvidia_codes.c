/* SPDX-License-Identifier: Apache-2.0
 *
 * nvidia_codes.c. Sources: CUresult of CUDA 13.0's cuda.h, with its words on cuInit and cuDevicePrimaryCtxRetain;
 * nvmlReturn_t of nvml.h in NVIDIA/go-nvml.
 */
#include "nvidia_codes.h"

#include <stddef.h>

typedef struct code {
    int code;
    rung_device_state state;
    const char *name;
} code;

static const code cuda_codes[] = {
    {0, RUNG_STATE_USABLE, "CUDA_SUCCESS"},
    {1, RUNG_STATE_FAILED, "CUDA_ERROR_INVALID_VALUE"},
    {2, RUNG_STATE_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
    /* of cuInit, or after it: this process is a fork of one that had initialised the driver */
    {3, RUNG_STATE_FORKED, "CUDA_ERROR_NOT_INITIALIZED"},
    {4, RUNG_STATE_FAILED, "CUDA_ERROR_DEINITIALIZED"},
    {34, RUNG_STATE_STUB, "CUDA_ERROR_STUB_LIBRARY"},
    {46, RUNG_STATE_EXCLUSIVE, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
    {100, RUNG_STATE_NO_DEVICES, "CUDA_ERROR_NO_DEVICE"},
    {101, RUNG_STATE_FAILED, "CUDA_ERROR_INVALID_DEVICE"},
    {102, RUNG_STATE_FAILED, "CUDA_ERROR_DEVICE_NOT_LICENSED"},
    {302, RUNG_STATE_FAILED, "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND"},
    {303, RUNG_STATE_FAILED, "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED"},
    {304, RUNG_STATE_FAILED, "CUDA_ERROR_OPERATING_SYSTEM"},
    {800, RUNG_STATE_NO_PERMISSION, "CUDA_ERROR_NOT_PERMITTED"},
    {801, RUNG_STATE_FAILED, "CUDA_ERROR_NOT_SUPPORTED"},
    {802, RUNG_STATE_NOT_READY, "CUDA_ERROR_SYSTEM_NOT_READY"},
    {803, RUNG_STATE_DRIVER_MISMATCH, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
    {804, RUNG_STATE_COMPAT_REFUSED, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE"},
    {805, RUNG_STATE_FAILED, "CUDA_ERROR_MPS_CONNECTION_FAILED"},
    {999, RUNG_STATE_FAILED, "CUDA_ERROR_UNKNOWN"},
};

static const code nvml_codes[] = {
    {0, RUNG_STATE_USABLE, "NVML_SUCCESS"},
    {1, RUNG_STATE_NOT_ASKED, "NVML_ERROR_UNINITIALIZED"},
    {2, RUNG_STATE_NOT_ASKED, "NVML_ERROR_INVALID_ARGUMENT"},
    {3, RUNG_STATE_NOT_ASKED, "NVML_ERROR_NOT_SUPPORTED"},
    {4, RUNG_STATE_NO_PERMISSION, "NVML_ERROR_NO_PERMISSION"},
    {6, RUNG_STATE_NOT_ASKED, "NVML_ERROR_NOT_FOUND"},
    {8, RUNG_STATE_FAILED, "NVML_ERROR_INSUFFICIENT_POWER"},
    {9, RUNG_STATE_NO_DRIVER, "NVML_ERROR_DRIVER_NOT_LOADED"},
    {10, RUNG_STATE_NOT_ASKED, "NVML_ERROR_TIMEOUT"},
    {11, RUNG_STATE_FAILED, "NVML_ERROR_IRQ_ISSUE"},
    {12, RUNG_STATE_NOT_ASKED, "NVML_ERROR_LIBRARY_NOT_FOUND"},
    {13, RUNG_STATE_NOT_ASKED, "NVML_ERROR_FUNCTION_NOT_FOUND"},
    {15, RUNG_STATE_FAILED, "NVML_ERROR_GPU_IS_LOST"},
    {16, RUNG_STATE_FAILED, "NVML_ERROR_RESET_REQUIRED"},
    {17, RUNG_STATE_NOT_ASKED, "NVML_ERROR_OPERATING_SYSTEM"},
    {18, RUNG_STATE_DRIVER_MISMATCH, "NVML_ERROR_LIB_RM_VERSION_MISMATCH"},
    {20, RUNG_STATE_NOT_ASKED, "NVML_ERROR_MEMORY"},
    {999, RUNG_STATE_NOT_ASKED, "NVML_ERROR_UNKNOWN"},
};

static const code *find(const code *codes, size_t count, int value)
{
    for (size_t i = 0; i < count; i++)
        if (codes[i].code == value)
            return &codes[i];
    return NULL;
}

static const code *find_cuda(int value)
{
    return find(cuda_codes, sizeof cuda_codes / sizeof *cuda_codes, value);
}

static const code *find_nvml(int value)
{
    return find(nvml_codes, sizeof nvml_codes / sizeof *nvml_codes, value);
}

rung_device_state rung_cuda_code_state(int code)
{
    return find_cuda(code) == NULL ? RUNG_STATE_FAILED : find_cuda(code)->state;
}

rung_device_state rung_nvml_code_state(int code)
{
    return find_nvml(code) == NULL ? RUNG_STATE_NOT_ASKED : find_nvml(code)->state;
}

const char *rung_cuda_code_name(int code)
{
    return find_cuda(code) == NULL ? NULL : find_cuda(code)->name;
}

const char *rung_nvml_code_name(int code)
{
    return find_nvml(code) == NULL ? NULL : find_nvml(code)->name;
}
