/* SPDX-License-Identifier: Apache-2.0
 *
 * report.c: everything that Rung says of an imitated machine, as one JSON object. test_machines.py makes the machine.
 *
 *     report ROOT LIBRARIES HELPER SYSTEM CPU TIMEOUT BUILT [PYTHON]
 *     report states
 *
 * CPU is a level such as x86-64-v3; BUILT lists the cells of the registry gp that the build has, such as
 * cuda/sm80, with a star for every arch of a device; -cuda/sm80 is one that is only planned.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "detect/devices.h"
#include "detect/host.h"
#include "detect/probes.h"
#include "error.h"
#include "frameworks/frameworks.h"
#include "gp/gp.h"
#include "machine.h"
#include "rung/table.h"
#include "select/rank.h"

#include "describe_machine.h"
#include "doctor.h"
#include "json.h"
#include "machine_devices.h"

enum { CELLS = 64 };

/* Whether "device/arch" stands in the list, or "device/" with a star. */
static bool is_listed(const char *list, const char *device, const char *arch)
{
    char name[64];
    char any[64];
    snprintf(name, sizeof name, "%s/%s", device, arch);
    snprintf(any, sizeof any, "%s/*", device);
    for (const char *at = list; *at != '\0';) {
        size_t len = strcspn(at, ",");
        if ((strlen(name) == len && memcmp(at, name, len) == 0) || (strlen(any) == len && memcmp(at, any, len) == 0))
            return true;
        at += len + (at[len] == ',');
    }
    return false;
}

/* The registry as a build with these cells would have it. */
static void imitate_build(const char *built, rung_registry *registry, rung_cell_row cells[CELLS])
{
    *registry = gp_registry;
    if (registry->n_cells > CELLS)
        abort();
    memcpy(cells, gp_registry.cells, registry->n_cells * sizeof *cells);
    registry->cells = cells;
    for (uint32_t i = 0; i < registry->n_cells; i++) {
        const rung_arch_row *arch = &registry->arch_names[cells[i].arch];
        const char *device = registry->strings + registry->devices[arch->device].name;
        char planned[32];
        if (strcmp(device, "cpu") == 0)
            cells[i].flags |= arch->model != RUNG_MODEL_AARCH64 ? RUNG_CELL_BUILT : 0;
        else if (is_listed(built, device, registry->strings + arch->name))
            cells[i].flags |= RUNG_CELL_BUILT;
        snprintf(planned, sizeof planned, "-%s", device);
        if (is_listed(built, planned, registry->strings + arch->name))
            cells[i].flags |= RUNG_CELL_PLANNED;
        if (strcmp(device, "cpu") != 0 && (cells[i].flags & RUNG_CELL_BUILT))
            registry->probes[arch->device] = rung_probe_of(device);
    }
}

static rung_cpu imitate_cpu(const char *level)
{
    rung_cpu cpu = {.family = "x86", .level = "generic", .amx_permission = -1};
    cpu.features = rung_level_features(RUNG_MODEL_X86, rung_level_rank(RUNG_MODEL_X86, level, strlen(level)));
    rung_cpu_set_level(&cpu);
    snprintf(cpu.model, sizeof cpu.model, "An imitation");
    return cpu;
}

/* What the selection is told of the machine. */
static rung_facts the_facts;

static rung_status find_facts(const rung_backend_request *request, bool full, rung_facts *out, rung_error *err)
{
    (void)request;
    *out = the_facts;
    out->full = full;
    return rung_succeed(err);
}

static json_t *choice_json(const rung_registry *registry, unsigned flags, rung_choice *choice)
{
    rung_error err;
    const rung_backend_request request = {.registry = registry, .flags = flags | RUNG_SELECT_FRESH};
    rung_status status = rung_select_by(find_facts, &request, NULL, choice, &err);
    json_t *one = describe_choice_json(choice);
    json_put(one, "error", status == RUNG_OK ? json_null() : json_text(err.text));
    return one;
}

static rung_devices *detect(const rung_world *world, const rung_cpu *cpu, const rung_registry *registry, unsigned flags)
{
    rung_devices *devices;
    rung_error err;
    if (rung_devices_detect_in(world, cpu, registry, flags, &devices, &err) == RUNG_OK)
        return devices;
    fprintf(stderr, "%s\n", err.text);
    exit(1);
}

