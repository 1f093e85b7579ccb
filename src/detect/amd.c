/* SPDX-License-Identifier: Apache-2.0
 *
 * amd.c: AMD's GPUs. /sys lists them; the environment hides some; nodes that may be opened and HIP's library make them
 * usable; HIP itself is asked where /sys does not tell the arch, and at full depth.
 */
#include <errno.h>
#include <string.h>

#include "amd_hip.h"
#include "amd_kfd.h"
#include "pci.h"
#include "steps.h"

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* The first unit that may be opened, NULL when none may. */
static rung_device_unit *open_unit(rung_device_report *out)
{
    for (uint32_t i = 0; i < out->count; i++)
        if (rung_state_is_open(out->unit[i].state))
            return &out->unit[i];
    return NULL;
}

/* What holds for all units that may be opened; for the report where there are no units. */
static void give_all(rung_device_report *out, rung_device_state state, const char *detail)
{
    rung_device_unit *unit;
    while ((unit = open_unit(out)) != NULL) {
        unit->state = state;
        rung_report_text(unit->detail, sizeof unit->detail, detail);
    }
    if (out->count == 0)
        rung_report_state(out, state, (const char *const[]){detail, NULL});
    else
        rung_report_from_units(out);
}

/* Only a driver from outside of the kernel has a version of its own; the kernel's own is of the kernel's. */
static void read_driver_version(const rung_world *world, rung_device_report *out)
{
    char text[sizeof out->driver];
    char words[sizeof out->driver];
    rung_text t = rung_text_in(words, sizeof words);
    uint64_t start = rung_probe_start(world);
    bool own = rung_world_read(world, "/sys/module/amdgpu/version", text, sizeof text) > 0;
    if (!own && rung_world_read(world, "/proc/sys/kernel/osrelease", text, sizeof text) > 0)
        rung_text_add(&t, "Linux ");
    text[strcspn(text, "\n")] = '\0';
    rung_text_add(&t, text);
    rung_report_text(out->driver, sizeof out->driver, words);
    rung_probe_told(world, start, "rocm", "version of the driver", words[0] == '\0' ? "not told" : out->driver);
}

/* ---- units of /sys ----------------------------------------------------------------------------------------------- */

/* Some servers' boards tell the name that they are sold by. */
static void read_name(const rung_world *world, uint32_t render, rung_device_unit *unit)
{
    char path[64];
    char text[sizeof unit->name];
    rung_text t = rung_text_in(path, sizeof path);
    rung_text_add(&t, "/sys/class/drm/renderD");
    rung_text_uint(&t, render);
    rung_text_add(&t, "/device/product_name");
    (void)rung_world_read(world, path, text, sizeof text);
    text[strcspn(text, "\n")] = '\0';
    rung_report_text(unit->name, sizeof unit->name, text);
}

/* `denied`: the node that this process may not open, or NULL. */
static void fill_unit(const rung_world *world, const rung_kfd_gpu *gpu, const char *denied, rung_device_unit *unit)
{
    rung_amd_version version = gpu->version;
    char variable[48];
    bool overridden = rung_amd_overridden(world, gpu->node, &version, variable) == RUNG_AMD_OVERRIDE;
    unit->memory = gpu->memory;
    memcpy(unit->bus, gpu->bus, sizeof unit->bus);
    if (version.major != 0)
        rung_amd_arch(version, unit->arch, sizeof unit->arch);
    if (gpu->id != 0)
        rung_amd_uuid(gpu->id, unit->uuid);
    if (gpu->render != 0)
        read_name(world, gpu->render, unit);
    unit->state = RUNG_STATE_USABLE;
    if (denied != NULL) {
        unit->state = RUNG_STATE_NO_PERMISSION;
        rung_report_text(unit->detail, sizeof unit->detail, denied);
    } else if (unit->arch[0] == '\0') {
        unit->state = RUNG_STATE_NOT_ASKED;
        rung_report_text(unit->detail, sizeof unit->detail, "the kernel does not tell its arch");
    } else if (overridden) {
        rung_text t = rung_text_in(unit->detail, sizeof unit->detail);
        rung_text_join(&t, (const char *const[]){"its arch is as ", variable, " says", NULL});
    }
}

