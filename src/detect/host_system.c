/* SPDX-License-Identifier: Apache-2.0
 *
 * host_system.c: what the system's calls tell of processors, memory and resource limits: they work without /proc and
 * /sys, and affinity and limits are those of the calling thread and process as they are now.
 */
#include "host.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static void resource_limits(rung_system *out)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0)
        out->space = limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur == 0 ? RUNG_NO_LIMIT : (uint64_t)limit.rlim_cur;
    if (getrlimit(RLIMIT_DATA, &limit) == 0)
        out->data = limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur == 0 ? RUNG_NO_LIMIT : (uint64_t)limit.rlim_cur;
}

#if defined(__linux__)
#include <sched.h>
#include <sys/sysinfo.h>

/* The kernel refuses a set that is smaller than its own, which may be of more processors than there are. */
static uint32_t affinity(void)
{
    enum { PROCESSORS_MAX = 1 << 18 };
    for (int room = CPU_SETSIZE; room <= PROCESSORS_MAX; room *= 2) {
        cpu_set_t *set = CPU_ALLOC((size_t)room);
        if (set == NULL)
            return 0;
        size_t size = CPU_ALLOC_SIZE((size_t)room);
        int failed = sched_getaffinity(0, size, set) != 0 ? errno : 0;
        int count = failed == 0 ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (failed != EINVAL)
            return count > 0 ? (uint32_t)count : 0;
    }
    return 0;
}

static void ask_memory(rung_system *out)
{
    struct sysinfo about;
    if (sysinfo(&about) != 0)
        return;
    out->memory = (uint64_t)about.totalram * about.mem_unit;
    out->available = ((uint64_t)about.freeram + about.bufferram) * about.mem_unit;
}

static void ask(rung_system *out)
{
    uint32_t allowed = affinity();
    if (allowed != 0)
        out->allowed = allowed;
    if (out->memory == 0)
        ask_memory(out);
}

#elif defined(__APPLE__)
#include <mach/mach.h>
#include <sys/sysctl.h>

static void ask_memory(rung_system *out)
{
    uint64_t bytes = 0;
    size_t size = sizeof bytes;
    if (sysctlbyname("hw.memsize", &bytes, &size, NULL, 0) == 0 && size == sizeof bytes)
        out->memory = bytes;
    vm_statistics64_data_t pages;
    mach_msg_type_number_t words = HOST_VM_INFO64_COUNT;
    mach_port_t host = mach_host_self();
    if (host_statistics64(host, HOST_VM_INFO64, (host_info64_t)&pages, &words) == KERN_SUCCESS)
        out->available = ((uint64_t)pages.free_count + pages.inactive_count) * (uint64_t)sysconf(_SC_PAGESIZE);
    (void)mach_port_deallocate(mach_task_self(), host);
}

static void ask(rung_system *out)
{
    static const char *const names[] = {"hw.activecpu", "hw.logicalcpu", "hw.ncpu"};
    for (size_t i = 0; i < sizeof names / sizeof *names && out->online == 0; i++) {
        int count = 0;
        size_t size = sizeof count;
        if (sysctlbyname(names[i], &count, &size, NULL, 0) == 0 && size == sizeof count && count > 0)
            out->online = (uint32_t)count;
    }
    ask_memory(out);
}

#else

static void ask_memory(rung_system *out)
{
#if defined(_SC_PHYS_PAGES)
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0)
        out->memory = (uint64_t)pages * (uint64_t)page;
#else
    (void)out;
#endif
}

static void ask(rung_system *out)
{
    if (out->memory == 0)
        ask_memory(out);
}

#endif

void rung_system_ask(rung_system *out)
{
    int saved = errno;
    ask(out);
    if (out->online == 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        out->online = online > 0 ? (uint32_t)online : 0;
    }
    resource_limits(out);
    errno = saved;
}

uint64_t rung_machine_memory(const rung_world *world)
{
    rung_system system = {0};
    if (world->root[0] != '\0') {
        rung_system_read(world, &system);
        return system.memory;
    }
    int saved = errno;
    ask_memory(&system);
    errno = saved;
    return system.memory;
}
