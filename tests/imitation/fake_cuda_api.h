/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda_api.h: the entry points of libcuda.so.1 that the imitation has: FAKE_API(name for cuGetProcAddress, version
 * that this form came with, exported name, parameters). Names, versions and parameters are those of cuda.h and
 * cudaTypedefs.h of CUDA 13.0; handles are void *.
 */
#ifndef FAKE_CUDA_API_H
#define FAKE_CUDA_API_H

#include <stddef.h>
#include <stdint.h>

#include "fake_nvidia.h"

#define FAKE_APIS                                                                                                      \
    FAKE_API(cuInit, 2000, cuInit, (unsigned flags))                                                                   \
    FAKE_API(cuDriverGetVersion, 2020, cuDriverGetVersion, (int *version))                                             \
    FAKE_API(cuGetErrorName, 6000, cuGetErrorName, (int error, const char **name))                                     \
    FAKE_API(cuGetErrorString, 6000, cuGetErrorString, (int error, const char **text))                                 \
    FAKE_API(cuGetProcAddress, 12000, cuGetProcAddress_v2,                                                             \
             (const char *name, void **function, int version, uint64_t flags, int *status))                            \
    FAKE_API(cuDeviceGetCount, 2000, cuDeviceGetCount, (int *count))                                                   \
    FAKE_API(cuDeviceGet, 2000, cuDeviceGet, (int *device, int ordinal))                                               \
    FAKE_API(cuDeviceGetName, 2000, cuDeviceGetName, (char *name, int size, int device))                               \
    FAKE_API(cuDeviceGetUuid, 11040, cuDeviceGetUuid_v2, (unsigned char *uuid, int device))                            \
    FAKE_API(cuDeviceTotalMem, 3020, cuDeviceTotalMem_v2, (size_t * bytes, int device))                                \
    FAKE_API(cuDeviceGetAttribute, 2000, cuDeviceGetAttribute, (int *value, int attribute, int device))                \
    FAKE_API(cuDeviceGetPCIBusId, 4010, cuDeviceGetPCIBusId, (char *id, int size, int device))                         \
    FAKE_API(cuDevicePrimaryCtxRetain, 7000, cuDevicePrimaryCtxRetain, (void **out, int device))                       \
    FAKE_API(cuDevicePrimaryCtxRelease, 11000, cuDevicePrimaryCtxRelease_v2, (int device))                             \
    FAKE_API(cuDevicePrimaryCtxGetState, 7000, cuDevicePrimaryCtxGetState, (int device, unsigned *flags, int *active)) \
    FAKE_API(cuCtxGetCurrent, 4000, cuCtxGetCurrent, (void **out))                                                     \
    FAKE_API(cuCtxSetCurrent, 4000, cuCtxSetCurrent, (void *to))                                                       \
    FAKE_API(cuCtxPushCurrent, 4000, cuCtxPushCurrent_v2, (void *to))                                                  \
    FAKE_API(cuCtxPopCurrent, 4000, cuCtxPopCurrent_v2, (void **out))                                                  \
    FAKE_API(cuCtxGetDevice, 2000, cuCtxGetDevice, (int *device))                                                      \
    FAKE_API(cuCtxSynchronize, 2000, cuCtxSynchronize, (void))                                                         \
    FAKE_API(cuLibraryLoadData, 12000, cuLibraryLoadData,                                                              \
             (void **out, const void *code, int *jit, void **jit_values, unsigned n_jit, int *options, void **values,  \
              unsigned n))                                                                                             \
    FAKE_API(cuLibraryUnload, 12000, cuLibraryUnload, (void *of))                                                      \
    FAKE_API(cuLibraryGetKernel, 12000, cuLibraryGetKernel, (void **out, void *of, const char *name))                  \
    FAKE_API(cuKernelGetFunction, 12000, cuKernelGetFunction, (void **out, void *of))                                  \
    FAKE_API(cuFuncGetAttribute, 2020, cuFuncGetAttribute, (int *value, int attribute, void *of))                      \
    FAKE_API(cuFuncSetAttribute, 9000, cuFuncSetAttribute, (void *of, int attribute, int value))                       \
    FAKE_API(cuLaunchKernel, 4000, cuLaunchKernel,                                                                     \
             (void *of, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,         \
              unsigned block_z, unsigned shared, void *on, void **parameters, void **extra))                           \
    FAKE_API(cuStreamCreate, 2000, cuStreamCreate, (void **out, unsigned flags))                                       \
    FAKE_API(cuStreamDestroy, 4000, cuStreamDestroy_v2, (void *of))                                                    \
    FAKE_API(cuStreamSynchronize, 2000, cuStreamSynchronize, (void *of))                                               \
    FAKE_API(cuStreamQuery, 2000, cuStreamQuery, (void *of))                                                           \
    FAKE_API(cuStreamWaitEvent, 3020, cuStreamWaitEvent, (void *of, void *on, unsigned flags))                         \
    FAKE_API(cuStreamIsCapturing, 10000, cuStreamIsCapturing, (void *of, int *status))                                 \
    FAKE_API(cuStreamGetCaptureInfo, 11030, cuStreamGetCaptureInfo_v2,                                                 \
             (void *of, int *status, uint64_t *id, void **graph, const void ***nodes, size_t *n_nodes))                \
    FAKE_API(cuStreamBeginCapture, 10010, cuStreamBeginCapture_v2, (void *of, int mode))                               \
    FAKE_API(cuStreamEndCapture, 10000, cuStreamEndCapture, (void *of, void **out))                                    \
    FAKE_API(cuGraphInstantiateWithFlags, 11040, cuGraphInstantiateWithFlags,                                          \
             (void **out, void *of, unsigned long long flags))                                                         \
    FAKE_API(cuGraphLaunch, 10000, cuGraphLaunch, (void *of, void *on))                                                \
    FAKE_API(cuGraphExecDestroy, 10000, cuGraphExecDestroy, (void *of))                                                \
    FAKE_API(cuGraphDestroy, 10000, cuGraphDestroy, (void *of))                                                        \
    FAKE_API(cuEventCreate, 2000, cuEventCreate, (void **out, unsigned flags))                                         \
    FAKE_API(cuEventDestroy, 4000, cuEventDestroy_v2, (void *of))                                                      \
    FAKE_API(cuEventRecord, 2000, cuEventRecord, (void *of, void *in))                                                 \
    FAKE_API(cuEventSynchronize, 2000, cuEventSynchronize, (void *of))                                                 \
    FAKE_API(cuEventQuery, 2000, cuEventQuery, (void *of))                                                             \
    FAKE_API(cuEventElapsedTime, 2000, cuEventElapsedTime, (float *milliseconds, void *from, void *to))                \
    FAKE_API(cuEventElapsedTime, 12080, cuEventElapsedTime_v2, (float *milliseconds, void *from, void *to))            \
    FAKE_API(cuMemAlloc, 3020, cuMemAlloc_v2, (uintptr_t * out, size_t bytes))                                         \
    FAKE_API(cuMemAllocManaged, 6000, cuMemAllocManaged, (uintptr_t * out, size_t bytes, unsigned flags))              \
    FAKE_API(cuMemFree, 3020, cuMemFree_v2, (uintptr_t at))                                                            \
    FAKE_API(cuMemGetInfo, 3020, cuMemGetInfo_v2, (size_t * free, size_t * total))                                     \
    FAKE_API(cuMemHostAlloc, 2020, cuMemHostAlloc, (void **out, size_t bytes, unsigned flags))                         \
    FAKE_API(cuMemFreeHost, 2000, cuMemFreeHost, (void *at))                                                           \
    FAKE_API(cuMemHostRegister, 6050, cuMemHostRegister_v2, (void *at, size_t bytes, unsigned flags))                  \
    FAKE_API(cuMemHostUnregister, 4000, cuMemHostUnregister, (void *at))                                               \
    FAKE_API(cuPointerGetAttribute, 4000, cuPointerGetAttribute, (void *value, int attribute, uintptr_t at))           \
    FAKE_API(cuPointerGetAttributes, 7000, cuPointerGetAttributes,                                                     \
             (unsigned count, int *attributes, void **values, uintptr_t at))                                           \
    FAKE_API(cuMemcpyHtoD, 3020, cuMemcpyHtoD_v2, (uintptr_t to, const void *from, size_t bytes))                      \
    FAKE_API(cuMemcpyDtoH, 3020, cuMemcpyDtoH_v2, (void *to, uintptr_t from, size_t bytes))                            \
    FAKE_API(cuMemcpyDtoD, 3020, cuMemcpyDtoD_v2, (uintptr_t to, uintptr_t from, size_t bytes))                        \
    FAKE_API(cuMemcpyHtoDAsync, 3020, cuMemcpyHtoDAsync_v2, (uintptr_t to, const void *from, size_t bytes, void *on))  \
    FAKE_API(cuMemcpyDtoHAsync, 3020, cuMemcpyDtoHAsync_v2, (void *to, uintptr_t from, size_t bytes, void *on))        \
    FAKE_API(cuMemcpyDtoDAsync, 3020, cuMemcpyDtoDAsync_v2, (uintptr_t to, uintptr_t from, size_t bytes, void *on))    \
    FAKE_API(cuMemsetD8, 3020, cuMemsetD8_v2, (uintptr_t to, unsigned char value, size_t bytes))                       \
    FAKE_API(cuMemsetD8Async, 3020, cuMemsetD8Async, (uintptr_t to, unsigned char value, size_t bytes, void *on))

#define FAKE_API(name, version, symbol, parameters) FAKE_ENTRY int symbol parameters;
FAKE_APIS
#undef FAKE_API

#endif
