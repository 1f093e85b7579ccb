/* SPDX-License-Identifier: Apache-2.0
 *
 * Cores and memory of imitated machines: control groups of both versions and of both at once, seen from inside and from
 * outside of containers; affinity and resource limits; files that are missing or hold anything at all.
 */

#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "detect/host.h"
#include "detect/lines.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tree.h"

#define MIB UINT64_C(1048576)
#define GIB (UINT64_C(1024) * MIB)

/* ---- the machines ------------------------------------------------------------------------------------------------ */

#define V2_MOUNT "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
#define V1_MOUNTS                                                                                                      \
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"                                                       \
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"                             \
    "33 31 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
#define UNLIMITED_V1 "9223372036854771712\n"

typedef struct file {
    const char *path, *text;
} file;

typedef struct machine {
    const char *name;
    file files[16]; /* in the place of the files below, and besides them */
    uint32_t cores;
    uint64_t memory, available;
    const char *cores_by, *memory_by;
} machine;

/* Eight processors, 16 GiB of which 12 are available. */
static const file plain[] = {
    {"/sys/devices/system/cpu/online", "0-7\n"},
    {"/proc/meminfo", "MemTotal:       16777216 kB\nMemFree:         4194304 kB\nMemAvailable:   12582912 kB\n"
                      "Buffers:          262144 kB\nCached:          2097152 kB\nShmem:           1048576 kB\n"},
    {"/proc/self/status", "Name:\tx\nVmSize:\t  1048576 kB\nVmData:\t   524288 kB\nCpus_allowed_list:\t0-7\n"},
    {"/proc/self/limits", "Limit                     Soft Limit           Hard Limit           Units     \n"
                          "Max data size             unlimited            unlimited            bytes     \n"
                          "Max address space         unlimited            unlimited            bytes     \n"},
};

