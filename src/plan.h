/* SPDX-License-Identifier: Apache-2.0
 *
 * plan.h: from a platform string, or none, to the devices of a chain.
 */
#ifndef RUNG_PLAN_H
#define RUNG_PLAN_H

#include "detect/probe.h"
#include "platform.h"

enum { RUNG_PROBED_MAX = 8 };

/* A platform before it is allocated. Arch names may point into the platform string: arch_len tells how long they are.
 */
typedef struct rung_plan {
    const rung_registry *registry;
    const rung_machine *machine;
    rung_cpu cpu; /* of the machine, with the AMX tiles that have only to be asked for */
    unsigned flags;
    bool from_env;
    uint32_t count;
    rung_position position[RUNG_CHAIN_MAX];
    size_t arch_len[RUNG_CHAIN_MAX];
    rung_device_report *probed[RUNG_PROBED_MAX]; /* each device is asked once; the positions' texts may be theirs */
    uint32_t n_probed;
    char reason[256]; /* rung_platform_reason */
} rung_plan;

/* Frees what was probed. */
void rung_plan_end(rung_plan *plan);

/* A chain that somebody wrote. Fails with SYNTAX, UNKNOWN or UNAVAILABLE. */
rung_status rung_plan_chain(rung_plan *plan, const char *chain, rung_error *err);

/* What a NULL chain stands for: the registry's `auto` list. Fails only where the registry has no `cpu`. */
rung_status rung_plan_automatic(rung_plan *plan, rung_error *err);

/* ---- for the two above --------------------------------------------------------------------------------------------
 */

/* Whether this build has a kernel or a builder for the device. */
bool rung_plan_has_built(const rung_registry *registry, uint32_t device);
bool rung_plan_holds(const rung_plan *plan, uint32_t device);

/* The lowest index of the device that can be used, 0 when none can. */
uint32_t rung_plan_lowest(rung_plan *plan, uint32_t device);

/* Fills the next position, on the arch that was found; it counts once the caller increments plan->count. */
rung_position *rung_plan_add(rung_plan *plan, uint32_t device, uint32_t index);

/* Puts that position on a named arch. */
void rung_plan_use_arch(rung_plan *plan, rung_position *position, const char *name, size_t len, const rung_arch *at);

/* The last device of every chain (R1), unless it is there or the registry has none. */
void rung_plan_add_cpu(rung_plan *plan);

#endif
