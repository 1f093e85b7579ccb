/* SPDX-License-Identifier: Apache-2.0
 *
 * nvidia_driver.c. Source: CUDA 13.0's cuda.h, its words on cuInit, cuDriverGetVersion (before cuInit),
 * cuDevicePrimaryCtxRetain and the attributes of devices.
 */
#include "nvidia_driver.h"

#include "nvidia_codes.h"
#include "nvidia_say.h"
#include "rung/table.h"
#include "steps.h"

enum { STUB = 34, NO_DEVICE = 100 };

static void say(rung_text *out, const rung_cuda_api *api, const char *call, int code)
{
    const char *name = rung_cuda_code_name(code);
    if (name == NULL && api->error_name != NULL && api->error_name(code, &name) != 0)
        name = NULL;
    rung_nvidia_say_code(out, call, code, name);
}

/* ---- the library ------------------------------------------------------------------------------------------------- */

void *rung_cuda_library(const rung_world *world, bool wsl, rung_device_state *state, rung_text *detail)
{
    const rung_text before = *detail;
    void *library = rung_step_library(world, "cuda", RUNG_CUDA_LIBRARY, state, detail);
    /* where WSL puts it, for systems whose loader has not been told */
    if (library == NULL && wsl && *state == RUNG_STATE_NO_LIBRARY) {
        *detail = before;
        library = rung_step_library(world, "cuda", "/usr/lib/wsl/lib/" RUNG_CUDA_LIBRARY, state, detail);
    }
    return library;
}

rung_device_state rung_cuda_open(const rung_world *world, bool wsl, rung_cuda_api *api, rung_device_report *out)
{
    char detail[sizeof out->detail];
    rung_text text = rung_text_in(detail, sizeof detail);
    rung_device_state state;
    void *library = rung_cuda_library(world, wsl, &state, &text);
    if (library == NULL) {
        rung_report_state(out, state, (const char *const[]){detail, NULL});
        return state;
    }
    const char *missing = rung_cuda_api_load(library, api);
    if (missing != NULL) {
        rung_report_state(out, RUNG_STATE_LIBRARY_INVALID,
                          (const char *const[]){RUNG_CUDA_LIBRARY " has no ", missing, NULL});
        return out->state;
    }
    rung_report_text(out->library, sizeof out->library, RUNG_CUDA_LIBRARY);
    int version = 0;
    int code = api->driver_version(&version);
    if (code == STUB) {
        say(&text, api, "cuDriverGetVersion", code);
        rung_report_state(out, RUNG_STATE_STUB, (const char *const[]){detail, NULL});
        return out->state;
    }
    if (code == 0 && version > 0)
        out->driver_version = RUNG_DRIVER_VERSION(version / 1000, version % 1000 / 10);
    return RUNG_STATE_USABLE;
}

/* ---- devices ----------------------------------------------------------------------------------------------------- */

static void uuid_of(const rung_cuda_api *api, int device, rung_device_unit *out)
{
    rung_cuda_uuid uuid = {{0}};
    if (api->device_uuid == NULL || api->device_uuid(&uuid, device) != 0)
        return;
    rung_text t = rung_text_in(out->uuid, sizeof out->uuid);
    rung_text_add(&t, "GPU");
    for (size_t i = 0; i < sizeof uuid.byte; i++) {
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10)
            rung_text_add(&t, "-");
        rung_text_hex(&t, uuid.byte[i], 2);
    }
}

static void bus_of(const rung_cuda_api *api, int device, rung_device_unit *out)
{
    char id[64] = "";
    if (api->device_bus == NULL || api->device_bus(id, sizeof id, device) != 0)
        return;
    id[sizeof id - 1] = '\0';
    for (char *c = id; *c != '\0'; c++)
        if (*c >= 'A' && *c <= 'F')
            *c = (char)(*c - 'A' + 'a');
    rung_report_text(out->bus, sizeof out->bus, id);
}

static void unit_fails(rung_device_unit *unit, const rung_cuda_api *api, const char *call, int code)
{
    rung_text t = rung_text_in(unit->detail, sizeof unit->detail);
    unit->state = rung_cuda_code_state(code);
    say(&t, api, call, code);
}

static void try_context(const rung_cuda_api *api, int device, rung_device_unit *unit)
{
    void *context = NULL;
    int code = api->context_retain(&context, device);
    if (code == 0)
        (void)api->context_release(device);
    else
        unit_fails(unit, api, "cuDevicePrimaryCtxRetain", code);
}

static void add_number(rung_text *t, int value)
{
    rung_text_add(t, value < 0 ? "-" : "");
    rung_text_uint(t, value < 0 ? 0u - (unsigned)value : (unsigned)value);
}

/* Nothing is built for a GPU that no registry has a name for. */
static void without_arch(rung_device_unit *unit, int major, int minor)
{
    rung_text t = rung_text_in(unit->detail, sizeof unit->detail);
    unit->state = RUNG_STATE_FAILED;
    rung_text_add(&t, "compute capability ");
    add_number(&t, major);
    rung_text_add(&t, ".");
    add_number(&t, minor);
    rung_text_add(&t, " names no arch");
}

static void ask_device(const rung_cuda_api *api, int ordinal, bool contexts, rung_device_unit *out)
{
    *out = (rung_device_unit){.index = (uint32_t)ordinal, .state = RUNG_STATE_USABLE};
    int device = 0;
    int code = api->device_get(&device, ordinal);
    if (code != 0) {
        unit_fails(out, api, "cuDeviceGet", code);
        return;
    }
    char name[128] = "";
    if (api->device_name(name, sizeof name, device) == 0) {
        name[sizeof name - 1] = '\0';
        rung_report_text(out->name, sizeof out->name, name);
    }
    uuid_of(api, device, out);
    bus_of(api, device, out);
    size_t bytes = 0;
    if (api->device_memory(&bytes, device) == 0)
        out->memory = bytes;
    int mode = RUNG_NVIDIA_MODE_DEFAULT;
    if (api->device_attribute(&mode, RUNG_CUDA_COMPUTE_MODE, device) == 0)
        rung_nvidia_say_mode(out, mode);
    int major = 0;
    int minor = 0;
    code = api->device_attribute(&major, RUNG_CUDA_CAPABILITY_MAJOR, device);
    if (code == 0)
        code = api->device_attribute(&minor, RUNG_CUDA_CAPABILITY_MINOR, device);
    if (code != 0) {
        unit_fails(out, api, "cuDeviceGetAttribute", code);
        return;
    }
    rung_nvidia_say_arch(out->arch, sizeof out->arch, major, minor);
    if (out->arch[0] == '\0' && out->state == RUNG_STATE_USABLE)
        without_arch(out, major, minor);
    /* in the mode Prohibited a context fails with an error that tells nothing */
    if (contexts && out->state == RUNG_STATE_USABLE)
        try_context(api, device, out);
}

int rung_cuda_ask(const rung_world *world, const rung_cuda_api *api, bool contexts, rung_device_report *out,
                  rung_text *detail)
{
    uint64_t start = rung_probe_start(world);
    const char *call = "cuInit";
    int code = api->init(0);
    int count = 0;
    if (code == 0) {
        out->initialised = 1;
        call = "cuDeviceGetCount";
        code = api->device_count(&count);
    }
    if (code == 0 && count <= 0)
        code = NO_DEVICE;
    say(detail, api, call, code);
    for (int i = 0; code == 0 && i < count && i < RUNG_UNITS_MAX; i++)
        ask_device(api, i, contexts, &out->unit[out->count++]);
    rung_probe_told(world, start, "cuda", "initialise the driver", code == 0 ? "done" : detail->at);
    return code;
}
