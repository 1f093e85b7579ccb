/* SPDX-License-Identifier: Apache-2.0
 *
 * open.c: the device, and its context. Kernels run in the primary context, which the program's other users of CUDA have
 * as well, so that their memory and their streams can be used in calls.
 */
#include <stdlib.h>

#include "cuda/state.h"
#include "detect/nvidia_codes.h"
#include "detect/nvidia_driver.h"
#include "detect/nvidia_files.h"
#include "detect/nvidia_say.h"
#include "gpu/native.h"
#include "rung/devices.h"

static void add(rung_text *t, const char *const *parts)
{
    if (t != NULL)
        rung_text_join(t, parts);
}

/* What opening comes to: the state of a device that cannot be used, and why. */
typedef struct outcome {
    rung_device_state state;
    rung_text *detail; /* NULL: nobody wants to know */
} outcome;

/* false, for the caller to give back. */
static bool fails(outcome *o, const rung_cuda_entries *api, const char *call, int code)
{
    rung_cuda_say(api, call, code, o->detail);
    o->state = rung_cuda_code_state(code);
    return false;
}

/* ---- the library ------------------------------------------------------------------------------------------------- */

static bool too_old(outcome *o, uint32_t version)
{
    o->state = RUNG_STATE_DRIVER_TOO_OLD;
    if (o->detail == NULL)
        return false;
    rung_text_add(o->detail, "the driver is for CUDA ");
    rung_text_version(o->detail, version);
    rung_text_add(o->detail, ", and kernels are loaded with ");
    rung_text_version(o->detail, RUNG_IMAGE_OLDEST_DRIVER);
    rung_text_add(o->detail, " or newer");
    return false;
}

static bool open_library(outcome *o, const rung_world *world, rung_cuda_entries *api)
{
    const char *path;
    rung_text nowhere = {0};
    bool wsl = rung_nvidia_look(world, &path) == RUNG_NVIDIA_WSL;
    void *library = rung_cuda_library(world, wsl, &o->state, o->detail == NULL ? &nowhere : o->detail);
    if (library == NULL)
        return false;
    int version = 0;
    int code = rung_cuda_driver_version(library, &version);
    if (code > 0)
        return fails(o, api, "cuDriverGetVersion", code);
    const uint32_t given = RUNG_DRIVER_VERSION(version / 1000, version % 1000 / 10);
    if (code == 0 && given < RUNG_IMAGE_OLDEST_DRIVER)
        return too_old(o, given);
    const char *missing = code < 0 ? "cuDriverGetVersion" : rung_cuda_entries_load(library, api);
    if (missing == NULL)
        return true;
    add(o->detail, (const char *const[]){RUNG_CUDA_LIBRARY " has no ", missing, NULL});
    o->state = RUNG_STATE_LIBRARY_INVALID;
    return false;
}

/* ---- the device -------------------------------------------------------------------------------------------------- */

static int ask(const rung_gpu *gpu, int attribute, int *value)
{
    *value = 0;
    return gpu->api.device_attribute(value, attribute, gpu->device);
}

static bool find_device(outcome *o, rung_gpu *gpu, uint32_t index)
{
    int code = gpu->api.init(0);
    if (code != 0)
        return fails(o, &gpu->api, "cuInit", code);
    gpu->ordinal = (int)index;
    code = gpu->api.device_get(&gpu->device, gpu->ordinal);
    if (code != 0)
        return fails(o, &gpu->api, "cuDeviceGet", code);
    int major;
    int minor;
    int pageable;
    code = ask(gpu, RUNG_CUDA_CAPABILITY_MAJOR, &major);
    if (code == 0)
        code = ask(gpu, RUNG_CUDA_CAPABILITY_MINOR, &minor);
    if (code != 0)
        return fails(o, &gpu->api, "cuDeviceGetAttribute", code);
    gpu->capability = (uint32_t)major * 10 + (uint32_t)minor;
    gpu->pageable = ask(gpu, RUNG_CUDA_PAGEABLE_MEMORY_ACCESS, &pageable) == 0 && pageable != 0;
    return true;
}

static bool retain(outcome *o, rung_gpu *gpu)
{
    int mode;
    int code = gpu->api.context_retain(&gpu->context, gpu->device);
    if (code == 0)
        return true;
    (void)fails(o, &gpu->api, "cuDevicePrimaryCtxRetain", code);
    /* the code tells nothing then, says cuda.h */
    if (ask(gpu, RUNG_CUDA_COMPUTE_MODE, &mode) == 0 && mode == RUNG_NVIDIA_MODE_PROHIBITED)
        o->state = RUNG_STATE_PROHIBITED;
    return false;
}

/* ---- the driver's view ------------------------------------------------------------------------------------------- */

static rung_gpu *make(const rung_registry *registry)
{
    rung_gpu *gpu = calloc(1, sizeof *gpu);
    if (gpu == NULL)
        return NULL;
    gpu->registry = registry;
    gpu->libraries = calloc((size_t)registry->n_images + 1, sizeof *gpu->libraries);
    gpu->functions = calloc((size_t)registry->n_entries + 1, sizeof *gpu->functions);
    if (gpu->libraries != NULL && gpu->functions != NULL)
        return gpu;
    free(gpu->libraries);
    free(gpu->functions);
    free(gpu);
    return NULL;
}

static void unmake(rung_gpu *gpu)
{
    free(gpu->libraries);
    free(gpu->functions);
    free(gpu);
}

rung_reason rung_cuda_open_device(const rung_world *world, uint32_t index, const rung_registry *registry,
                                  rung_gpu **out, rung_text *detail)
{
    int saved = errno;
    rung_gpu *gpu = make(registry);
    *out = NULL;
    if (gpu == NULL) {
        add(detail, (const char *const[]){"out of memory", NULL});
        errno = saved;
        return RUNG_REASON_LOAD_FAILED;
    }
    outcome o = {RUNG_STATE_USABLE, detail};
    if (open_library(&o, world, &gpu->api) && find_device(&o, gpu, index) && retain(&o, gpu))
        *out = gpu;
    else
        unmake(gpu);
    errno = saved;
    return rung_device_state_reason(o.state);
}

void rung_cuda_close_device(rung_gpu *gpu, bool forked)
{
    int saved = errno;
    if (!forked) {
        bool current = gpu->api.context_push(gpu->context) == 0;
        if (current) { /* else the end of the context has to do for what is in it */
            (void)gpu->api.context_wait();
            rung_cuda_staging_end(gpu);
        }
        rung_cuda_unload_all(gpu);
        if (current) {
            void *popped = NULL;
            (void)gpu->api.context_pop(&popped);
        }
        (void)gpu->api.context_release(gpu->device);
    }
    unmake(gpu);
    errno = saved;
}

/* A lost device as well: what there is on it has to be given back. */
rung_status rung_cuda_enter(rung_gpu *gpu, rung_text *detail)
{
    int saved = errno;
    return rung_cuda_done(gpu, saved, "cuCtxPushCurrent", gpu->api.context_push(gpu->context), detail);
}

void rung_cuda_leave(rung_gpu *gpu)
{
    int saved = errno;
    void *popped = NULL;
    (void)rung_cuda_note(gpu, "cuCtxPopCurrent", gpu->api.context_pop(&popped));
    errno = saved;
}
