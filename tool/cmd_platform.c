/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_platform.c: `rung platform`.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "commands.h"
#include "describe.h"
#include "describe_machine.h"
#include "json.h"
#include "rk/rk.h"
#include "say.h"
#include "table.h"

typedef struct arguments {
    const char *platform;
    bool inspect, json;
} arguments;

enum { KEY_INSPECT = 1, KEY_JSON };

static const struct argp_option options[] = {
    {"platform", 'p', "CHAIN", 0, "Look at this platform, e.g. cpu/x86-64-v3 or accel/sm90, not at the automatic one",
     0},
    {"inspect", KEY_INSPECT, NULL, 0, "Accept a platform that this machine does not have", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'p':
        a->platform = arg;
        return 0;
    case KEY_INSPECT:
        a->inspect = true;
        return 0;
    case KEY_JSON:
        a->json = true;
        return 0;
    case ARGP_KEY_ARG:
        say_error("unexpected argument '%s'; see '%s --help'", arg, state->name);
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static char *feature_words(uint64_t bits)
{
    char *text = say_format("%s", "");
    for (unsigned b = 0; b < 64; b++) {
        if ((bits >> b & 1) == 0 || rung_cpu_feature_name(b) == NULL)
            continue;
        char *longer = say_format("%s%s%s", text, text[0] != '\0' ? " " : "", rung_cpu_feature_name(b));
        free(text);
        text = longer;
    }
    return text;
}

/* vendor and model need not be terminated when they are full. */
static char *bounded(const char *s, size_t size)
{
    return say_format("%.*s", (int)strnlen(s, size), s);
}

static int print_json(const rung_platform *platform, const rung_cpu *cpu, const rung_host *host,
                      const rung_devices *devices)
{
    json_t *root = describe_platform_json(platform);
    json_put(root, "cpu", describe_cpu_json(cpu));
    json_put(root, "host", describe_host_json(host));
    json_put(root, "devices", describe_devices_json(devices));
    json_put(root, "warning", json_text(rung_devices_warning(devices)));
    json_put(root, "candidates", describe_candidates_json(platform));
    int failed = json_write(root, stdout);
    json_decref(root);
    return failed != 0 ? EXIT_JOB : EXIT_OK;
}

static void row(table *t, const char *name, char *text)
{
    const char *cells[] = {name, text[0] != '\0' ? text : "-"};
    table_row(t, cells);
    free(text);
}

static void print_text(const rung_platform *platform, const rung_cpu *cpu, const rung_host *host,
                       const rung_devices *devices)
{
    char *vendor = bounded(cpu->vendor, sizeof cpu->vendor), *model = bounded(cpu->model, sizeof cpu->model);
    table *t = table_new(2, NULL);
    row(t, "platform", say_format("%s", rung_platform_text(platform)));
    row(t, "reason", say_format("%s", rung_platform_reason(platform)));
    row(t, "chain", describe_chain(platform));
    row(t, "cpu", say_format("%s %s", vendor, model));
    row(t, "level", say_format("%s (%s)", cpu->level, cpu->family));
    row(t, "features", feature_words(cpu->features));
    if (cpu->disabled != 0)
        row(t, "disabled", feature_words(cpu->disabled));
    if (cpu->amx_permission >= 0)
        row(t, "amx", say_format("%s", cpu->amx_permission == 1 ? "granted" : "granted when asked for"));
    if (cpu->sve_bytes != 0)
        row(t, "sve", say_format("%u bytes", (unsigned)cpu->sve_bytes));
    char *available = describe_bytes(host->memory_available), *memory = describe_bytes(host->memory);
    row(t, "cores", say_format("%u of %u", (unsigned)host->cores, (unsigned)host->cores_online));
    row(t, "memory", say_format("%s free of %s", available, memory));
    free(available);
    free(memory);
    for (uint32_t i = 1; i < rung_devices_count(devices); i++)
        row(t, rung_devices_at(devices, i)->device, describe_device(rung_devices_at(devices, i)));
    table_end(t, stdout, 0);
    puts("not chosen");
    describe_candidates(platform, stdout);
    free(vendor);
    free(model);
}

int cmd_platform(int argc, char **argv)
{
    static const char doc[] = "What was detected on this machine, the chain that ops fall back along, and why.";
    const struct argp argp = {options, parse, NULL, doc, NULL, NULL, NULL};
    arguments a = {0};
    int code = cli_parse(&argp, argc, argv, &a);
    if (code != CLI_GO)
        return code;
    rung_platform *platform = cli_platform_shown(a.platform, a.inspect ? RUNG_OPEN_INSPECT : 0, &code);
    if (platform == NULL)
        return code;
    rung_cpu cpu;
    rung_cpu_detect(&cpu);
    rung_host host;
    rung_host_detect(&host);
    rung_error err;
    rung_devices *devices = NULL;
    code = EXIT_OK;
    if (rung_devices_detect(&rk_registry, 0, &devices, &err) != RUNG_OK) {
        say_error("%s", err.text);
        code = EXIT_JOB;
    } else if (a.json) {
        code = print_json(platform, &cpu, &host, devices);
    } else {
        print_text(platform, &cpu, &host, devices);
    }
    rung_devices_free(devices);
    rung_platform_close(platform);
    return code;
}
