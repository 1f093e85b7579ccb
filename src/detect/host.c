/* SPDX-License-Identifier: Apache-2.0
 *
 * host.c: the tightest of all bounds.
 */
#include "host.h"

#include "log.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t left(uint64_t limit, uint64_t used)
{
    return limit == RUNG_NO_LIMIT ? limit : limit > used ? limit - used : 0;
}

static void bound_cores(const rung_system *system, const rung_cgroup *groups, rung_host *out)
{
    uint32_t allowed = system->allowed != 0 ? system->allowed : system->online != 0 ? system->online : 1;
    out->cores_online = system->online > allowed ? system->online : allowed;
    out->cores = allowed;
    out->cores_by = allowed < out->cores_online ? "affinity" : "";
    if (groups->cores < allowed) {
        out->cores = (uint32_t)groups->cores;
        out->cores_by = "cgroup";
    }
}

static void bound_memory(const rung_system *system, const rung_cgroup *groups, rung_host *out)
{
    uint64_t machine = system->memory != 0 ? system->memory : RUNG_NO_LIMIT;
    uint64_t limit = least(system->space, system->data);
    uint64_t memory = least(machine, least(groups->memory, limit));
    out->memory_machine = system->memory;
    out->memory = memory == RUNG_NO_LIMIT ? 0 : memory;
    out->memory_by = memory == machine ? "" : memory == groups->memory ? "cgroup" : "limit";

    uint64_t available = system->available != 0 ? system->available : RUNG_NO_LIMIT;
    available = least(available, groups->available);
    available = least(available, left(system->space, system->space_used));
    available = least(available, left(system->data, system->data_used));
    available = least(available, memory);
    out->memory_available = available == RUNG_NO_LIMIT ? 0 : available > 0 ? available : 1;
}

void rung_host_detect_in(const rung_world *world, rung_host *out)
{
    rung_system system;
    rung_cgroup groups;
    uint64_t start = rung_probe_start(world);
    *out = (rung_host){0};
    rung_system_read(world, &system);
    bool real = world->root[0] == '\0';
    if (real)
        rung_system_ask(&system);
    /* files of /proc/self cost more than all calls: they are read where the calls do not tell */
    if (!real || system.allowed == 0 || system.space != RUNG_NO_LIMIT || system.data != RUNG_NO_LIMIT) {
        rung_system_read_process(world, &system);
        if (real)
            rung_system_ask(&system);
    }
    rung_cgroup_read(world, &groups);
    bound_cores(&system, &groups, out);
    bound_memory(&system, &groups, out);
    char cores[32];
    rung_text t = rung_text_in(cores, sizeof cores);
    rung_text_uint(&t, out->cores);
    rung_text_add(&t, " of ");
    rung_text_uint(&t, out->cores_online);
    rung_probe_told(world, start, "host", "cores and memory", cores);
}

void rung_host_detect(rung_host *out)
{
    if (out == NULL)
        return;
    rung_world world = rung_this_world();
    rung_log_listen(&world);
    rung_host_detect_in(&world, out);
}
