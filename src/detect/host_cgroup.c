/* SPDX-License-Identifier: Apache-2.0
 *
 * host_cgroup.c: limits of control groups. Linux: Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/memory.rst,
 * scheduler/sched-bwc.rst; cgroups(7) and cgroup_namespaces(7) for the files of /proc.
 *
 * A controller is of version 1 where a line of /proc/self/cgroup names it, else of version 2: systems with both are
 * common. Where its groups are is told by /proc/self/mountinfo alone.
 */
#include <string.h>

#include "host.h"
#include "lines.h"
#include "numbers.h"

/* Where a controller's groups of this process are. */
typedef struct place {
    const char *controller; /* "cpu", "memory" */
    int version;            /* 1 or 2; 0: the process is in no group */
    bool inside;            /* `folder` is the process's own group, not just the top of what is mounted */
    char path[RUNG_PATH_MAX];
    char folder[RUNG_PATH_MAX];
    size_t top; /* the length of the mount point in `folder` */
} place;

/* Whether a list with commas between its names has this one. */
static bool names(const char *list, size_t len, const char *name)
{
    size_t want = strlen(name);
    for (size_t i = 0; i < len;) {
        size_t n = i;
        while (n < len && list[n] != ',')
            n++;
        if (n - i == want && memcmp(list + i, name, want) == 0)
            return true;
        i = n + 1;
    }
    return false;
}

enum { CPU, MEMORY, PLACES };

static void belong(place *p, const char *list, size_t len, const char *path)
{
    int version = len == 0 ? 2 : names(list, len, p->controller) ? 1 : 0;
    if (version == 0 || (version == 2 && p->version != 0) || strlen(path) >= sizeof p->path)
        return;
    p->version = version;
    memcpy(p->path, path, strlen(path) + 1);
}

/* "4:cpu,cpuacct:/path" or "0::/path" */
static int membership(char *line, void *user)
{
    place *places = user;
    const char *list = strchr(line, ':');
    const char *path = list == NULL ? NULL : strchr(list + 1, ':');
    if (path == NULL || path[1] != '/')
        return 0;
    list++;
    for (int i = 0; i < PLACES; i++)
        belong(&places[i], list, (size_t)(path - list), path + 1);
    return 0;
}

