/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_explain.c: `rung explain OP`.
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
    const char *op, *platform, *variant;
    bool inspect, experimental, json;
} arguments;

enum { KEY_INSPECT = 1, KEY_EXPERIMENTAL, KEY_JSON };

static const struct argp_option options[] = {
    {"platform", 'p', "CHAIN", 0, "Explain for this platform, e.g. cpu/x86-64-v3 or accel/sm90", 0},
    {"variant", 'v', "NAME", 0,
     "Explain this variant (default: default); one that is not declared is as default, with a warning", 0},
    {"inspect", KEY_INSPECT, NULL, 0, "Accept a platform that this machine does not have", 0},
    {"experimental", KEY_EXPERIMENTAL, NULL, 0, "Let experimental kernels be chosen", 0},
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
    case 'v':
        a->variant = arg;
        return 0;
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
        if (a->op != NULL) {
            say_error("unexpected argument '%s'; see '%s --help'", arg, state->name);
            return EINVAL;
        }
        a->op = arg;
        return 0;
    case ARGP_KEY_END:
        if (a->op == NULL) {
            say_error("no OP given; 'rung resolve' lists them, see '%s --help'", state->name);
            return EINVAL;
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int add_rung(const rung_cell *cell, void *user)
{
    json_add(user, describe_cell_json(cell));
    return 0;
}

static int print_rung(const rung_cell *cell, void *user)
{
    char *place = say_format("%s/%s", cell->device, cell->arch);
    char *reason = describe_reason(cell);
    const char *verdict = cell->chosen                       ? "chosen"
                          : cell->reason == RUNG_REASON_NONE ? "available, further down"
                                                             : reason;
    const char *cells[] = {cell->chosen ? "->" : "", place, cell->variant, verdict, cell->source};
    table_row(user, cells);
    free(place);
    free(reason);
    return 0;
}

static int print_json(const rung_platform *platform, uint32_t op, uint32_t variant)
{
    json_t *root = describe_platform_json(platform);
    json_put(root, "op", json_text(rung_op_name(&rk_registry, op)));
    describe_variant_json(root, variant);
    json_t *rungs = json_array();
    rung_explain(platform, op, variant, add_rung, rungs);
    json_put(root, "rungs", rungs);
    int failed = json_write(root, stdout);
    json_decref(root);
    return failed != 0 ? EXIT_JOB : EXIT_OK;
}

static int print_text(const rung_platform *platform, uint32_t op, uint32_t variant)
{
    static const char *const heads[] = {"", "rung", "variant", "verdict", "source"};
    printf("%s: %s\n", rung_op_name(&rk_registry, op), rung_op_summary(&rk_registry, op));
    printf("on %s (%s)\n\n", rung_platform_text(platform), rung_platform_reason(platform));
    table *t = table_new(5, heads);
    rung_explain(platform, op, variant, print_rung, t);
    table_end(t, stdout, 0);
    return EXIT_OK;
}

int cmd_explain(int argc, char **argv)
{
    static const char doc[] =
        "Every rung of one op along the chain, best first: the kernel that is called, and for every "
        "other one the reason why it is not.";
    const struct argp argp = {options, parse, "OP", doc, NULL, NULL, NULL};
    arguments a = {0};
    int code = cli_parse(&argp, argc, argv, &a);
    if (code != CLI_GO)
        return code;
    uint32_t op = cli_op(a.op);
    if (op == RUNG_NONE)
        return EXIT_USAGE;
    unsigned flags = (a.inspect ? RUNG_OPEN_INSPECT : 0u) | (a.experimental ? RUNG_OPEN_EXPERIMENTAL : 0u);
    rung_platform *platform = cli_platform(a.platform, flags, &code);
    if (platform == NULL)
        return code;
    uint32_t variant = cli_variant_or_default(a.variant);
    code = a.json ? print_json(platform, op, variant) : print_text(platform, op, variant);
    rung_platform_close(platform);
    return code;
}
