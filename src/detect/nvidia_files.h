/* SPDX-License-Identifier: Apache-2.0
 *
 * nvidia_files.h: what files and device nodes tell of NVIDIA's GPUs and of their kernel driver.
 */
#ifndef RUNG_DETECT_NVIDIA_FILES_H
#define RUNG_DETECT_NVIDIA_FILES_H

#include "world.h"

typedef enum rung_nvidia_trace {
    RUNG_NVIDIA_NONE,
    RUNG_NVIDIA_NODES,  /* /dev/nvidiactl or /dev/nvidia0 */
    RUNG_NVIDIA_MODULE, /* no node, and /proc tells of the kernel module: so it does in every container of the machine
                         */
    RUNG_NVIDIA_WSL,    /* /dev/dxg, which GPUs of all makers share */
    RUNG_NVIDIA_TEGRA
} rung_nvidia_trace;

/* A few calls of stat. `path` gets what was found: a constant, "" for NONE. */
rung_nvidia_trace rung_nvidia_look(const rung_world *world, const char **path);

/* Whether this process may not open what every use of a GPU opens, or not one of the GPUs; `detail` gets a node that it
 * may not open. */
bool rung_nvidia_denied(const rung_world *world, rung_nvidia_trace trace, const char *path, rung_text *detail);

/* The kernel module's version, "580.65.06"; "" where no file tells. */
void rung_nvidia_driver_text(const rung_world *world, char *out, size_t size);

/* Whether there is a display controller of NVIDIA's on the PCI bus; `detail` gets its address and what serves it. */
bool rung_nvidia_on_bus(const rung_world *world, rung_text *detail);

#endif
