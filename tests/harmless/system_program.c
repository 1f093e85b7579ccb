/* SPDX-License-Identifier: Apache-2.0
 *
 * system_program.c: what a program does with Rung, on systems that lack what programs are used to: it opens the best
 * platform, calls an op, looks for devices and asks for the host. It writes one line of what it found, where there is
 * an output; its exit status says what is wrong.
 *
 *     system_program [--no-files | --with-cuda]
 *
 * With --no-files, nothing can be opened; with --with-cuda, a platform is also opened for a build that has kernels for
 * cuda, on a machine where none can be used: it has to be the processor's.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rk/flow_match_step.h"
#include "rk/rk.h"
#include "rung/devices.h"
#include "rung/table.h"

enum { GOOD, USAGE, NO_PLATFORM, WRONG_RESULT, NO_DEVICES, IMPOSSIBLE_HOST, FILES_CHANGED, CHILD_LEFT, WRONG_PLATFORM };

enum { FILES = 64 };

/* One bit for each file descriptor that is open. */
static unsigned long long open_files(void)
{
    unsigned long long open = 0;
    for (int fd = 0; fd < FILES; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            open |= 1ull << fd;
    return open;
}

/* An op with kernels for every level; y = x + dt v with dt = sigma_n - sigma_t, which is exact for these. */
static int step(rung_platform *platform)
{
    enum { N = 33 };
    float x[N];
    float v[N];
    float y[N] = {0};
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        v[i] = (float)(2 * i - 7);
    }
    rung_ctx cx = rung_ctx_of(platform);
    if (rk_flow_match_step(&cx, y, x, v, N, 1.0, 0.5) != RUNG_OK)
        return 0;
    for (int i = 0; i < N; i++)
        if (y[i] != x[i] - 0.5f * v[i])
            return 0;
    return 1;
}

/* Whether the best platform is the processor where the kernels for cuda are built, and its devices are looked for. */
static int falls_to_cpu(void)
{
    enum { CELLS = 256 };
    static rung_cell_row cells[CELLS];
    rung_registry registry = rk_registry;
    if (registry.n_cells > CELLS)
        return 0;
    memcpy(cells, registry.cells, registry.n_cells * sizeof *cells);
    registry.cells = cells;
    for (uint32_t i = 0; i < registry.n_cells; i++) {
        uint32_t device = registry.arch_names[cells[i].arch].device;
        if (strcmp(registry.strings + registry.devices[device].name, "cuda") != 0)
            continue;
        cells[i].flags |= RUNG_CELL_BUILT;
        registry.probes[device] = rung_probe_nvidia;
    }
    rung_platform *platform;
    if (rung_platform_open(&registry, NULL, RUNG_OPEN_NO_ENV, &platform, NULL) != RUNG_OK)
        return 0;
    int right = strcmp(rung_platform_device(platform, 0), "cpu") == 0;
    rung_platform_close(platform);
    return right;
}

static int possible(const rung_host *host)
{
    return host->cores >= 1 && host->cores <= host->cores_online &&
           (host->memory_machine == 0 || host->memory <= host->memory_machine) &&
           (host->memory == 0 || host->memory_available <= host->memory);
}

int main(int argc, char **argv)
{
    int no_files = argc == 2 && strcmp(argv[1], "--no-files") == 0;
    int with_cuda = argc == 2 && strcmp(argv[1], "--with-cuda") == 0;
    if (argc > 2 || (argc == 2 && !no_files && !with_cuda))
        return USAGE;
    if (no_files) {
        const struct rlimit none = {0, 0};
        if (setrlimit(RLIMIT_NOFILE, &none) != 0)
            return USAGE;
    }
    unsigned long long before = open_files();

    rung_platform *platform;
    if (rung_platform_open(&rk_registry, NULL, RUNG_OPEN_NO_ENV, &platform, NULL) != RUNG_OK)
        return NO_PLATFORM;
    int right = step(platform);
    rung_platform_close(platform);
    if (!right)
        return WRONG_RESULT;
    if (with_cuda && !falls_to_cpu())
        return WRONG_PLATFORM;

    rung_devices *devices;
    if (rung_devices_detect(NULL, RUNG_DETECT_NO_ENV, &devices, NULL) != RUNG_OK)
        return NO_DEVICES;
    static const char *const kinds[] = {"cpu", "cuda", "rocm"};
    const char *states[3];
    for (int i = 0; i < 3; i++) {
        const rung_device_report *report = rung_devices_find(devices, kinds[i]);
        if (report == NULL)
            return NO_DEVICES;
        states[i] = rung_device_state_name(report->state);
    }
    rung_devices_free(devices);
    if (strcmp(states[0], "usable") != 0)
        return NO_DEVICES;

    rung_host host;
    rung_cpu cpu;
    rung_host_detect(&host);
    rung_cpu_detect(&cpu);
    if (!possible(&host))
        return IMPOSSIBLE_HOST;
    if (open_files() != before)
        return FILES_CHANGED;
    if (waitpid(-1, NULL, WNOHANG) >= 0)
        return CHILD_LEFT;

    char line[256];
    int len = snprintf(line, sizeof line, "level=%s cores=%u online=%u memory=%llu available=%llu cuda=%s rocm=%s\n",
                       cpu.level, (unsigned)host.cores, (unsigned)host.cores_online, (unsigned long long)host.memory,
                       (unsigned long long)host.memory_available, states[1], states[2]);
    return (before >> 1 & 1) != 0 && write(1, line, (size_t)len) != len ? USAGE : GOOD;
}
