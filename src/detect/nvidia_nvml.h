/* SPDX-License-Identifier: Apache-2.0
 *
 * nvidia_nvml.h: what NVIDIA's management library tells. It initialises no CUDA driver and bears forks; it knows
 * nothing of CUDA_VISIBLE_DEVICES and counts GPUs by their PCI address.
 */
#ifndef RUNG_DETECT_NVIDIA_NVML_H
#define RUNG_DETECT_NVIDIA_NVML_H

#include "nvidia_api.h"
#include "visible_cuda.h"
#include "world.h"

typedef struct rung_nvml_entry {
    rung_nvml_device handle;
    char uuid[64];
    int major, minor; /* the capability; 0 where it is not known */
    int code;         /* why there is no handle; 0 */
} rung_nvml_entry;

/* About 30 KiB. */
typedef struct rung_nvml {
    /* USABLE: the list is there. DRIVER_MISMATCH, NO_DRIVER, NO_PERMISSION: so it is for every use of the driver.
     * NOT_ASKED: it tells nothing. */
    rung_device_state state;
    char detail[128]; /* the figures behind the state */
    rung_nvml_api api;
    char driver[64];                                /* "580.65.06" */
    int cuda_version;                               /* 13000; 0 */
    uint32_t gpus;                                  /* of the list */
    uint32_t denied;                                /* not in the list: this process may not use them */
    uint32_t count;                                 /* GPUs and instances */
    bool same;                                      /* all GPUs have one capability, and it is known */
    rung_cuda_device device[RUNG_CUDA_DEVICES_MAX]; /* their UUIDs are those of `entry` */
    rung_nvml_entry entry[RUNG_CUDA_DEVICES_MAX];
} rung_nvml;

/* Opens the library, initialises it and makes the list. To be ended in every case. */
void rung_nvml_begin(const rung_world *world, rung_nvml *nvml);
void rung_nvml_end(rung_nvml *nvml);

/* Fills a unit but for its index: USABLE, PROHIBITED, or what the code says. */
void rung_nvml_unit(const rung_nvml *nvml, uint32_t i, rung_device_unit *out);

#endif