/* Why libhsakmt would have no device at all; "" when it would. */
static void why_denied(const rung_world *world, const rung_kfd *kfd, char *out, size_t size)
{
    uint64_t start = rung_probe_start(world);
    int failed = rung_world_may_open(world, RUNG_KFD);
    rung_text t = rung_text_in(out, size);
    if (failed != 0)
        rung_text_join(
            &t, (const char *const[]){RUNG_KFD, failed == ENOENT ? " is not there" : " may not be opened", NULL});
    else if (kfd->denied[0] != '\0')
        rung_text_join(&t, (const char *const[]){kfd->denied, " may not be opened", NULL});
    rung_probe_told(world, start, "rocm", "permission", out[0] == '\0' ? "granted" : out);
}

static bool override_is_invalid(const rung_world *world, const rung_kfd *kfd, rung_device_report *out)
{
    for (uint32_t i = 0; i < kfd->count; i++) {
        char variable[48];
        rung_amd_version version;
        if (rung_amd_overridden(world, kfd->gpu[i].node, &version, variable) != RUNG_AMD_OVERRIDE_INVALID)
            continue;
        rung_report_hidden(world, out, variable, "is no major.minor.stepping");
        out->hidden = kfd->count;
        return true;
    }
    return false;
}

/* The units that programs see, as far as /sys tells. False when the report is complete: there is none. */
static bool take_units(const rung_world *world, const rung_kfd *kfd, rung_device_report *out)
{
    uint64_t ids[RUNG_AMD_GPUS_MAX];
    char denied[64];
    rung_amd_visible visible;
    if (override_is_invalid(world, kfd, out))
        return false;
    for (uint32_t i = 0; i < kfd->count; i++)
        ids[i] = kfd->gpu[i].id;
    uint64_t start = rung_probe_start(world);
    rung_amd_filter(world, ids, kfd->count, &visible);
    rung_probe_told(world, start, "rocm", "environment",
                    visible.hidden_by == NULL ? "hides nothing" : visible.hidden_by);
    out->hidden = kfd->count - visible.count;
    if (visible.count == 0) {
        rung_report_hidden(world, out, visible.hidden_by, "hides every GPU");
        return false;
    }
    why_denied(world, kfd, denied, sizeof denied);
    out->count = visible.count > RUNG_UNITS_MAX ? RUNG_UNITS_MAX : visible.count;
    for (uint32_t i = 0; i < out->count; i++) {
        out->unit[i].index = i;
        fill_unit(world, &kfd->gpu[visible.at[i]], denied[0] == '\0' ? NULL : denied, &out->unit[i]);
    }
    return true;
}

/* Why HIP finds nothing, where there is no list: the variables hide every device, however many there are. */
static bool hidden_without_list(const rung_world *world, rung_device_report *out)
{
    enum { NO_NODE = -1 }; /* that of no GPU: the variable for all of them */
    static const uint64_t ids[RUNG_UNITS_MAX];
    char variable[48];
    rung_amd_version version;
    rung_amd_visible visible;
    if (rung_amd_overridden(world, (uint32_t)NO_NODE, &version, variable) == RUNG_AMD_OVERRIDE_INVALID) {
        rung_report_hidden(world, out, variable, "is no major.minor.stepping");
        return true;
    }
    for (uint32_t count = 1; count <= RUNG_UNITS_MAX; count++) {
        rung_amd_filter(world, ids, count, &visible);
        if (visible.count > 0)
            return false;
    }
    rung_report_hidden(world, out, visible.hidden_by, "hides every GPU");
    return true;
}

/* ---- the library ------------------------------------------------------------------------------------------------- */

/* ask: HIP is initialised; use: and its devices are tried. */
static void take_library(const rung_world *world, bool ask, bool use, rung_device_report *out)
{
    char words[sizeof out->detail];
    rung_text detail = rung_text_in(words, sizeof words);
    rung_device_state state;
    void *library = rung_hip_open(world, out, &state, &detail);
    if (library == NULL) {
        give_all(out, state, words);
        return;
    }
    if (ask) {
        state = rung_hip_ask(world, library, use, out, &detail);
        if (state == RUNG_STATE_NO_DEVICES && out->count == 0 && hidden_without_list(world, out))
            return;
        if (state != RUNG_STATE_USABLE) {
            give_all(out, state, words);
            return;
        }
    }
    if (out->count > 0)
        rung_report_from_units(out);
    else
        rung_report_state(out, RUNG_STATE_NOT_ASKED, (const char *const[]){"only HIP tells of its devices", NULL});
}

