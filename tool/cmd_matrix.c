/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_matrix.c: `rung matrix`.
 */
#include <errno.h>
#include <stdlib.h>

#include "cli.h"
#include "commands.h"
#include "describe.h"
#include "interrupt.h"
#include "json.h"
#include "matrix_data.h"
#include "matrix_page.h"
#include "output.h"
#include "results.h"
#include "rk/rk.h"
#include "say.h"
#include "table.h"

typedef struct arguments {
    const char *platform, *html, *selftest, *bench;
    bool build, inspect, json;
} arguments;

enum { KEY_BUILD = 1, KEY_INSPECT, KEY_JSON, KEY_HTML, KEY_SELFTEST, KEY_BENCH };

static const struct argp_option options[] = {
    {"platform", 'p', "CHAIN", 0, "What this platform knows, e.g. cpu/x86-64-v3, not the automatic one", 0},
    {"inspect", KEY_INSPECT, NULL, 0, "Accept a platform that this machine does not have", 0},
    {"build", KEY_BUILD, NULL, 0, "Only what this build knows: no platform is opened", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON", 0},
    {"html", KEY_HTML, "FILE", 0, "Write a page for a browser: one file that needs no other and no network", 0},
    {"selftest", KEY_SELFTEST, "RESULTS", 0, "Show in the page what 'rung selftest' found, from its JSON file", 0},
    {"bench", KEY_BENCH, "RESULTS", 0, "Show in the page what 'rung bench' measured, from its JSON file", 0},
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
    case KEY_HTML:
        a->html = arg;
        return 0;
    case KEY_SELFTEST:
        a->selftest = arg;
        return 0;
    case KEY_BENCH:
        a->bench = arg;
        return 0;
    case ARGP_KEY_ARG:
        say_error("unexpected argument '%s'; see '%s --help'", arg, state->name);
        return EINVAL;
    case ARGP_KEY_END:
        if (a->build && a->platform != NULL) {
            say_error("--build and --platform exclude each other");
            return EINVAL;
        }
        if (a->html != NULL && a->json) {
            say_error("--html and --json exclude each other");
            return EINVAL;
        }
        if (a->html == NULL && (a->selftest != NULL || a->bench != NULL)) {
            say_error("%s is for the page of --html", a->selftest != NULL ? "--selftest" : "--bench");
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

static int print_component(const rung_component_cell *cell, void *user)
{
    char *reason = describe_reason(cell->reason, cell->detail);
    const char *cells[] = {cell->kind, cell->device, cell->variant, verdict(reason, cell->experimental), cell->source};
    table_row(user, cells);
    free(reason);
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

static int write_json(const rung_platform *platform)
{
    json_t *root = matrix_json(platform);
    int failed = json_write(root, stdout);
    json_decref(root);
    return failed != 0 ? EXIT_JOB : EXIT_OK;
}

static int write_text(const rung_platform *platform)
{
    static const char *const heads[] = {"op", "device", "arch", "variant", "available", "workspace", "source"};
    static const char *const component_heads[] = {"component", "device", "variant", "available", "source"};
    table *t = table_new(7, heads);
    rung_matrix(&rk_registry, platform, print_cell, t);
    table_end(t, stdout, 0);
    putchar('\n');
    t = table_new(5, component_heads);
    rung_component_matrix(&rk_registry, platform, print_component, t);
    table_end(t, stdout, 0);
    return EXIT_OK;
}

static int write_page(rung_platform *platform, const arguments *a)
{
    const char *inputs[2];
    size_t count = 0;
    json_t *selftest = NULL, *bench = NULL;
    bool good = true;
    if (a->selftest != NULL) {
        inputs[count++] = a->selftest;
        good = (selftest = results_selftest(a->selftest)) != NULL;
    }
    if (good && a->bench != NULL) {
        inputs[count++] = a->bench;
        good = (bench = results_bench(a->bench)) != NULL;
    }
    if (good) {
        interrupt_install();
        good = output_begin(a->html, inputs, count);
    }
    if (good) {
        json_t *data = matrix_page_data(platform, selftest, bench);
        good = output_commit_by(matrix_page_write, data);
        json_decref(data);
    }
    json_decref(selftest);
    json_decref(bench);
    return good ? EXIT_OK : EXIT_JOB;
}

int cmd_matrix(int argc, char **argv)
{
    static const char doc[] =
        "Every kernel and every builder of components that the registry declares, and whether it is available.";
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
    code = a.html != NULL ? write_page(platform, &a) : a.json ? write_json(platform) : write_text(platform);
    rung_platform_close(platform);
    return code;
}
