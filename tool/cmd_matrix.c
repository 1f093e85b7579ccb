/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_matrix.c: `rung matrix`.
 */
#include <errno.h>
#include <stdlib.h>

#include "cli.h"
#include "commands.h"
#include "describe.h"
#include "json.h"
#include "rk/rk.h"
#include "say.h"
#include "table.h"

typedef struct arguments {
    const char *platform;
    bool build, inspect, json;
} arguments;

enum { KEY_BUILD = 1, KEY_INSPECT, KEY_JSON };

static const struct argp_option options[] = {
    {"platform", 'p', "CHAIN", 0, "What this platform knows, e.g. cpu/x86-64-v3, not the automatic one", 0},
    {"inspect", KEY_INSPECT, NULL, 0, "Accept a platform that this machine does not have", 0},
    {"build", KEY_BUILD, NULL, 0, "Only what this build knows: no platform is opened", 0},
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
    case KEY_BUILD:
        a->build = true;
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
    case ARGP_KEY_END:
        if (a->build && a->platform != NULL) {
            say_error("--build and --platform exclude each other");
            return EINVAL;
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char *verdict(const char *reason, int experimental)
{
    return reason[0] != '\0' ? reason : experimental ? "yes (experimental)" : "yes";
}

static int add_component(const rung_component_cell *cell, void *user)
{
    json_add(user, describe_component_json(cell));
    return 0;
}

static int print_component(const rung_component_cell *cell, void *user)
{
    char *reason = describe_reason(cell->reason, cell->detail);
    const char *cells[] = {cell->kind, cell->device, cell->variant, verdict(reason, cell->experimental), cell->source};
    table_row(user, cells);
    free(reason);
    return 0;
}

static int add_cell(const rung_cell *cell, void *user)
{
    json_add(user, describe_cell_json(cell));
    return 0;
}

static int print_cell(const rung_cell *cell, void *user)
{
    char *reason = describe_reason(cell->reason, cell->detail);
    char *workspace = say_format("%llu", (unsigned long long)cell->workspace);
    const char *cells[] = {cell->op,  cell->device, cell->arch, cell->variant, verdict(reason, cell->experimental),
                           workspace, cell->source};
    table_row(user, cells);
    free(reason);
    free(workspace);
    return 0;
}

int cmd_matrix(int argc, char **argv)
{
    static const char doc[] =
        "Every kernel and every builder of components that the registry declares, and whether it is available.";
    static const char *const heads[] = {"op", "device", "arch", "variant", "available", "workspace", "source"};
    static const char *const component_heads[] = {"component", "device", "variant", "available", "source"};
    const struct argp argp = {options, parse, NULL, doc, NULL, NULL, NULL};
    arguments a = {0};
    int code = cli_parse(&argp, argc, argv, &a);
    if (code != CLI_GO)
        return code;
    rung_platform *platform = NULL;
    if (!a.build) {
        platform = cli_platform_shown(a.platform, a.inspect ? RUNG_OPEN_INSPECT : 0, &code);
        if (platform == NULL)
            return code;
    }
    code = EXIT_OK;
    if (a.json) {
        json_t *root = platform != NULL ? describe_platform_json(platform) : json_object();
        json_t *cells = json_array();
        rung_matrix(&rk_registry, platform, add_cell, cells);
        json_put(root, "cells", cells);
        json_t *components = json_array();
        rung_component_matrix(&rk_registry, platform, add_component, components);
        json_put(root, "components", components);
        code = json_write(root, stdout) != 0 ? EXIT_JOB : EXIT_OK;
        json_decref(root);
    } else {
        table *t = table_new(7, heads);
        rung_matrix(&rk_registry, platform, print_cell, t);
        table_end(t, stdout, 0);
        putchar('\n');
        t = table_new(5, component_heads);
        rung_component_matrix(&rk_registry, platform, print_component, t);
        table_end(t, stdout, 0);
    }
    rung_platform_close(platform);
    return code;
}