/* ---- machines ---------------------------------------------------------------------------------------------------- */

static void probe_kfd(const rung_world *world, rung_depth depth, bool node, bool listed, rung_device_report *out)
{
    rung_kfd kfd = {0};
    if (listed) {
        char words[96];
        rung_text t = rung_text_in(words, sizeof words);
        uint64_t start = rung_probe_start(world);
        int failed = rung_kfd_read(world, &kfd);
        listed = failed == 0;
        rung_text_uint(&t, kfd.count);
        rung_text_add(&t, " GPUs, ");
        rung_text_uint(&t, kfd.away);
        rung_text_add(&t, " not for this process");
        rung_probe_told(world, start, "rocm", RUNG_KFD_NODES, listed ? words : "cannot be read");
    }
    out->present = node || kfd.count > 0 || kfd.away > 0;
    if (!out->present)
        return;
    read_driver_version(world, out);
    if (listed && kfd.count == 0) {
        rung_report_state(out, kfd.away > 0 ? RUNG_STATE_NO_PERMISSION : RUNG_STATE_NO_DEVICES,
                          (const char *const[]){kfd.away > 0 ? kfd.why : "the driver lists no GPU", NULL});
        return;
    }
    if (!listed) {
        char denied[64];
        why_denied(world, &kfd, denied, sizeof denied);
        if (denied[0] != '\0')
            give_all(out, RUNG_STATE_NO_PERMISSION, denied);
        else
            take_library(world, depth != RUNG_DEPTH_LOOK, depth == RUNG_DEPTH_FULL, out);
        return;
    }
    if (!take_units(world, &kfd, out))
        return;
    bool ask = depth == RUNG_DEPTH_FULL;
    for (uint32_t i = 0; i < out->count && depth == RUNG_DEPTH_OPEN; i++)
        ask = ask || out->unit[i].state == RUNG_STATE_NOT_ASKED;
    if (open_unit(out) == NULL)
        rung_report_from_units(out);
    else
        take_library(world, ask, depth == RUNG_DEPTH_FULL, out);
}

/* Under WSL the GPUs of all makers are behind /dev/dxg, and there is no list: AMD's library makes the difference. */
static void probe_wsl(const rung_world *world, rung_depth depth, rung_device_report *out)
{
    take_library(world, depth != RUNG_DEPTH_LOOK, depth == RUNG_DEPTH_FULL, out);
    out->present = out->state != RUNG_STATE_NO_LIBRARY && out->state != RUNG_STATE_STATIC_PROGRAM;
    if (!out->present)
        rung_report_state(out, RUNG_STATE_ABSENT, (const char *const[]){NULL});
}

static bool is_gpu(const rung_pci *function)
{
    uint32_t class = function->kind >> 16;
    return class == 0x03 || class == 0x12; /* display controllers; processing accelerators, as the MI300X is */
}

static void probe_bus(const rung_world *world, rung_device_report *out)
{
    enum { AMD = 0x1002 };
    rung_pci first;
    uint64_t start = rung_probe_start(world);
    (void)rung_pci_first(world, AMD, is_gpu, &first);
    rung_probe_told(world, start, "rocm", "PCI bus", first.bus[0] == '\0' ? "no GPU" : first.bus);
    if (first.bus[0] == '\0')
        return;
    out->present = 1;
    rung_report_state(out, RUNG_STATE_NO_DRIVER,
                      (const char *const[]){first.bus, " is on the bus, ", RUNG_KFD, " is not there", NULL});
}

void rung_probe_amd(const rung_world *world, rung_depth depth, rung_device_report *out)
{
    rung_report_state(out, RUNG_STATE_ABSENT, (const char *const[]){NULL});
    if (rung_probe_skipped(world, out) || strcmp(world->system, "linux") != 0)
        return;
    bool node = rung_step_exists(world, "rocm", RUNG_KFD);
    bool listed = rung_step_exists(world, "rocm", RUNG_KFD_NODES);
    bool wsl = !node && !listed && rung_step_exists(world, "rocm", "/dev/dxg");
    if ((node || listed || wsl) && rung_probe_elsewhere(world, depth, out))
        return;
    if (node || listed)
        probe_kfd(world, depth, node, listed, out);
    else if (wsl)
        probe_wsl(world, depth, out);
    else if (depth == RUNG_DEPTH_FULL)
        probe_bus(world, out);
}
