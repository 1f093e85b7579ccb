/* SPDX-License-Identifier: Apache-2.0
 *
 * host_files.c: processors, memory and resource limits as /proc and /sys tell them: proc_pid_limits(5),
 * proc_pid_status(5), proc_meminfo(5), Documentation/admin-guide/cputopology.rst of Linux.
 */
#include <string.h>

#include "host.h"
#include "lines.h"

/* ---- lists of processors ----------------------------------------------------------------------------------------- */

/* The next range of "0-3,8,10-11". False at the end, and at anything that is none. */
static bool next_range(const char **at, uint64_t *first, uint64_t *last)
{
    if (!rung_scan_uint(at, first))
        return false;
    *last = *first;
    if (**at == '-') {
        (*at)++;
        if (!rung_scan_uint(at, last))
            return false;
    }
    if (**at == ',')
        (*at)++;
    return *last >= *first && *last < UINT32_MAX;
}

/* How many processors both lists have. */
static uint32_t in_both(const char *a, const char *b)
{
    uint64_t count = 0;
    uint64_t a_first;
    uint64_t a_last;
    while (next_range(&a, &a_first, &a_last)) {
        const char *at = b;
        uint64_t b_first;
        uint64_t b_last;
        while (next_range(&at, &b_first, &b_last)) {
            uint64_t first = a_first > b_first ? a_first : b_first;
            uint64_t last = a_last < b_last ? a_last : b_last;
            if (first <= last)
                count += last - first + 1;
        }
    }
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

#define EVERY_PROCESSOR "0-4294967294"

typedef struct status {
    rung_system *out;
    const char *online;
} status;

static void kilobytes(const char *text, uint64_t *out)
{
    uint64_t value;
    if (rung_scan_uint(&text, &value) && strcmp(text, " kB") == 0 && value <= UINT64_MAX / 1024)
        *out = value * 1024;
}

static int status_line(char *line, void *user)
{
    const status *s = user;
    const char *at;
    if ((at = rung_scan_after(line, "VmSize:")) != NULL)
        kilobytes(at, &s->out->space_used);
    else if ((at = rung_scan_after(line, "VmData:")) != NULL)
        kilobytes(at, &s->out->data_used);
    else if ((at = rung_scan_after(line, "Cpus_allowed_list:")) != NULL)
        s->out->allowed = in_both(at, s->online); /* it names processors that are not there, too */
    return 0;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

typedef struct memory {
    uint64_t total, available, free, buffers, cached, shared;
} memory;

static int memory_line(char *line, void *user)
{
    memory *m = user;
    const struct {
        const char *name;
        uint64_t *value;
    } known[] = {
        {"MemTotal:", &m->total},  {"MemAvailable:", &m->available}, {"MemFree:", &m->free},
        {"Buffers:", &m->buffers}, {"Cached:", &m->cached},          {"Shmem:", &m->shared},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *at = rung_scan_after(line, known[i].name);
        if (at != NULL)
            kilobytes(at, known[i].value);
    }
    return 0;
}

/* Linux before 3.14 has no MemAvailable: what is free and what can be dropped, which shared memory cannot. */
static uint64_t available(const memory *m)
{
    if (m->available != 0)
        return m->available;
    uint64_t cached = m->cached > m->shared ? m->cached - m->shared : 0;
    uint64_t parts[] = {m->free, m->buffers, cached};
    uint64_t sum = 0;
    for (size_t i = 0; i < 3; i++)
        sum = parts[i] < m->total - sum ? sum + parts[i] : m->total;
    return sum;
}

/* ---- resource limits --------------------------------------------------------------------------------------------- */

static int limit_line(char *line, void *user)
{
    rung_system *out = user;
    const char *at = rung_scan_after(line, "Max address space ");
    uint64_t *limit = &out->space;
    if (at == NULL) {
        at = rung_scan_after(line, "Max data size ");
        limit = &out->data;
    }
    uint64_t value;
    if (at != NULL && rung_scan_uint(&at, &value) && *at == ' ' && value != 0)
        *limit = value;
    return 0;
}

void rung_system_read(const rung_world *world, rung_system *out)
{
    *out = (rung_system){.space = RUNG_NO_LIMIT, .data = RUNG_NO_LIMIT};
    char online[RUNG_LINE_MAX];
    if (rung_world_read(world, "/sys/devices/system/cpu/online", online, sizeof online) > 0)
        out->online = in_both(online, EVERY_PROCESSOR);
    memory m = {0};
    (void)rung_world_lines(world, "/proc/meminfo", memory_line, &m);
    out->memory = m.total;
    out->available = available(&m);
}

void rung_system_read_process(const rung_world *world, rung_system *out)
{
    char online[RUNG_LINE_MAX];
    bool known = rung_world_read(world, "/sys/devices/system/cpu/online", online, sizeof online) > 0;
    status s = {out, known && out->online != 0 ? online : EVERY_PROCESSOR};
    (void)rung_world_lines(world, "/proc/self/status", status_line, &s);
    (void)rung_world_lines(world, "/proc/self/limits", limit_line, out);
}
