/* SPDX-License-Identifier: Apache-2.0
 *
 * nvidia.c: the probe of NVIDIA's GPUs. docs/detection.md tells the order in which things are asked.
 */
#include <string.h>

#include "nvidia_codes.h"
#include "nvidia_driver.h"
#include "nvidia_files.h"
#include "nvidia_nvml.h"
#include "nvidia_say.h"
#include "rung/table.h"
#include "steps.h"

#define VISIBLE "CUDA_VISIBLE_DEVICES"

enum { NO_DEVICE = 100 };

static const char without_instance[] = "in MIG mode, and without an instance";

typedef struct question {
    const rung_world *world;
    rung_depth depth;
    rung_nvidia_trace trace;
    const char *path; /* of the trace */
    const char *list; /* CUDA_VISIBLE_DEVICES, NULL when unset */
    rung_device_report *out;
} question;

/* ---- what NVML's list comes to ----------------------------------------------------------------------------------- */

typedef struct view {
    uint32_t visible[RUNG_UNITS_MAX]; /* of the list, those that this process sees */
    uint32_t count;                   /* of them, at most RUNG_UNITS_MAX */
    uint32_t hidden;                  /* by the environment */
    uint32_t usable;                  /* without the environment */
    bool ordered;                     /* `visible` is what the driver enumerates, or cannot be told from it by arch */
} view;

static view view_of(const question *q, const rung_nvml *nvml)
{
    enum { R570 = RUNG_DRIVER_VERSION(12, 8) };
    view v = {.count = 0};
    rung_cuda_machine machine = {nvml->device, nvml->count,
                                 q->out->driver_version != 0 && q->out->driver_version < R570};
    v.usable = rung_visible_cuda(NULL, &machine, NULL, 0);
    uint32_t seen = rung_visible_cuda(q->list, &machine, v.visible, RUNG_UNITS_MAX);
    v.count = seen < RUNG_UNITS_MAX ? seen : RUNG_UNITS_MAX;
    v.hidden = q->list != NULL && seen < v.usable ? v.usable - seen : 0;
    bool names = q->list != NULL && (strncmp(q->list, "GPU-", 4) == 0 || strncmp(q->list, "MIG-", 4) == 0);
    v.ordered = nvml->same || names || rung_visible_cuda_bus_order(rung_world_env(q->world, "CUDA_DEVICE_ORDER"));
    return v;
}

static bool all_have_archs(const rung_device_report *out)
{
    for (uint32_t i = 0; i < out->count; i++)
        if (out->unit[i].arch[0] == '\0')
            return false;
    return true;
}

/* ---- endings ----------------------------------------------------------------------------------------------------- */

static void end(const question *q, rung_device_state state, const char *detail)
{
    rung_report_state(q->out, state, (const char *const[]){detail, NULL});
}

static void end_hidden(const question *q)
{
    rung_report_hidden(q->world, q->out, VISIBLE, "hides every GPU");
}

/* ---- without the driver ------------------------------------------------------------------------------------------ */

/* Units in the order of the bus. */
static void fill(const question *q, const rung_nvml *nvml, const view *v)
{
    q->out->count = v->count;
    for (uint32_t i = 0; i < v->count; i++) {
        rung_nvml_unit(nvml, v->visible[i], &q->out->unit[i]);
        q->out->unit[i].index = i;
    }
    rung_report_text(q->out->library, sizeof q->out->library, RUNG_NVML_LIBRARY);
    rung_report_from_units(q->out);
}

/* GPUs of different capability: their number is known, and not which is which. */
static void fill_unordered(const question *q, const rung_nvml *nvml, const view *v)
{
    static const char why[] = "GPUs of different capability: their order is the driver's, unless CUDA_DEVICE_ORDER is "
                              "PCI_BUS_ID";
    if (v->count == v->usable) { /* all of them: what they are is known */
        fill(q, nvml, v);
        if (q->out->state == RUNG_STATE_USABLE)
            end(q, RUNG_STATE_USABLE, why);
        return;
    }
    q->out->count = v->count;
    for (uint32_t i = 0; i < v->count; i++)
        q->out->unit[i] = (rung_device_unit){.index = i, .state = RUNG_STATE_NOT_ASKED};
    end(q, RUNG_STATE_NOT_ASKED, why);
}

/* Whether the record is complete. If not, the driver is to be asked; its state and detail are those for callers who do
 * not want that. */
static bool told_by_nvml(const question *q, const rung_nvml *nvml)
{
    /* elsewhere NVML need not know the GPU */
    bool full = q->trace == RUNG_NVIDIA_NODES || q->trace == RUNG_NVIDIA_MODULE;
    if (nvml->state != RUNG_STATE_USABLE || (nvml->gpus == 0 && !full)) {
        end(q, full ? nvml->state : RUNG_STATE_NOT_ASKED, nvml->detail);
        return q->out->state != RUNG_STATE_NOT_ASKED && q->out->state != RUNG_STATE_FAILED;
    }
    view v = view_of(q, nvml);
    q->out->hidden = v.hidden;
    if (v.usable == 0) {
        end(q, RUNG_STATE_NO_DEVICES, nvml->gpus == 0 ? "NVML lists none" : without_instance);
        return true;
    }
    if (v.count == 0) {
        end_hidden(q);
        return true;
    }
    if (!v.ordered) {
        fill_unordered(q, nvml, &v);
        return false;
    }
    fill(q, nvml, &v);
    return all_have_archs(q->out);
}

/* ---- with the driver --------------------------------------------------------------------------------------------- */

/* Why cuInit finds no device, where the environment can be the reason. */
static bool hidden_by_list(const question *q, const rung_nvml *nvml)
{
    if (q->list == NULL)
        return false;
    if (nvml->state == RUNG_STATE_USABLE && nvml->gpus > 0)
        return view_of(q, nvml).count == 0;
    return !rung_visible_cuda_always(q->list);
}

