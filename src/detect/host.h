/* SPDX-License-Identifier: Apache-2.0
 *
 * host.h: what a process may use of a machine, in any world.
 */
#ifndef RUNG_DETECT_HOST_H
#define RUNG_DETECT_HOST_H

#include "rung/devices.h"
#include "world.h"

#define RUNG_NO_LIMIT UINT64_MAX

/* As rung_host_detect. Under a root that is not "" files tell all of it, affinity and resource limits too. */
void rung_host_detect_in(const rung_world *world, rung_host *out);

/* ---- what the system says ---------------------------------------------------------------------------------------- */

/* What is not known is 0, limits RUNG_NO_LIMIT. */
typedef struct rung_system {
    uint32_t online;    /* processors */
    uint32_t allowed;   /* of those, by affinity */
    uint64_t memory;    /* bytes of the machine */
    uint64_t available; /* bytes that can be had without swapping */
    uint64_t space;     /* limit of the address space */
    uint64_t data;      /* limit of private writable memory */
    uint64_t space_used;
    uint64_t data_used;
} rung_system;

/* Processors and memory from files of /proc and /sys; what belongs to this process alone from those of /proc/self. */
void rung_system_read(const rung_world *world, rung_system *out);
void rung_system_read_process(const rung_world *world, rung_system *out);

/* Bytes that the machine has, 0 where that is not known: in this world by one call of the system. */
uint64_t rung_machine_memory(const rung_world *world);

/* Puts what this system's calls tell in the place of what the files told or did not tell. */
void rung_system_ask(rung_system *out);

/* ---- control groups ---------------------------------------------------------------------------------------------- */

/* RUNG_NO_LIMIT where there is none. */
typedef struct rung_cgroup {
    uint64_t cores;     /* processors' worth of time, rounded up: at least 1 */
    uint64_t memory;    /* bytes */
    uint64_t available; /* bytes left of the tightest group, page cache that can be dropped counted as free */
    bool folded;        /* version 1: the groups above the process's own are in `memory` already */
} rung_cgroup;

/* Over the process's own group and all those above it that can be seen; version 1 and 2, for each controller. */
void rung_cgroup_read(const rung_world *world, rung_cgroup *out);

#endif
