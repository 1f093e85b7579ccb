/* SPDX-License-Identifier: Apache-2.0
 *
 * api.c: the names and versions of the entry points. Source: cudaTypedefs.h of CUDA 13.0, whose types
 * PFN_<name>_v<version> tell the version with which each prototype came.
 *
 * cuGetProcAddress gives the newest form that is not newer than the version asked for. Asking for exactly the version
 * of the prototype therefore never gives another one, whatever the driver.
 */
#include "cuda/api.h"

#include <string.h>

#include "detect/world.h"

typedef struct entry {
    const char *name; /* without the suffix that a symbol may have: cuMemAlloc, not cuMemAlloc_v2 */
    int version;
    size_t at;
} entry;

#define AT(member) offsetof(rung_cuda_entries, member)

static const entry entries[] = {
    {"cuInit", 2000, AT(init)},
    {"cuGetErrorName", 6000, AT(error_name)},
    {"cuDeviceGet", 2000, AT(device_get)},
    {"cuDeviceGetAttribute", 2000, AT(device_attribute)},
    {"cuDevicePrimaryCtxRetain", 7000, AT(context_retain)},
    {"cuDevicePrimaryCtxRelease", 11000, AT(context_release)},
    {"cuCtxPushCurrent", 4000, AT(context_push)},
    {"cuCtxPopCurrent", 4000, AT(context_pop)},
    {"cuCtxSynchronize", 2000, AT(context_wait)},
    {"cuLibraryLoadData", 12000, AT(library_load)},
    {"cuLibraryUnload", 12000, AT(library_unload)},
    {"cuLibraryGetKernel", 12000, AT(library_kernel)},
    {"cuKernelGetFunction", 12000, AT(kernel_function)},
    {"cuLaunchKernel", 4000, AT(launch)},
    {"cuStreamCreate", 2000, AT(stream_create)},
    {"cuStreamDestroy", 4000, AT(stream_destroy)},
    {"cuStreamSynchronize", 2000, AT(stream_wait)},
    {"cuStreamIsCapturing", 10000, AT(stream_capturing)},
    {"cuStreamWaitEvent", 3020, AT(stream_after)},
    {"cuEventCreate", 2000, AT(event_create)},
    {"cuEventDestroy", 4000, AT(event_destroy)},
    {"cuEventRecord", 2000, AT(event_record)},
    {"cuEventSynchronize", 2000, AT(event_wait)},
    {"cuEventElapsedTime", 2000, AT(event_elapsed)},
    {"cuMemAlloc", 3020, AT(memory_alloc)},
    {"cuMemFree", 3020, AT(memory_free)},
    {"cuMemHostAlloc", 2020, AT(pinned_alloc)},
    {"cuMemFreeHost", 2000, AT(pinned_free)},
    {"cuMemcpyHtoDAsync", 3020, AT(copy_in)},
    {"cuMemcpyDtoHAsync", 3020, AT(copy_out)},
    {"cuPointerGetAttributes", 7000, AT(pointer_attributes)},
};

/* Streams of a NULL handle are the legacy default one, whatever the program is compiled for. */
enum { LEGACY_STREAM = 1 };

typedef int version_fn(int *version);
typedef int lookup_fn(const char *name, void **function, int version, uint64_t flags, int *status);

int rung_cuda_driver_version(void *library, int *version)
{
    version_fn *ask = (version_fn *)rung_world_function(library, "cuDriverGetVersion");
    *version = 0;
    return ask == NULL ? -1 : ask(version);
}

const char *rung_cuda_entries_load(void *library, rung_cuda_entries *out)
{
    lookup_fn *lookup = (lookup_fn *)rung_world_function(library, "cuGetProcAddress_v2");
    if (lookup == NULL)
        return "cuGetProcAddress_v2";
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        void *found = NULL; /* all pointers to functions have the representation of this one: POSIX, dlsym */
        int status = 0;
        if (lookup(entries[i].name, &found, entries[i].version, LEGACY_STREAM, &status) != 0 || found == NULL)
            return entries[i].name;
        memcpy((char *)out + entries[i].at, &found, sizeof found);
    }
    return NULL;
}