/* The UUID of an instance looks like a GPU's, where the driver gives it. */
static void name_instances(const rung_nvml *nvml, rung_device_report *out)
{
    for (uint32_t i = 0; i < out->count; i++)
        for (uint32_t k = 0; k < nvml->count; k++)
            if (nvml->device[k].instance && strlen(out->unit[i].uuid) > 4 && strlen(nvml->device[k].uuid) > 4 &&
                strcmp(nvml->device[k].uuid + 4, out->unit[i].uuid + 4) == 0)
                memcpy(out->unit[i].uuid, "MIG", 3);
}

static void ask_driver(const question *q, const rung_nvml *nvml, const rung_cuda_api *api)
{
    rung_device_report *out = q->out;
    char detail[sizeof out->detail];
    rung_text t = rung_text_in(detail, sizeof detail);
    view v = nvml->state == RUNG_STATE_USABLE ? view_of(q, nvml) : (view){.count = 0};
    memset(out->unit, 0, sizeof out->unit);
    out->count = 0;
    rung_report_text(out->library, sizeof out->library, RUNG_CUDA_LIBRARY);
    int code = rung_cuda_ask(q->world, api, q->depth == RUNG_DEPTH_FULL, out, &t);
    if (code == 0) {
        name_instances(nvml, out);
        out->hidden = q->list != NULL && out->count < v.usable ? v.usable - out->count : 0;
        rung_report_from_units(out);
        return;
    }
    rung_device_state state = rung_cuda_code_state(code);
    out->hidden = v.hidden;
    bool vague = state == RUNG_STATE_FAILED || state == RUNG_STATE_NO_DEVICES;
    if (code == NO_DEVICE && hidden_by_list(q, nvml))
        end_hidden(q);
    else if (vague && (nvml->state == RUNG_STATE_NO_DRIVER || nvml->state == RUNG_STATE_DRIVER_MISMATCH ||
                       nvml->state == RUNG_STATE_NO_PERMISSION))
        end(q, nvml->state, nvml->detail);
    else
        end(q, state, code == NO_DEVICE && nvml->gpus > 0 && v.usable == 0 ? without_instance : detail);
}

/* ---- the probe --------------------------------------------------------------------------------------------------- */

static void ask_libraries(const question *q)
{
    rung_device_report *out = q->out;
    rung_cuda_api api;
    rung_device_state opened = rung_cuda_open(q->world, q->trace == RUNG_NVIDIA_WSL, &api, out);
    if (opened != RUNG_STATE_USABLE) {
        /* WSL has the node for GPUs of every maker, and the library for NVIDIA's */
        if (q->trace == RUNG_NVIDIA_WSL && opened == RUNG_STATE_NO_LIBRARY) {
            out->present = 0;
            end(q, RUNG_STATE_ABSENT, "/dev/dxg is there, and no " RUNG_CUDA_LIBRARY);
        }
        return;
    }
    rung_nvml nvml;
    rung_nvml_begin(q->world, &nvml);
    if (q->trace == RUNG_NVIDIA_MODULE && nvml.state == RUNG_STATE_NO_DRIVER) {
        /* a container that was given no GPU, on a machine that has one */
        rung_text t = rung_text_in(nvml.detail, sizeof nvml.detail);
        nvml.state = RUNG_STATE_NO_DEVICES;
        rung_text_add(&t, "the kernel module is loaded, and there is no /dev/nvidiactl");
    }
    if (out->driver[0] == '\0')
        rung_report_text(out->driver, sizeof out->driver, nvml.driver);
    if (out->driver_version == 0 && nvml.cuda_version > 0)
        out->driver_version = RUNG_DRIVER_VERSION(nvml.cuda_version / 1000, nvml.cuda_version % 1000 / 10);
    bool told = q->depth != RUNG_DEPTH_FULL && told_by_nvml(q, &nvml);
    rung_nvml_end(&nvml);
    if (told)
        return;
    if (q->depth != RUNG_DEPTH_FULL && rung_visible_cuda_never(q->list))
        end_hidden(q);
    else if (q->depth != RUNG_DEPTH_LOOK)
        ask_driver(q, &nvml, &api);
}

void rung_probe_nvidia(const rung_world *world, rung_depth depth, rung_device_report *out)
{
    question q = {.world = world, .depth = depth, .out = out, .list = rung_world_env(world, VISIBLE)};
    char text[sizeof out->detail];
    rung_text detail = rung_text_in(text, sizeof text);
    if (rung_probe_skipped(world, out))
        return;
    uint64_t start = rung_probe_start(world);
    q.trace = rung_nvidia_look(world, &q.path);
    rung_probe_told(world, start, "cuda", "look for nodes", q.trace == RUNG_NVIDIA_NONE ? "none" : q.path);
    if (q.trace == RUNG_NVIDIA_NONE) {
        bool there = depth == RUNG_DEPTH_FULL && rung_nvidia_on_bus(world, &detail);
        out->present = there;
        end(&q, there ? RUNG_STATE_NO_DRIVER : RUNG_STATE_ABSENT, text);
        return;
    }
    if (rung_probe_elsewhere(world, depth, out))
        return;
    out->present = 1;
    rung_nvidia_driver_text(world, out->driver, sizeof out->driver);
    start = rung_probe_start(world);
    bool denied = rung_nvidia_denied(world, q.trace, q.path, &detail);
    rung_probe_told(world, start, "cuda", "permission", denied ? text : "granted");
    if (denied)
        end(&q, RUNG_STATE_NO_PERMISSION, text);
    else
        ask_libraries(&q);
}
