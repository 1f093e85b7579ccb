/* SPDX-License-Identifier: Apache-2.0
 *
 * amd_kfd.h: AMD's GPUs as the kernel's compute driver lists them in /sys, without any library and without permission.
 */
#ifndef RUNG_DETECT_AMD_KFD_H
#define RUNG_DETECT_AMD_KFD_H

#include "visible_amd.h"

#define RUNG_KFD       "/dev/kfd"
#define RUNG_KFD_NODES "/sys/class/kfd/kfd/topology/nodes"

typedef struct rung_kfd_gpu {
    uint32_t node;            /* as libhsakmt counts the nodes that this process may use */
    rung_amd_version version; /* all 0: a kernel before 5.x does not tell */
    uint64_t id, memory;      /* 0: not known */
    uint32_t render;          /* N of /dev/dri/renderDN, 0: not known */
    char bus[32];
} rung_kfd_gpu;

typedef struct rung_kfd {
    uint32_t count;
    rung_kfd_gpu gpu[RUNG_AMD_GPUS_MAX];
    uint32_t away;   /* listed, and not for this process: the control group or a missing node keeps them away */
    char why[128];   /* of the first of them */
    char denied[32]; /* the first render node that may not be opened: libhsakmt then has no device at all; or "" */
} rung_kfd;

/* 0, or the errno of the folder of nodes. */
int rung_kfd_read(const rung_world *world, rung_kfd *out);

#endif