static const machine machines[] = {
    {"nothing bounds", {{0}}, 8, 16 * GIB, 12 * GIB, "", ""},
    {"affinity",
     {{"/proc/self/status", "Cpus_allowed:\t55\nCpus_allowed_list:\t0,2,4,6\n"}},
     4,
     16 * GIB,
     12 * GIB,
     "affinity",
     ""},
    {"affinity names processors that are not there",
     {{"/proc/self/status", "Cpus_allowed_list:\t4-127\n"}},
     4,
     16 * GIB,
     12 * GIB,
     "affinity",
     ""},
    {"version 2, in the root group",
     {{"/proc/self/cgroup", "0::/\n"}, {"/proc/self/mountinfo", V2_MOUNT}, {"/sys/fs/cgroup/cpu.stat", "x 1\n"}},
     8,
     16 * GIB,
     12 * GIB,
     "",
     ""},
    {"version 2, unlimited",
     {{"/proc/self/cgroup", "0::/user.slice\n"},
      {"/proc/self/mountinfo", V2_MOUNT},
      {"/sys/fs/cgroup/user.slice/cpu.max", "max 100000\n"},
      {"/sys/fs/cgroup/user.slice/memory.max", "max\n"},
      {"/sys/fs/cgroup/user.slice/memory.high", "max\n"},
      {"/sys/fs/cgroup/user.slice/memory.current", "1048576\n"}},
     8,
     16 * GIB,
     12 * GIB,
     "",
     ""},
    {"version 2, one and a half processors are two",
     {{"/proc/self/cgroup", "0::/a\n"},
      {"/proc/self/mountinfo", V2_MOUNT},
      {"/sys/fs/cgroup/a/cpu.max", "150000 100000\n"},
      {"/sys/fs/cgroup/a/memory.max", "2147483648\n"},
      {"/sys/fs/cgroup/a/memory.current", "1073741824\n"},
      {"/sys/fs/cgroup/a/memory.stat", "anon 536870912\nfile 536870912\ninactive_file 268435456\nslab 0\n"}},
     2,
     2 * GIB,
     GIB + 256 * MIB,
     "cgroup",
     "cgroup"},
    {"version 2, a hundredth of a processor is one",
     {{"/proc/self/cgroup", "0::/a\n"},
      {"/proc/self/mountinfo", V2_MOUNT},
      {"/sys/fs/cgroup/a/cpu.max", "1000 100000\n"}},
     1,
     16 * GIB,
     12 * GIB,
     "cgroup",
     ""},
    {"version 2, nested: the tightest of all levels, each for itself",
     {{"/proc/self/cgroup", "0::/a/b/c\n"},
      {"/proc/self/mountinfo", V2_MOUNT},
      {"/sys/fs/cgroup/a/cpu.max", "300000 100000\n"},
      {"/sys/fs/cgroup/a/b/cpu.max", "max 100000\n"},
      {"/sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n"},
      {"/sys/fs/cgroup/a/memory.max", "8589934592\n"},
      {"/sys/fs/cgroup/a/memory.current", "8053063680\n"},
      {"/sys/fs/cgroup/a/b/memory.max", "4294967296\n"},
      {"/sys/fs/cgroup/a/b/memory.current", "1073741824\n"},
      {"/sys/fs/cgroup/a/b/c/memory.max", "max\n"}},
     3,
     4 * GIB,
     512 * MIB,
     "cgroup",
     "cgroup"},
    {"version 2, high below max",
     {{"/proc/self/cgroup", "0::/a\n"},
      {"/proc/self/mountinfo", V2_MOUNT},
      {"/sys/fs/cgroup/a/memory.max", "4294967296\n"},
      {"/sys/fs/cgroup/a/memory.high", "3221225472\n"},
      {"/sys/fs/cgroup/a/memory.current", "1073741824\n"}},
     8,
     3 * GIB,
     2 * GIB,
     "",
     "cgroup"},
    {"version 2, used up: not 0, which would be unknown",
     {{"/proc/self/cgroup", "0::/a\n"},
      {"/proc/self/mountinfo", V2_MOUNT},
      {"/sys/fs/cgroup/a/memory.high", "1073741824\n"},
      {"/sys/fs/cgroup/a/memory.current", "2147483648\n"}},
     8,
     GIB,
     1,
     "",
     "cgroup"},
    {"version 2, more than the machine has",
     {{"/proc/self/cgroup", "0::/a\n"},
      {"/proc/self/mountinfo", V2_MOUNT},
      {"/sys/fs/cgroup/a/cpu.max", "6400000 100000\n"},
      {"/sys/fs/cgroup/a/memory.max", "34359738368\n"}},
     8,
     16 * GIB,
     12 * GIB,
     "",
     ""},
    {"version 2, a limit of 0 is none",
     {{"/proc/self/cgroup", "0::/a\n"},
      {"/proc/self/mountinfo", V2_MOUNT},
      {"/sys/fs/cgroup/a/cpu.max", "0 0\n"},
      {"/sys/fs/cgroup/a/memory.max", "0\n"}},
     8,
     16 * GIB,
     12 * GIB,
     "",
     ""},
    {"version 1",
     {{"/proc/self/cgroup", "5:memory:/a/b\n3:cpu,cpuacct:/c\n"},
      {"/proc/self/mountinfo", V1_MOUNTS},
      {"/sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us", "250000\n"},
      {"/sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_period_us", "100000\n"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes", UNLIMITED_V1},
      {"/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "2147483648\n"},
      {"/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "1073741824\n"},
      {"/sys/fs/cgroup/memory/a/memory.stat", "inactive_file 1\ntotal_inactive_file 536870912\n"},
      {"/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", UNLIMITED_V1},
      {"/sys/fs/cgroup/memory/a/b/memory.usage_in_bytes", "4096\n"}},
     3,
     2 * GIB,
     GIB + 512 * MIB,
     "cgroup",
     "cgroup"},
    {"version 1, unlimited",
     {{"/proc/self/cgroup", "5:memory:/a\n3:cpu,cpuacct:/\n"},
      {"/proc/self/mountinfo", V1_MOUNTS},
      {"/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n"},
      {"/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"},
      {"/sys/fs/cgroup/memory/a/memory.limit_in_bytes", UNLIMITED_V1},
      {"/sys/fs/cgroup/memory/a/memory.stat", "hierarchical_memory_limit 9223372036854771712\n"}},
     8,
     16 * GIB,
     12 * GIB,
     "",
     ""},
    {"version 1, the limit of a group that cannot be seen",
     {{"/proc/self/cgroup", "5:memory:/docker/1\n"},
      {"/proc/self/mountinfo", "33 31 0:30 /docker/1 /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes", UNLIMITED_V1},
      {"/sys/fs/cgroup/memory/memory.usage_in_bytes", "1073741824\n"},
      {"/sys/fs/cgroup/memory/memory.stat", "cache 0\nhierarchical_memory_limit 3221225472\n"}},
     8,
     3 * GIB,
     2 * GIB,
     "",
     "cgroup"},
    {"version 1, cpu apart from cpuacct and cpuset",
     {{"/proc/self/cgroup", "4:cpuset:/s\n2:cpuacct:/no\n1:cpu:/yes\n0::/\n"},
      {"/proc/self/mountinfo", "32 31 0:29 / /cg/cpuset rw - cgroup cgroup rw,cpuset\n"
                               "33 31 0:30 / /cg/cpuacct rw - cgroup cgroup rw,cpuacct\n"
                               "34 31 0:31 / /cg/cpu rw - cgroup cgroup rw,cpu\n"},
      {"/cg/cpuset/no/cpu.cfs_quota_us", "100000\n"},
      {"/cg/cpuacct/no/cpu.cfs_quota_us", "100000\n"},
      {"/cg/cpuacct/no/cpu.cfs_period_us", "100000\n"},
      {"/cg/cpu/yes/cpu.cfs_quota_us", "500000\n"},
      {"/cg/cpu/yes/cpu.cfs_period_us", "100000\n"}},
     5,
     16 * GIB,
     12 * GIB,
     "cgroup",
     ""},
    {"hybrid: memory of version 1, processors of version 2",
     {{"/proc/self/cgroup", "4:memory:/m\n1:name=systemd:/x\n0::/u\n"},
      {"/proc/self/mountinfo", "32 31 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
                               "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"},
      {"/sys/fs/cgroup/memory/m/memory.limit_in_bytes", "1073741824\n"},
      {"/sys/fs/cgroup/unified/u/cpu.max", "200000 100000\n"},
      {"/sys/fs/cgroup/unified/u/memory.max", "4096\n"}},
     2,
     GIB,
     GIB,
     "cgroup",
     "cgroup"},
    {"hybrid, version 2 first and without controllers",
     {{"/proc/self/cgroup", "0::/\n1:cpu:/q\n"},
      {"/proc/self/mountinfo", "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
                               "34 31 0:31 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"},
      {"/sys/fs/cgroup/unified/cpu.max", "100000 100000\n"},
      {"/sys/fs/cgroup/cpu/q/cpu.cfs_quota_us", "700000\n"},
      {"/sys/fs/cgroup/cpu/q/cpu.cfs_period_us", "100000\n"}},
     7,
     16 * GIB,
     12 * GIB,
     "cgroup",
     ""},
    {"container with a namespace of its own",
     {{"/proc/self/cgroup", "0::/\n"},
      {"/proc/self/mountinfo", "800 700 0:26 / /sys/fs/cgroup ro - cgroup2 cgroup rw\n"},
      {"/sys/fs/cgroup/cpu.max", "400000 100000\n"},
      {"/sys/fs/cgroup/memory.max", "1073741824\n"},
      {"/sys/fs/cgroup/memory.current", "536870912\n"}},
     4,
     GIB,
     512 * MIB,
     "cgroup",
     "cgroup"},
    {"container without: the path is the host's",
     {{"/proc/self/cgroup", "0::/system.slice/docker-1.scope/inner\n"},
      {"/proc/self/mountinfo", "800 700 0:26 /system.slice/docker-1.scope /sys/fs/cgroup ro - cgroup2 cgroup rw\n"},
      {"/sys/fs/cgroup/cpu.max", "400000 100000\n"},
      {"/sys/fs/cgroup/inner/cpu.max", "300000 100000\n"},
      {"/sys/fs/cgroup/memory.max", "1073741824\n"}},
     3,
     GIB,
     GIB,
     "cgroup",
     "cgroup"},
    {"a root that is only the beginning of a name",
     {{"/proc/self/cgroup", "0::/docker/12\n"},
      {"/proc/self/mountinfo", "800 700 0:26 /docker/1 /sys/fs/cgroup ro - cgroup2 cgroup rw\n"},
      {"/sys/fs/cgroup/cpu.max", "400000 100000\n"},
      {"/sys/fs/cgroup/2/cpu.max", "100000 100000\n"}},
     4,
     16 * GIB,
     12 * GIB,
     "cgroup",
     ""},
    {"the path is not in what is mounted: its top counts",
     {{"/proc/self/cgroup", "0::/kubepods/pod1\n"},
      {"/proc/self/mountinfo", V2_MOUNT},
      {"/sys/fs/cgroup/cpu.max", "200000 100000\n"}},
     2,
     16 * GIB,
     12 * GIB,
     "cgroup",
     ""},
    {"moved out of its namespace: nothing above the mount point is read",
     {{"/proc/self/cgroup", "0::/../other\n"},
      {"/proc/self/mountinfo", V2_MOUNT},
      {"/sys/fs/other/cpu.max", "100000 100000\n"},
      {"/sys/fs/cgroup/cpu.max", "600000 100000\n"}},
     6,
     16 * GIB,
     12 * GIB,
     "cgroup",
     ""},
    {"mounted outside of the namespace",
     {{"/proc/self/cgroup", "0::/../other\n"},
      {"/proc/self/mountinfo", "29 23 0:26 /.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"},
      {"/sys/fs/cgroup/other/cpu.max", "500000 100000\n"}},
     5,
     16 * GIB,
     12 * GIB,
     "cgroup",
     ""},
    {"two mounts: the one that has the group",
     {{"/proc/self/cgroup", "0::/a/b\n"},
      {"/proc/self/mountinfo", "29 23 0:26 /x /elsewhere rw - cgroup2 cgroup2 rw\n" V2_MOUNT},
      {"/elsewhere/cpu.max", "100000 100000\n"},
      {"/sys/fs/cgroup/a/b/cpu.max", "300000 100000\n"}},
     3,
     16 * GIB,
     12 * GIB,
     "cgroup",
     ""},
    {"a mount point with a blank in its name",
     {{"/proc/self/cgroup", "0::/a b\n"},
      {"/proc/self/mountinfo", "29 23 0:26 / /my\\040groups rw - cgroup2 cgroup2 rw\n"},
      {"/my groups/a b/cpu.max", "300000 100000\n"}},
     3,
     16 * GIB,
     12 * GIB,
     "cgroup",
     ""},
    {"group, but nothing mounted", {{"/proc/self/cgroup", "0::/a\n"}}, 8, 16 * GIB, 12 * GIB, "", ""},
    {"both affinity and a wider quota",
     {{"/proc/self/status", "Cpus_allowed_list:\t0-1\n"},
      {"/proc/self/cgroup", "0::/\n"},
      {"/proc/self/mountinfo", V2_MOUNT},
      {"/sys/fs/cgroup/cpu.max", "400000 100000\n"}},
     2,
     16 * GIB,
     12 * GIB,
     "affinity",
     ""},
    {"limits of the process",
     {{"/proc/self/limits", "Max data size             4294967296           unlimited            bytes     \n"
                            "Max address space         8589934592           unlimited            bytes     \n"}},
     8,
     4 * GIB,
     4 * GIB - 512 * MIB,
     "",
     "limit"},
    {"the address space is the tighter one of what is left",
     {{"/proc/self/limits", "Max data size             4294967296           unlimited            bytes     \n"
                            "Max address space         4294967296           unlimited            bytes     \n"}},
     8,
     4 * GIB,
     3 * GIB,
     "",
     "limit"},
    {"no MemAvailable",
     {{"/proc/meminfo", "MemTotal:       16777216 kB\nMemFree:         4194304 kB\nBuffers:         1048576 kB\n"
                        "Cached:          2097152 kB\nShmem:           1048576 kB\nSwapCached:       999999 kB\n"}},
     8,
     16 * GIB,
     6 * GIB,
     "",
     ""},
    {"garbage in every file",
     {{"/sys/devices/system/cpu/online", "three\n"},
      {"/proc/meminfo", "MemTotal: lots kB\nMemAvailable: 99999999999999999999999 kB\n"},
      {"/proc/self/status", "Cpus_allowed_list:\tx-\nVmSize:\t-1 kB\n"},
      {"/proc/self/limits", "Max address space\nMax data size 12monkeys\n"},
      {"/proc/self/cgroup", "0::/a\n0\n::\n"},
      {"/proc/self/mountinfo", V2_MOUNT "- - - - -\n\n1 2 3\n"},
      {"/sys/fs/cgroup/a/cpu.max", "100000100000\n"},
      {"/sys/fs/cgroup/a/memory.max", "1G\n"},
      {"/sys/fs/cgroup/a/memory.high", "18446744073709551616\n"}},
     1,
     0,
     0,
     "",
     ""},
    {"garbage in the groups alone",
     {{"/proc/self/cgroup", "3:cpu,cpuacct:/\n5:memory:/\n"},
      {"/proc/self/mountinfo", V1_MOUNTS},
      {"/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "100000\n"},
      {"/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "0\n"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "\n"},
      {"/sys/fs/cgroup/memory/memory.stat", "hierarchical_memory_limit\n"}},
     8,
     16 * GIB,
     12 * GIB,
     "",
     ""},
};

static tree *build(const machine *m)
{
    tree *t = tree_new();
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        tree_file(t, plain[i].path, plain[i].text);
    for (const file *f = m->files; f < m->files + 16 && f->path != NULL; f++)
        tree_file(t, f->path, f->text);
    return t;
}

static rung_host detect(const tree *t)
{
    const rung_world world = {.root = t->root, .system = "linux"};
    rung_host host;
    memset(&host, 0x5a, sizeof host);
    rung_host_detect_in(&world, &host);
    return host;
}

static void machines_are_as_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        const machine *m = &machines[i];
        tree *t = build(m);
        rung_host host = detect(t);
        tree_free(t);
        if (host.cores != m->cores || host.memory != m->memory || host.memory_available != m->available ||
            strcmp(host.cores_by, m->cores_by) != 0 || strcmp(host.memory_by, m->memory_by) != 0)
            fail_msg("%s: %u cores (%s), memory %llu (%s), available %llu", m->name, host.cores, host.cores_by,
                     (unsigned long long)host.memory, host.memory_by, (unsigned long long)host.memory_available);
    }
}

static void nothing_there(void **state)
{
    (void)state;
    tree *t = tree_new();
    rung_host host = detect(t);
    tree_free(t);
    assert_int_equal(host.cores, 1);
    assert_int_equal(host.cores_online, 1);
    assert_int_equal(host.memory, 0);
    assert_int_equal(host.memory_machine, 0);
    assert_int_equal(host.memory_available, 0);
    assert_string_equal(host.cores_by, "");
    assert_string_equal(host.memory_by, "");
}

/* A limit is one where the machine's memory is not known, too. */
static void limits_without_a_machine(void **state)
{
    (void)state;
    tree *t = tree_new();
    tree_file(t, "/proc/self/cgroup", "0::/\n");
    tree_file(t, "/proc/self/mountinfo", V2_MOUNT);
    tree_file(t, "/sys/fs/cgroup/memory.max", "1048576\n");
    tree_file(t, "/sys/fs/cgroup/cpu.max", "500000 100000\n");
    rung_host host = detect(t);
    tree_free(t);
    assert_int_equal(host.memory, MIB);
    assert_int_equal(host.memory_available, MIB);
    assert_string_equal(host.memory_by, "cgroup");
    assert_int_equal(host.cores, 1); /* nobody says that there are five */
}

/* Names as long as paths may be, and longer. */
static void long_paths(void **state)
{
    (void)state;
    for (size_t len = 3000; len <= 9000; len += 500) {
        const machine m = {
            .files = {{"/proc/self/mountinfo", V2_MOUNT}, {"/sys/fs/cgroup/cpu.max", "300000 100000\n"}}};
        tree *t = build(&m);
        char text[9100] = "0::/";
        memset(text + 4, 'x', len);
        for (size_t i = 103; i < len; i += 100)
            text[i] = '/';
        tree_file(t, "/proc/self/cgroup", text);
        rung_host host = detect(t);
        tree_free(t);
        assert_int_equal(host.cores, 3); /* the top of what is mounted */
    }
}

/* Every file of a machine cut off at every length, and with a byte changed: nothing to be right about, but to end. */
static void damaged_files(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        tree *t = build(&machines[i]);
        for (const file *f = machines[i].files; f < machines[i].files + 16 && f->path != NULL; f++) {
            char text[1024];
            size_t len = strlen(f->text);
            assert_true(len < sizeof text);
            for (int round = 0; round < 24; round++) {
                memcpy(text, f->text, len + 1);
                random = random * 1664525u + 1013904223u;
                text[(random >> 8) % (len + 1)] = (char)(random >> 24);
                random = random * 1664525u + 1013904223u;
                tree_bytes(t, f->path, text, round % 2 == 0 ? len : (random >> 8) % (len + 1));
                rung_host host = detect(t);
                assert_true(host.cores >= 1 && host.cores <= host.cores_online);
                assert_true(host.memory_machine == 0 || host.memory <= host.memory_machine);
                assert_true(host.memory == 0 || host.memory_available <= host.memory);
            }
            tree_file(t, f->path, f->text);
        }
        tree_free(t);
    }
}

/* ---- lines and numbers ------------------------------------------------------------------------------------------- */

static int count_lines(char *line, void *user)
{
    size_t *seen = user;
    seen[0]++;
    seen[1] = strlen(line) > seen[1] ? strlen(line) : seen[1];
    return strcmp(line, "stop") == 0;
}

static void lines_of_a_file(void **state)
{
    (void)state;
    tree *t = tree_new();
    const rung_world world = {.root = t->root, .system = "linux"};
    static char text[3 * RUNG_LINE_MAX];
    memset(text, 'a', sizeof text);
    text[sizeof text - 3] = '\n';
    tree_bytes(t, "/long", text, sizeof text);
    size_t seen[2] = {0, 0};
    assert_int_equal(rung_world_lines(&world, "/long", count_lines, seen), 0);
    assert_int_equal(seen[0], 2);
    assert_int_equal(seen[1], RUNG_LINE_MAX - 1);
    tree_file(t, "/stop", "a\n\nstop\nb\n");
    memset(seen, 0, sizeof seen);
    assert_int_equal(rung_world_lines(&world, "/stop", count_lines, seen), 0);
    assert_int_equal(seen[0], 3);
    assert_int_not_equal(rung_world_lines(&world, "/none", count_lines, seen), 0);
    assert_int_not_equal(rung_world_lines(&world, "/", count_lines, seen), 0);
    assert_int_equal(seen[0], 3);
    tree_free(t);
}

static void numbers(void **state)
{
    (void)state;
    uint64_t value = 7;
    const char *at = "18446744073709551616";
    assert_false(rung_scan_uint(&at, &value));
    assert_int_equal(*at, '1');
    assert_int_equal(value, 7);
    at = " \t18446744073709551615x";
    assert_true(rung_scan_uint(&at, &value));
    assert_true(value == UINT64_MAX);
    assert_int_equal(*at, 'x');
    at = "-1";
    assert_false(rung_scan_uint(&at, &value));
}

/* ---- this machine ------------------------------------------------------------------------------------------------ */

static void this_machine(void **state)
{
    (void)state;
    rung_host_detect(NULL);
    rung_host host;
    rung_host_detect(&host);
    assert_true(host.cores >= 1);
    assert_true(host.cores <= host.cores_online);
    assert_true(host.memory > 0);
    assert_true(host.memory <= host.memory_machine);
    assert_true(host.memory_available > 0);
    assert_true(host.memory_available <= host.memory);
}

/* What a child finds under bounds that it has set for itself, 0 when it is right. */
static void a_child_in_bounds(void **state)
{
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        rung_host before;
        rung_host_detect(&before);
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(sched_getcpu(), &one);
        if (sched_setaffinity(0, sizeof one, &one) != 0)
            _exit(1);
        /* an emulator may keep a limit of memory to itself: what counts is what getrlimit tells afterwards */
        struct rlimit limit = {.rlim_cur = 64 * MIB, .rlim_max = RLIM_INFINITY};
        (void)setrlimit(RLIMIT_AS, &limit);
        if (getrlimit(RLIMIT_AS, &limit) != 0)
            _exit(2);
        rung_host host;
        rung_host_detect(&host);
        if (host.cores != 1 || (before.cores_online > 1 && strcmp(host.cores_by, "affinity") != 0))
            _exit(3);
        bool bound = limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < before.memory;
        if (host.memory != (bound ? (uint64_t)limit.rlim_cur : before.memory))
            _exit(4);
        _exit(bound && strcmp(host.memory_by, "limit") != 0 ? 5 : 0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_are_as_they_are),
        cmocka_unit_test(nothing_there),
        cmocka_unit_test(limits_without_a_machine),
        cmocka_unit_test(long_paths),
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(lines_of_a_file),
        cmocka_unit_test(numbers),
        cmocka_unit_test(this_machine),
        cmocka_unit_test(a_child_in_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
