/* SPDX-License-Identifier: Apache-2.0
 *
 * nvidia_files.c. Sources: nodes of Linux and WSL2: JAX, jax/_src/hardware_utils.py; nodes of Tegra: tinygrad,
 * runtime/ops_nv.py, and NVIDIA/NemoClaw's list; /proc/driver/nvidia: NVIDIA/open-gpu-kernel-modules,
 * kernel-open/nvidia/nv-procfs.c.
 */
#include "nvidia_files.h"

#include <string.h>

#include "node.h"
#include "pci.h"

static const struct {
    const char *path;
    rung_nvidia_trace trace;
} traces[] = {
    {"/dev/nvidiactl", RUNG_NVIDIA_NODES},
    {"/dev/nvidia0", RUNG_NVIDIA_NODES},
    {"/proc/driver/nvidia/version", RUNG_NVIDIA_MODULE},
    {"/dev/dxg", RUNG_NVIDIA_WSL},
    {"/dev/nvhost-ctrl-gpu", RUNG_NVIDIA_TEGRA},
    {"/dev/nvgpu/igpu0/ctrl", RUNG_NVIDIA_TEGRA},
};

rung_nvidia_trace rung_nvidia_look(const rung_world *world, const char **path)
{
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        if (rung_world_exists(world, traces[i].path) == 0) {
            *path = traces[i].path;
            return traces[i].trace;
        }
    }
    *path = "";
    return RUNG_NVIDIA_NONE;
}

/* ---- permissions ------------------------------------------------------------------------------------------------- */

typedef struct nodes {
    const rung_world *world;
    rung_text *detail; /* the first that is denied */
    unsigned allowed, denied;
} nodes;

/* "nvidia" and a number: a GPU's */
static int see_node(const char *name, void *user)
{
    nodes *seen = user;
    const char *number = name + strlen("nvidia");
    if (strncmp(name, "nvidia", strlen("nvidia")) != 0 || *number == '\0' ||
        number[strspn(number, "0123456789")] != '\0')
        return 0;
    char path[64];
    rung_text t = rung_text_in(path, sizeof path);
    rung_text_join(&t, (const char *const[]){"/dev/", name, NULL});
    rung_text nowhere = {0};
    if (rung_node_denied(seen->world, path, seen->denied == 0 ? seen->detail : &nowhere))
        seen->denied++;
    else
        seen->allowed++;
    return seen->allowed > 0;
}

bool rung_nvidia_denied(const rung_world *world, rung_nvidia_trace trace, const char *path, rung_text *detail)
{
    if (trace == RUNG_NVIDIA_WSL || trace == RUNG_NVIDIA_TEGRA)
        return rung_node_denied(world, path, detail);
    if (rung_node_denied(world, "/dev/nvidiactl", detail) || rung_node_denied(world, "/dev/nvidia-uvm", detail))
        return true;
    char first[128];
    rung_text text = rung_text_in(first, sizeof first);
    nodes seen = {world, &text, 0, 0};
    (void)rung_world_list(world, "/dev", see_node, &seen);
    if (seen.allowed > 0 || seen.denied == 0)
        return false;
    rung_text_add(detail, first);
    return true;
}

/* ---- versions ---------------------------------------------------------------------------------------------------- */

/* The length of "digits.digits[.digits]" at the beginning of a text, 0 when that is not a word of its own. */
static size_t version_length(const char *text)
{
    size_t len = strspn(text, "0123456789.");
    bool ends = text[len] == '\0' || text[len] == ' ' || text[len] == '\n' || text[len] == '\t';
    return ends && *text != '.' && memchr(text, '.', len) != NULL ? len : 0;
}

/* "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul ..." */
static bool first_version(const char *text, char *out, size_t size)
{
    while (*text != '\0' && *text != '\n') {
        size_t len = version_length(text);
        if (len > 0) {
            rung_text t = rung_text_in(out, size);
            rung_text_addn(&t, text, len);
            return true;
        }
        text += strcspn(text, " \t\n");
        text += strspn(text, " \t");
    }
    return false;
}

void rung_nvidia_driver_text(const rung_world *world, char *out, size_t size)
{
    char text[512];
    out[0] = '\0';
    if (rung_world_read(world, "/proc/driver/nvidia/version", text, sizeof text) > 0 && first_version(text, out, size))
        return;
    if (rung_world_read(world, "/sys/module/nvidia/version", text, sizeof text) > 0)
        (void)first_version(text, out, size);
}

/* ---- the bus ----------------------------------------------------------------------------------------------------- */

static bool is_controller(const rung_pci *function)
{
    enum { DISPLAY = 0x03 };
    return function->kind >> 16 == DISPLAY;
}

bool rung_nvidia_on_bus(const rung_world *world, rung_text *detail)
{
    enum { NVIDIA = 0x10de };
    rung_pci first;
    (void)rung_pci_first(world, NVIDIA, is_controller, &first);
    if (first.bus[0] == '\0')
        return false;
    rung_text_join(detail, (const char *const[]){"PCI device ", first.bus, NULL});
    char path[128];
    char text[512];
    rung_text t = rung_text_in(path, sizeof path);
    rung_text_join(&t, (const char *const[]){"/sys/bus/pci/devices/", first.bus, "/uevent", NULL});
    const char *driver = rung_world_read(world, path, text, sizeof text) > 0 ? strstr(text, "DRIVER=") : NULL;
    if (driver != NULL && (driver == text || driver[-1] == '\n')) {
        driver += strlen("DRIVER=");
        rung_text_add(detail, " is served by ");
        rung_text_addn(detail, driver, strcspn(driver, "\n"));
    }
    return true;
}
