/* SPDX-License-Identifier: Apache-2.0
 *
 * nvidia_nvml.c. Source: nvml.h in NVIDIA/go-nvml, and its words on nvmlInit_v2, nvmlDeviceGetCount_v2 (counts GPUs
 * that this process may not use) and MIG.
 */
#include "nvidia_nvml.h"

#include <string.h>

#include "nvidia_codes.h"
#include "nvidia_say.h"
#include "pci.h"
#include "steps.h"

static void fails(rung_nvml *nvml, rung_device_state state, const char *call, int code)
{
    rung_text t = rung_text_in(nvml->detail, sizeof nvml->detail);
    nvml->state = state;
    rung_nvidia_say_code(&t, call, code, rung_nvml_code_name(code));
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

/* NULL where there is no room. */
static rung_cuda_device *add(rung_nvml *nvml, rung_nvml_device handle)
{
    if (nvml->count == RUNG_CUDA_DEVICES_MAX)
        return NULL;
    rung_nvml_entry *entry = &nvml->entry[nvml->count];
    rung_cuda_device *device = &nvml->device[nvml->count++];
    char uuid[96] = "";
    *entry = (rung_nvml_entry){.handle = handle};
    *device = (rung_cuda_device){.uuid = entry->uuid};
    if (handle != NULL && nvml->api.device_uuid(handle, uuid, sizeof uuid) == 0) {
        uuid[sizeof uuid - 1] = '\0';
        rung_report_text(entry->uuid, sizeof entry->uuid, uuid);
    }
    return device;
}

static void add_instances(rung_nvml *nvml, uint32_t gpu)
{
    enum { MOST = 64 };
    const rung_nvml_api *api = &nvml->api;
    const rung_nvml_entry *parent = &nvml->entry[gpu];
    unsigned current = 0;
    unsigned pending = 0;
    unsigned count = 0;
    if (api->mig_mode == NULL || api->mig_count == NULL || api->mig_handle == NULL ||
        api->mig_mode(parent->handle, &current, &pending) != 0 || current != 1)
        return;
    nvml->device[gpu].mig = true;
    if (api->mig_count(parent->handle, &count) != 0)
        return;
    for (unsigned i = 0; i < count && i < MOST; i++) {
        rung_nvml_device handle = NULL;
        if (api->mig_handle(parent->handle, i, &handle) != 0) /* there is none of this number */
            continue;
        rung_cuda_device *instance = add(nvml, handle);
        if (instance == NULL)
            return;
        unsigned gi = i; /* where the ids are not told, every instance is one of its own */
        unsigned ci = 0;
        if (api->mig_gi == NULL || api->mig_gi(handle, &gi) != 0)
            gi = i;
        if (api->mig_ci == NULL || api->mig_ci(handle, &ci) != 0)
            ci = 0;
        instance->instance = true;
        instance->gpu = gpu;
        instance->gi = gi;
        instance->ci = ci;
        nvml->entry[nvml->count - 1].major = parent->major;
        nvml->entry[nvml->count - 1].minor = parent->minor;
    }
}

static void add_gpu(rung_nvml *nvml, unsigned index)
{
    rung_nvml_device handle = NULL;
    int code = nvml->api.device_handle(index, &handle);
    if (rung_nvml_code_state(code) == RUNG_STATE_NO_PERMISSION) {
        nvml->denied++;
        return;
    }
    if (add(nvml, code == 0 ? handle : NULL) == NULL)
        return;
    nvml->gpus++;
    uint32_t gpu = nvml->count - 1;
    rung_nvml_entry *entry = &nvml->entry[gpu];
    entry->code = code;
    if (code == 0 && nvml->api.device_capability != NULL &&
        nvml->api.device_capability(handle, &entry->major, &entry->minor) != 0)
        entry->major = entry->minor = 0;
    const rung_nvml_entry *first = &nvml->entry[0];
    nvml->same = nvml->same && entry->major != 0 && entry->major == first->major && entry->minor == first->minor;
    if (code == 0)
        add_instances(nvml, gpu);
}

static void list(rung_nvml *nvml)
{
    const rung_nvml_api *api = &nvml->api;
    if (api->driver_version(nvml->driver, sizeof nvml->driver) != 0)
        nvml->driver[0] = '\0';
    nvml->driver[sizeof nvml->driver - 1] = '\0';
    if (api->cuda_version == NULL || api->cuda_version(&nvml->cuda_version) != 0)
        nvml->cuda_version = 0;
    unsigned count = 0;
    int code = api->device_count(&count);
    if (code != 0) {
        fails(nvml, rung_nvml_code_state(code), "nvmlDeviceGetCount", code);
        return;
    }
    nvml->same = true;
    for (unsigned i = 0; i < count && nvml->count < RUNG_CUDA_DEVICES_MAX; i++)
        add_gpu(nvml, i);
    nvml->state = RUNG_STATE_USABLE;
    if (nvml->gpus == 0 && nvml->denied > 0)
        fails(nvml, RUNG_STATE_NO_PERMISSION, "nvmlDeviceGetHandleByIndex", 4);
}

/* ---- the library ------------------------------------------------------------------------------------------------- */

void rung_nvml_begin(const rung_world *world, rung_nvml *nvml)
{
    *nvml = (rung_nvml){.state = RUNG_STATE_NOT_ASKED};
    rung_text detail = rung_text_in(nvml->detail, sizeof nvml->detail);
    rung_device_state opened;
    void *library = rung_step_library(world, "cuda", RUNG_NVML_LIBRARY, &opened, &detail);
    if (library == NULL)
        return;
    const char *missing = rung_nvml_api_load(library, &nvml->api);
    if (missing != NULL) {
        nvml->api.shutdown = NULL;
        rung_text_join(&detail, (const char *const[]){RUNG_NVML_LIBRARY " has no ", missing, NULL});
        return;
    }
    uint64_t start = rung_probe_start(world);
    bool flags = nvml->api.init_with_flags != NULL;
    int code = flags ? nvml->api.init_with_flags(RUNG_NVML_INIT_NO_GPUS) : nvml->api.init();
    if (code == 0) {
        list(nvml);
    } else {
        nvml->api.shutdown = NULL;
        fails(nvml, rung_nvml_code_state(code), "nvmlInit", code);
    }
    rung_probe_told(world, start, "cuda", "ask " RUNG_NVML_LIBRARY,
                    nvml->state == RUNG_STATE_USABLE ? nvml->driver : nvml->detail);
}

void rung_nvml_end(rung_nvml *nvml)
{
    if (nvml->api.shutdown != NULL)
        (void)nvml->api.shutdown();
    nvml->api.shutdown = NULL;
}

/* ---- units ------------------------------------------------------------------------------------------------------- */

static void bus_of(const rung_nvml *nvml, rung_nvml_device handle, rung_device_unit *out)
{
    rung_nvml_pci pci = {0};
    if (nvml->api.device_pci == NULL || nvml->api.device_pci(handle, &pci) != 0)
        return;
    rung_pci_address(pci.domain, pci.bus, pci.device, 0, out->bus, sizeof out->bus);
}

void rung_nvml_unit(const rung_nvml *nvml, uint32_t i, rung_device_unit *out)
{
    const rung_nvml_api *api = &nvml->api;
    const rung_nvml_entry *entry = &nvml->entry[i];
    /* what instances do not have, their GPU has */
    const rung_nvml_entry *gpu = nvml->device[i].instance ? &nvml->entry[nvml->device[i].gpu] : entry;
    *out = (rung_device_unit){.state = RUNG_STATE_USABLE};
    rung_nvidia_say_arch(out->arch, sizeof out->arch, entry->major, entry->minor);
    rung_report_text(out->uuid, sizeof out->uuid, entry->uuid);
    if (entry->code != 0) {
        rung_text t = rung_text_in(out->detail, sizeof out->detail);
        out->state = rung_nvml_code_state(entry->code);
        rung_nvidia_say_code(&t, "nvmlDeviceGetHandleByIndex", entry->code, rung_nvml_code_name(entry->code));
        return;
    }
    char name[128] = "";
    if (api->device_name(entry->handle, name, sizeof name) == 0 ||
        api->device_name(gpu->handle, name, sizeof name) == 0)
        name[sizeof name - 1] = '\0';
    else
        name[0] = '\0';
    rung_report_text(out->name, sizeof out->name, name);
    bus_of(nvml, gpu->handle, out);
    rung_nvml_memory memory = {0, 0, 0};
    if (api->device_memory(entry->handle, &memory) == 0)
        out->memory = memory.total;
    int mode = RUNG_NVIDIA_MODE_DEFAULT;
    if (api->device_mode(gpu->handle, &mode) == 0)
        rung_nvidia_say_mode(out, mode);
    if (out->arch[0] == '\0' && out->state == RUNG_STATE_USABLE)
        out->state = RUNG_STATE_NOT_ASKED;
}
