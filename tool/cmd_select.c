/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_select.c: `rung select [NAME]`.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "commands.h"
#include "describe_machine.h"
#include "json.h"
#include "rk/rk.h"
#include "say.h"
#include "table.h"

typedef struct arguments {
    rung_backend_request request;
    rung_problem problem;
    unsigned sizes; /* how many of the three were given */
    bool ask, json;
} arguments;

enum { KEY_FULL = 1, KEY_STRICT, KEY_UNCHECKED, KEY_PYTHON, KEY_ASK, KEY_VOXELS, KEY_VOLUMES, KEY_FACTORS, KEY_JSON };

static const struct argp_option options[] = {
    {"full", KEY_FULL, NULL, 0, "Choose among frameworks that only Python can drive, too", 1},
    {"strict", KEY_STRICT, NULL, 0, "An unknown NAME is an error, not a warning and the automatic choice", 1},
    {"unchecked", KEY_UNCHECKED, NULL, 0, "Take NAME whether or not it is available", 1},
    {"python", KEY_PYTHON, "PATH", 0, "Look at this interpreter, virtual environment or prefix", 1},
    {"ask-drivers", KEY_ASK, NULL, 0, "Initialise drivers, in another process, where nothing else tells", 1},
    {"voxels", KEY_VOXELS, "N", 0, "Warn when a problem of this size does not fit; the three go together", 2},
    {"volumes", KEY_VOLUMES, "N", 0, NULL, 2},
    {"factors", KEY_FACTORS, "N", 0, NULL, 2},
    {"json", KEY_JSON, NULL, 0, "Print JSON", 3},
    {0},
};

static error_t parse_size(const char *name, const char *text, arguments *a, uint64_t *out)
{
    long long value;
    if (!cli_whole(name, text, 0, LLONG_MAX, &value))
        return EINVAL;
    *out = (uint64_t)value;
    a->sizes++;
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case KEY_FULL:
        a->request.flags |= RUNG_SELECT_FULL;
        return 0;
    case KEY_STRICT:
        a->request.flags |= RUNG_SELECT_STRICT;
        return 0;
    case KEY_UNCHECKED:
        a->request.flags |= RUNG_SELECT_UNCHECKED;
        return 0;
    case KEY_ASK:
        a->ask = true;
        return 0;
    case KEY_PYTHON:
        a->request.python = arg;
        return 0;
    case KEY_VOXELS:
        return parse_size("--voxels", arg, a, &a->problem.voxels);
    case KEY_VOLUMES:
        return parse_size("--volumes", arg, a, &a->problem.volumes);
    case KEY_FACTORS:
        return parse_size("--factors", arg, a, &a->problem.factors);
    case KEY_JSON:
        a->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (a->request.name != NULL) {
            say_error("unexpected argument '%s'; see '%s --help'", arg, state->name);
            return EINVAL;
        }
        a->request.name = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_ranked(const rung_choice *choice)
{
    static const char *const heads[] = {"", "backend", "device", "score", "reason"};
    table *t = table_new(5, heads);
    for (uint32_t i = 0; i < choice->count; i++) {
        const rung_backend *backend = &choice->ranked[i];
        bool chosen = strcmp(backend->name, choice->chosen.name) == 0;
        char *score = say_format("%u", (unsigned)backend->score);
        const char *cells[] = {chosen ? "->" : "", backend->name, backend->device, score, backend->reason};
        table_row(t, cells);
        free(score);
    }
    table_end(t, stdout, 0);
}

static int print_json(const rung_choice *choice, rung_status status, const rung_error *err)
{
    json_t *root = describe_choice_json(choice);
    json_put(root, "error", status == RUNG_OK ? json_null() : json_text(err->text));
    int failed = json_write(root, stdout);
    json_decref(root);
    return failed != 0 ? EXIT_JOB : EXIT_OK;
}

/* False after an error line when RUNG_PLATFORM is no chain of this registry's devices and archs. */
static bool platform_can_be(void)
{
    rung_platform *platform = NULL;
    rung_error err;
    rung_status status = rung_platform_open(&rk_registry, NULL, RUNG_OPEN_INSPECT, &platform, &err);
    rung_platform_close(platform);
    if (status == RUNG_OK)
        return true;
    say_error("%s", err.text);
    return false;
}

int cmd_select(int argc, char **argv)
{
    static const char doc[] =
        "The backend that a program should compute with, all that were considered, and why.\v"
        "NAME is a backend of the registry, such as native, jax, pytorch or numpy, in any letter case. Without it the "
        "best is chosen: of those that a C program can run itself (native), or with --full of all.";
    const struct argp argp = {options, parse, "[NAME]", doc, NULL, NULL, NULL};
    arguments a = {.request = {.registry = &rk_registry}};
    int code = cli_parse(&argp, argc, argv, &a);
    if (code != CLI_GO)
        return code;
    if (a.sizes != 0 && a.sizes != 3) {
        say_error("--voxels, --volumes and --factors go together");
        return EXIT_USAGE;
    }
    /* a name that does not exist is no finding about this machine */
    if (!cli_python(a.request.python) || !platform_can_be())
        return EXIT_USAGE;
    rung_choice choice = {0};
    rung_error err;
    rung_devices *devices = NULL;
    rung_status status = RUNG_OK;
    if (a.ask)
        status = rung_devices_detect(NULL, RUNG_DETECT_FULL | RUNG_DETECT_ISOLATED, &devices, &err);
    a.request.devices = devices;
    if (status == RUNG_OK)
        status = rung_select_backend(&a.request, a.sizes != 0 ? &a.problem : NULL, &choice, &err);
    rung_devices_free(devices);
    if (status != RUNG_OK && status != RUNG_ERR_UNAVAILABLE) {
        say_error("%s", err.text);
        return status == RUNG_ERR_UNKNOWN ? EXIT_USAGE : EXIT_JOB;
    }
    code = EXIT_OK;
    if (a.json)
        code = print_json(&choice, status, &err);
    else
        print_ranked(&choice);
    for (uint32_t i = 0; i < choice.warnings; i++)
        say_warning("%s", choice.warning[i]);
    if (status != RUNG_OK) {
        say_error("%s", err.text);
        return EXIT_PLATFORM;
    }
    if (!a.json && choice.advice[0] != '\0')
        puts(choice.advice);
    return code;
}