/* The kernel writes blanks, newlines and backslashes of paths as \ooo. */
static void unescape(char *text)
{
    char *out = text;
    for (const char *at = text; *at != '\0'; at++) {
        if (at[0] == '\\' && at[1] >= '0' && at[1] <= '3' && at[2] >= '0' && at[2] <= '7' && at[3] >= '0' &&
            at[3] <= '7') {
            *out++ = (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0'));
            at += 3;
        } else {
            *out++ = *at;
        }
    }
    *out = '\0';
}

/* Cuts the next field off a line of fields; NULL at its end. */
static char *field(char **line)
{
    char *at = *line;
    if (at == NULL)
        return NULL;
    char *end = strchr(at, ' ');
    if (end != NULL)
        *end++ = '\0';
    *line = end;
    return at;
}

static bool climbs(const char *path)
{
    for (const char *at = strstr(path, "/.."); at != NULL; at = strstr(at + 1, "/.."))
        if (at[3] == '/' || at[3] == '\0')
            return true;
    return false;
}

/* What the process's path is below a mount's root, "" for the root itself; NULL when it is not below. */
static const char *below(const char *path, const char *root)
{
    size_t len = strcmp(root, "/") == 0 ? 0 : strlen(root);
    if (strncmp(path, root, len) != 0 || (path[len] != '/' && path[len] != '\0'))
        return NULL;
    path += len;
    if (strcmp(path, "/") == 0)
        path++;
    return climbs(path) ? NULL : path;
}

typedef struct search {
    const rung_world *world;
    place *places;
} search;

static void stand(const rung_world *world, place *p, const char *root, const char *point)
{
    const char *rest = below(p->path, root);
    size_t top = strcmp(point, "/") == 0 ? 0 : strlen(point);
    char folder[RUNG_PATH_MAX];
    rung_text t = rung_text_in(folder, sizeof folder);
    rung_text_join(&t, (const char *const[]){point, rest == NULL ? "" : rest, NULL});
    bool inside = rest != NULL && !rung_text_full(&t) && rung_world_exists(world, folder) == 0;
    if (!inside && p->top != 0)
        return;
    folder[inside ? t.len : top] = '\0';
    memcpy(p->folder, folder, sizeof folder);
    p->top = top;
    p->inside = inside;
}

/* "36 35 98:0 /root /mount/point rw,noatime master:1 - cgroup cgroup rw,cpu,cpuacct" */
static int mount(char *line, void *user)
{
    const search *s = user;
    char *fields[10];
    size_t n = 0;
    for (char *at = field(&line); at != NULL && strcmp(at, "-") != 0; at = field(&line))
        if (n < 6)
            fields[n++] = at;
    const char *type = field(&line);
    (void)field(&line);
    const char *options = field(&line);
    if (n < 6 || type == NULL || options == NULL)
        return 0;
    int version = strcmp(type, "cgroup") == 0 ? 1 : strcmp(type, "cgroup2") == 0 ? 2 : 0;
    if (version == 0)
        return 0;
    unescape(fields[3]);
    unescape(fields[4]);
    bool all = true;
    for (int i = 0; i < PLACES; i++) {
        place *p = &s->places[i];
        bool fits = version == 2 || names(options, strlen(options), p->controller);
        if (p->version == version && !p->inside && fits)
            stand(s->world, p, fields[3], fields[4]);
        all = all && p->inside;
    }
    return all;
}

static void find(const rung_world *world, place places[PLACES])
{
    static const char *const controllers[PLACES] = {"cpu", "memory"};
    for (int i = 0; i < PLACES; i++) {
        place *p = &places[i];
        p->controller = controllers[i];
        p->version = 0;
        p->inside = false;
        p->top = 0;
        p->folder[0] = '\0';
    }
    (void)rung_world_lines(world, "/proc/self/cgroup", membership, places);
    search s = {world, places};
    if (places[CPU].version != 0 || places[MEMORY].version != 0)
        (void)rung_world_lines(world, "/proc/self/mountinfo", mount, &s);
}

/* One up, as far as the mount point. */
static bool climb(place *p)
{
    size_t len = strlen(p->folder);
    if (len <= p->top)
        return false;
    while (len > p->top && p->folder[len - 1] != '/')
        len--;
    while (len > p->top && p->folder[len - 1] == '/')
        len--;
    p->folder[len] = '\0';
    return true;
}

/* ---- reading a group --------------------------------------------------------------------------------------------- */

static bool file_of(const place *p, const char *name, char path[RUNG_PATH_MAX])
{
    rung_text t = rung_text_in(path, RUNG_PATH_MAX);
    rung_text_join(&t, (const char *const[]){p->folder, "/", name, NULL});
    return !rung_text_full(&t);
}

/* A number; false for "max", "-1" and whatever else a file may hold. */
static bool number(const rung_world *world, const place *p, const char *name, uint64_t *out)
{
    char path[RUNG_PATH_MAX];
    return file_of(p, name, path) && rung_world_uint(world, path, out);
}

/* A line "name value" of memory.stat. */
static bool statistic(const rung_world *world, const place *p, const char *name, uint64_t *out)
{
    char path[RUNG_PATH_MAX];
    char lines[8192];
    return file_of(p, "memory.stat", path) && rung_world_read(world, path, lines, sizeof lines) > 0 &&
           rung_property(lines, name, out);
}

/* Processor time: quota and period, both in microseconds. */
static bool bandwidth(const rung_world *world, const place *p, uint64_t *quota, uint64_t *period)
{
    if (p->version == 1)
        return number(world, p, "cpu.cfs_quota_us", quota) && number(world, p, "cpu.cfs_period_us", period);
    char path[RUNG_PATH_MAX];
    char text[64];
    if (!file_of(p, "cpu.max", path) || rung_world_read(world, path, text, sizeof text) <= 0)
        return false;
    const char *at = text;
    return rung_scan_uint(&at, quota) && *at == ' ' && rung_scan_uint(&at, period) && (*at == '\n' || *at == '\0');
}

static void read_cores(const rung_world *world, const place *p, rung_cgroup *out)
{
    uint64_t quota;
    uint64_t period;
    if (!bandwidth(world, p, &quota, &period) || quota == 0 || period == 0)
        return;
    uint64_t cores = quota / period + (quota % period != 0);
    if (cores < out->cores)
        out->cores = cores;
}

/* Version 1 writes the largest multiple of a page that a signed number holds where there is no limit. */
static uint64_t limit_of(const rung_world *world, const place *p, const char *name)
{
    uint64_t limit;
    return number(world, p, name, &limit) && limit != 0 && limit < UINT64_C(1) << 62 ? limit : RUNG_NO_LIMIT;
}

static void read_memory(const rung_world *world, const place *p, rung_cgroup *out)
{
    uint64_t limit = limit_of(world, p, p->version == 1 ? "memory.limit_in_bytes" : "memory.max");
    /* what is beyond `high` is taken away again as fast as the system can */
    uint64_t high = p->version == 1 ? RUNG_NO_LIMIT : limit_of(world, p, "memory.high");
    if (high < limit)
        limit = high;
    uint64_t above;
    /* of the own group it is the least of all above, those that cannot be seen included */
    if (p->version == 1 && out->memory == RUNG_NO_LIMIT && !out->folded &&
        statistic(world, p, "hierarchical_memory_limit", &above)) {
        out->folded = true;
        if (above != 0 && above < limit && above < UINT64_C(1) << 62)
            limit = above;
    }
    if (limit == RUNG_NO_LIMIT)
        return;
    uint64_t used = 0;
    uint64_t cache = 0;
    (void)number(world, p, p->version == 1 ? "memory.usage_in_bytes" : "memory.current", &used);
    (void)statistic(world, p, p->version == 1 ? "total_inactive_file" : "inactive_file", &cache);
    used -= cache < used ? cache : used;
    uint64_t available = limit > used ? limit - used : 0;
    if (limit < out->memory)
        out->memory = limit;
    if (available < out->available)
        out->available = available;
}

void rung_cgroup_read(const rung_world *world, rung_cgroup *out)
{
    *out = (rung_cgroup){RUNG_NO_LIMIT, RUNG_NO_LIMIT, RUNG_NO_LIMIT, false};
    place places[PLACES];
    find(world, places);
    place *p = &places[CPU];
    if (p->folder[0] != '\0')
        do
            read_cores(world, p, out);
        while (climb(p));
    p = &places[MEMORY];
    if (p->folder[0] != '\0')
        do
            read_memory(world, p, out);
        while (climb(p));
}