/* The table of docs/detection.md. */
static int print_states(void)
{
    for (int i = 0; i < RUNG_STATE_COUNT; i++) {
        rung_device_state state = (rung_device_state)i;
        rung_reason reason = rung_device_state_reason(state);
        const char *words = reason == RUNG_REASON_NONE ? "-" : rung_reason_text(reason);
        const char *remedy = rung_device_state_remedy(state);
        printf("| `%s` | %s | %s | %s |\n", rung_device_state_name(state), rung_device_state_text(state),
               remedy[0] != '\0' ? remedy : "-", words);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "states") == 0)
        return print_states();
    if (argc < 8)
        return 2;
    rung_world world = rung_this_world();
    world.root = argv[1];
    world.libraries = argv[2];
    world.helper = argv[3];
    world.system = argv[4];
    world.timeout_ms = (unsigned)strtoul(argv[6], NULL, 10);
    rung_cpu cpu = imitate_cpu(argv[5]);
    rung_registry registry;
    static rung_cell_row cells[CELLS];
    imitate_build(argv[7], &registry, cells);
    json_t *root = json_object();

    /* As `rung doctor` does, so that a library that dies takes nobody along. */
    rung_world apart = world;
    apart.isolated = true;
    rung_devices *full = detect(&apart, &cpu, &registry, RUNG_DETECT_FULL);
    json_put(root, "full", describe_devices_json(full));
    rung_devices *look = detect(&apart, &cpu, &registry, 0);
    json_put(root, "look", describe_devices_json(look));
    rung_devices_free(look);

    rung_host host;
    rung_host_detect_in(&world, &host);
    json_put(root, "host", describe_host_json(&host));
    rung_python python;
    rung_python_detect_in(&world, argv[8], &python);
    json_put(root, "python", describe_python_json(&python));

    const rung_machine machine = {.cpu = cpu, .world = &apart, .env_platform = rung_world_env(&world, "RUNG_PLATFORM")};
    rung_platform *platform = NULL;
    rung_error err;
    if (rung_platform_open_on(&registry, NULL, 0, &machine, &platform, &err) != RUNG_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    json_put(root, "platform", json_text(rung_platform_text(platform)));
    json_put(root, "reason", json_text(rung_platform_reason(platform)));

    rung_devices *bare = detect(&apart, &cpu, NULL, RUNG_DETECT_FULL);
    json_put(root, "hardware", machine_devices_of(bare));
    rung_facts_begin(&the_facts, true);
    for (uint32_t i = 0; i < rung_devices_count(bare); i++)
        rung_facts_see(&the_facts, rung_devices_at(bare, i));
    the_facts.host = host;
    the_facts.python = python;
    /* as rung_select_backend does with records that it is given */
    const rung_device_report *reports[RUNG_PROBES + 1];
    for (uint32_t i = 0; i < rung_devices_count(bare); i++)
        reports[i] = rung_devices_at(bare, i);
    rung_machine known = machine;
    known.reports = reports;
    known.n_reports = rung_devices_count(bare);
    rung_platform *best = NULL;
    if (rung_platform_open_on(&registry, NULL, 0, &known, &best, &err) != RUNG_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    rung_facts_native(&the_facts, best, rung_devices_find(bare, rung_platform_device(best, 0)));
    rung_platform_close(best);
    rung_devices_free(bare);
    rung_choice native;
    rung_choice all;
    json_put(root, "native", choice_json(&registry, 0, &native));
    json_put(root, "frameworks", choice_json(&registry, RUNG_SELECT_FULL, &all));

    char *screen = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&screen, &size);
    if (to == NULL)
        return 1;
    const doctor_facts doctor = {
        &cpu, &host, full, &python, &native, &all, rung_platform_text(platform), rung_platform_reason(platform)};
    doctor_print(&doctor, to);
    (void)fclose(to);
    json_put(root, "doctor", json_text(screen));
    free(screen);
    rung_platform_close(platform);
    rung_devices_free(full);
    int failed = json_write(root, stdout);
    json_decref(root);
    return failed != 0;
}
