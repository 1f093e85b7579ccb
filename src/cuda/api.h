/* SPDX-License-Identifier: Apache-2.0
 *
 * api.h: the entry points of libcuda.so.1 that kernels are launched through, at the one version of each that the
 * prototypes here are those of. Handles are pointers, addresses of device memory are uintptr_t: what CUdeviceptr is
 * since CUDA 3.2.
 */
#ifndef RUNG_CUDA_API_H
#define RUNG_CUDA_API_H

#include <stddef.h>
#include <stdint.h>

enum { /* attributes of addresses */
       RUNG_CUDA_MEMORY_TYPE = 2,
       RUNG_CUDA_IS_MANAGED = 8,
       RUNG_CUDA_ORDINAL = 9
};

enum { /* types of memory; an address that the driver does not know has type 0 */
       RUNG_CUDA_MEMORY_DEVICE = 2
};

enum { /* flags */
       RUNG_CUDA_STREAM_NON_BLOCKING = 1,
       RUNG_CUDA_EVENT_DISABLE_TIMING = 2
};

enum { /* attributes of devices, beside those of detect/nvidia_api.h */
       RUNG_CUDA_PAGEABLE_MEMORY_ACCESS = 88
};

typedef struct rung_cuda_entries {
    int (*init)(unsigned flags);
    int (*error_name)(int error, const char **name);

    int (*device_get)(int *device, int ordinal);
    int (*device_attribute)(int *value, int attribute, int device);
    int (*context_retain)(void **context, int device);
    int (*context_release)(int device);
    int (*context_push)(void *context);
    int (*context_pop)(void **context);
    int (*context_wait)(void);

    int (*library_load)(void **library, const void *code, int *jit_options, void **jit_values, unsigned n_jit,
                        int *options, void **values, unsigned n_options);
    int (*library_unload)(void *library);
    int (*library_kernel)(void **kernel, void *library, const char *name);
    int (*kernel_function)(void **function, void *kernel);
    int (*launch)(void *function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z, unsigned threads_x,
                  unsigned threads_y, unsigned threads_z, unsigned shared, void *stream, void **arguments,
                  void **extra);

    int (*stream_create)(void **stream, unsigned flags);
    int (*stream_destroy)(void *stream);
    int (*stream_wait)(void *stream);
    int (*stream_capturing)(void *stream, int *status);
    int (*stream_after)(void *stream, void *event, unsigned flags);
    int (*event_create)(void **event, unsigned flags);
    int (*event_destroy)(void *event);
    int (*event_record)(void *event, void *stream);
    int (*event_wait)(void *event);
    int (*event_elapsed)(float *milliseconds, void *from, void *to);

    int (*memory_alloc)(uintptr_t *memory, size_t bytes);
    int (*memory_free)(uintptr_t memory);
    int (*pinned_alloc)(void **memory, size_t bytes, unsigned flags);
    int (*pinned_free)(void *memory);
    int (*copy_in)(uintptr_t device, const void *host, size_t bytes, void *stream);
    int (*copy_out)(void *host, uintptr_t device, size_t bytes, void *stream);
    int (*pointer_attributes)(unsigned count, const int *attributes, void **values, uintptr_t address);
} rung_cuda_entries;

/* cuDriverGetVersion, which may be called before cuInit; -1 where the library has none. */
int rung_cuda_driver_version(void *library, int *version);

/* Fills the table, of a driver that is new enough. The name of what is missing; NULL when everything is there. */
const char *rung_cuda_entries_load(void *library, rung_cuda_entries *out);

#endif
