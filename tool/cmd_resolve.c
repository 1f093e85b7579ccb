/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_resolve.c: `rung resolve [OP|COMPONENT]`.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "commands.h"
#include "describe.h"
#include "json.h"
#include "rk/rk.h"
#include "say.h"
#include "table.h"

typedef struct arguments {
    const char *name, *platform, *variant;
    rung_memory memory;
    bool inspect, experimental, json;
} arguments;

enum { KEY_INSPECT = 1, KEY_EXPERIMENTAL, KEY_MEMORY, KEY_JSON };

static const struct argp_option options[] = {
    {"platform", 'p', "CHAIN", 0, "Resolve on this platform, e.g. cpu/x86-64-v3 or accel/sm90", 0},
    {"variant", 'v', "NAME", 0,
     "Resolve this variant (default: default); one that is not declared is as default, with a warning", 0},
    {"memory", KEY_MEMORY, "WHERE", 0, "host (default), device or any: where the data is; any is what buffer calls use",
     0},
    {"inspect", KEY_INSPECT, NULL, 0, "Accept a platform that this machine does not have", 0},
    {"experimental", KEY_EXPERIMENTAL, NULL, 0, "Let experimental kernels be chosen", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON", 0},
    {0},
};

static error_t parse_memory(const char *text, rung_memory *out)
{
    static const char *const words[] = {"host", "device", "any"};
    for (unsigned i = 0; i < 3; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = (rung_memory)i;
            return 0;
        }
    }
    say_error("--memory: '%s' is none of host, device, any", text);
    return EINVAL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'p':
        a->platform = arg;
        return 0;
    case 'v':
        a->variant = arg;
        return 0;
    case KEY_MEMORY:
        return parse_memory(arg, &a->memory);
    case KEY_INSPECT:
        a->inspect = true;
        return 0;
    case KEY_EXPERIMENTAL:
        a->experimental = true;
        return 0;
    case KEY_JSON:
        a->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (a->name != NULL) {
            say_error("unexpected argument '%s'; see '%s --help'", arg, state->name);
            return EINVAL;
        }
        a->name = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

typedef struct sink {
    json_t *list; /* or NULL */
    table *t;
    unsigned holes;
} sink;

static void resolve_one(const rung_platform *platform, uint32_t op, uint32_t variant, rung_memory memory, sink *to)
{
    rung_resolution r;
    rung_error err;
    rung_status status = rung_resolve(platform, op, variant, memory, &r, &err);
    const char *name = rung_op_name(&rk_registry, op);
    if (status != RUNG_OK)
        to->holes++;
    if (to->list != NULL) {
        json_t *one = status == RUNG_OK ? describe_cell_json(&r.cell) : json_object();
        json_put(one, "op", json_text(name));
        json_put(one, "rung", status == RUNG_OK ? json_count(r.rung) : json_null());
        json_put(one, "error", status == RUNG_OK ? json_null() : json_text(err.text));
        json_add(to->list, one);
        return;
    }
    char *text = status == RUNG_OK
                     ? say_format("%s/%s/%s/%s@%s", name, r.cell.device, r.cell.arch, r.cell.variant, r.cell.source)
                     : say_format("%s", err.text);
    const char *cells[] = {name, text};
    table_row(to->t, cells);
    free(text);
}

static void resolve_component(const rung_platform *platform, uint32_t kind, uint32_t variant, sink *to)
{
    rung_component_resolution r;
    rung_error err;
    rung_status status = rung_component_resolve(platform, kind, variant, &r, &err);
    const char *name = rung_kind_name(&rk_registry, kind);
    if (status != RUNG_OK)
        to->holes++;
    if (to->list != NULL) {
        json_t *one = status == RUNG_OK ? describe_component_json(&r.cell) : json_object();
        json_put(one, "kind", json_text(name));
        json_put(one, "rung", status == RUNG_OK ? json_count(r.rung) : json_null());
        json_put(one, "error", status == RUNG_OK ? json_null() : json_text(err.text));
        json_add(to->list, one);
        return;
    }
    char *text = status == RUNG_OK ? say_format("%s/%s/%s@%s", name, r.cell.device, r.cell.variant, r.cell.source)
                                   : say_format("%s", err.text);
    const char *cells[] = {name, text};
    table_row(to->t, cells);
    free(text);
}

int cmd_resolve(int argc, char **argv)
{
    static const char doc[] =
        "The kernel that is called, as op/device/arch/variant@source, or the builder of a component, as "
        "kind/device/variant@source, for one op or component or for all. With one that has none the exit code is 1.";
    const struct argp argp = {options, parse, "[OP|COMPONENT]", doc, NULL, NULL, NULL};
    arguments a = {.memory = RUNG_MEMORY_HOST};
    int code = cli_parse(&argp, argc, argv, &a);
    if (code != CLI_GO)
        return code;
    cli_thing only = {RUNG_NONE, RUNG_NONE};
    if (a.name != NULL && !cli_find(a.name, &only))
        return EXIT_USAGE;
    unsigned flags = (a.inspect ? RUNG_OPEN_INSPECT : 0u) | (a.experimental ? RUNG_OPEN_EXPERIMENTAL : 0u);
    rung_platform *platform = cli_platform_shown(a.platform, flags, &code);
    if (platform == NULL)
        return code;

    uint32_t variant = cli_variant_or_default(a.variant);
    sink to = {a.json ? json_array() : NULL, a.json ? NULL : table_new(2, NULL), 0};
    json_t *ops = to.list;
    for (uint32_t i = 0; i < rung_op_count(&rk_registry); i++)
        if (a.name == NULL || i == only.op)
            resolve_one(platform, i, variant, a.memory, &to);
    to.list = a.json ? json_array() : NULL;
    for (uint32_t i = 0; i < rung_kind_count(&rk_registry); i++)
        if (a.name == NULL || i == only.kind)
            resolve_component(platform, i, variant, &to);
    code = a.name != NULL && to.holes != 0 ? EXIT_JOB : EXIT_OK;
    if (a.json) {
        json_t *root = describe_platform_json(platform);
        describe_variant_json(root, variant);
        json_put(root, "ops", ops);
        json_put(root, "components", to.list);
        if (json_write(root, stdout) != 0)
            code = EXIT_JOB;
        json_decref(root);
    } else {
        table_end(to.t, stdout, 0);
    }
    rung_platform_close(platform);
    return code;
}
