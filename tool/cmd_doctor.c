/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_doctor.c: `rung doctor`.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli.h"
#include "commands.h"
#include "describe.h"
#include "doctor.h"
#include "json.h"
#include "progress.h"
#include "rk/rk.h"
#include "say.h"

typedef struct arguments {
    const char *python;
    bool quick, json;
} arguments;

enum { KEY_PYTHON = 1, KEY_QUICK, KEY_JSON };

static const struct argp_option options[] = {
    {"python", KEY_PYTHON, "PATH", 0, "Look at this interpreter, virtual environment or prefix", 0},
    {"quick", KEY_QUICK, NULL, 0, "Initialise no driver: some devices are then there, and not known to be usable", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case KEY_PYTHON:
        a->python = arg;
        return 0;
    case KEY_QUICK:
        a->quick = true;
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

/* platform: NULL where none can be opened. */
static int print(const doctor_facts *facts, const rung_platform *platform, bool json)
{
    if (!json) {
        doctor_print(facts, stdout);
        return EXIT_OK;
    }
    json_t *root = platform != NULL ? describe_platform_json(platform) : json_object();
    if (platform == NULL)
        json_put(root, "platform", json_null());
    json_put(root, "error", platform == NULL ? json_text(facts->platform_reason) : json_null());
    json_put(root, "cpu", describe_cpu_json(facts->cpu));
    json_put(root, "host", describe_host_json(facts->host));
    json_put(root, "devices", describe_devices_json(facts->devices));
    json_put(root, "warning", json_text(rung_devices_warning(facts->devices)));
    json_put(root, "python", describe_python_json(facts->python));
    json_put(root, "native", describe_choice_json(facts->native));
    json_put(root, "selection", describe_choice_json(facts->all));
    int failed = json_write(root, stdout);
    json_decref(root);
    return failed != 0 ? EXIT_JOB : EXIT_OK;
}

/* With nothing available the choice has the losers all the same. False after an error line. */
static bool choose(const arguments *a, const rung_devices *devices, unsigned flags, rung_choice *out)
{
    rung_error err;
    const rung_backend_request request = {
        .registry = &rk_registry, .python = a->python, .flags = flags, .devices = devices};
    rung_status status = rung_select_backend(&request, NULL, out, &err);
    if (status == RUNG_OK || status == RUNG_ERR_UNAVAILABLE)
        return true;
    say_error("%s", err.text);
    return false;
}

/* What is found is no failure, whatever it is. platform: NULL where none can be opened, for the reason of *refused. */
static int examine(const arguments *a, const rung_platform *platform, const rung_error *refused)
{
    rung_error err;
    rung_devices *devices;
    unsigned how = a->quick ? RUNG_DETECT_ISOLATED : RUNG_DETECT_ISOLATED | RUNG_DETECT_FULL;
    if (rung_devices_detect(&rk_registry, how, &devices, &err) != RUNG_OK) {
        say_error("%s", err.text);
        return EXIT_JOB;
    }
    rung_cpu cpu;
    rung_cpu_detect(&cpu);
    rung_host host;
    rung_host_detect(&host);
    rung_python python;
    rung_python_detect(a->python, &python);
    rung_choice native;
    rung_choice all;
    int code = EXIT_JOB;
    if (choose(a, devices, 0, &native) && choose(a, devices, RUNG_SELECT_FULL, &all)) {
        progress_end();
        const doctor_facts facts = {.cpu = &cpu,
                                    .host = &host,
                                    .devices = devices,
                                    .python = &python,
                                    .native = &native,
                                    .all = &all,
                                    .platform = platform != NULL ? rung_platform_text(platform) : NULL,
                                    .platform_reason =
                                        platform != NULL ? rung_platform_reason(platform) : refused->text};
        code = print(&facts, platform, a->json);
    }
    progress_end();
    rung_devices_free(devices);
    return code;
}

int cmd_doctor(int argc, char **argv)
{
    static const char doc[] =
        "What this machine has, what was chosen, what was rejected and why, and what to do about it.\v"
        "Drivers are asked in another process, for at most ten seconds each, so that one that hangs or crashes does no "
        "harm. RUNG_SKIP=cuda,opencl skips devices; RUNG_LOG=debug tells every probe with its time.";
    const struct argp argp = {options, parse, NULL, doc, NULL, NULL, NULL};
    arguments a = {0};
    int code = cli_parse(&argp, argc, argv, &a);
    if (code != CLI_GO)
        return code;
    if (!cli_python(a.python))
        return EXIT_USAGE;
    /* what is opened below is opened in the same way: this process is the tool's own */
    if (setenv("RUNG_PROBE", "isolated", 1) != 0) {
        say_error("out of memory");
        return EXIT_JOB;
    }
    progress_begin(a.json || !isatty(STDERR_FILENO));
    progress_show("asking the drivers", -1, "");
    rung_platform *platform = NULL;
    rung_error refused;
    (void)rung_platform_open(&rk_registry, NULL, 0, &platform, &refused); /* why not is a finding, too */
    code = examine(&a, platform, &refused);
    rung_platform_close(platform);
    return code;
}
