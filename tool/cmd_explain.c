/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_explain.c: `rung explain OP|COMPONENT`.
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
    const char *name, *platform, *variant;
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
        if (a->name != NULL) {
            say_error("unexpected argument '%s'; see '%s --help'", arg, state->name);
            return EINVAL;
        }
        a->name = arg;
        return 0;
    case ARGP_KEY_END:
        if (a->name == NULL) {
            say_error("no OP or COMPONENT given; 'rung resolve' lists them, see '%s --help'", state->name);
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

static int add_builder(const rung_component_cell *cell, void *user)
{
    json_add(user, describe_component_json(cell));
    return 0;
}

static void print_rung(table *t, char *place, const char *variant, int chosen, rung_reason reason, const char *detail,
                       const char *source)
{
    char *why = describe_reason(reason, detail);
    const char *verdict = chosen ? "chosen" : reason == RUNG_REASON_NONE ? "available, further down" : why;
    const char *cells[] = {chosen ? "->" : "", place, variant, verdict, source};
    table_row(t, cells);
    free(why);
    free(place);
}

static int print_kernel(const rung_cell *c, void *user)
{
    print_rung(user, say_format("%s/%s", c->device, c->arch), c->variant, c->chosen, c->reason, c->detail, c->source);
    return 0;
}

static int print_builder(const rung_component_cell *c, void *user)
{
    print_rung(user, say_format("%s", c->device), c->variant, c->chosen, c->reason, c->detail, c->source);
    return 0;
}

static int print_json(const rung_platform *platform, cli_thing what, uint32_t variant)
{
    json_t *root = describe_platform_json(platform);
    json_t *rungs = json_array();
    if (what.op != RUNG_NONE) {
        json_put(root, "op", json_text(rung_op_name(&rk_registry, what.op)));
        rung_explain(platform, what.op, variant, add_rung, rungs);
    } else {
        json_put(root, "component", json_text(rung_kind_name(&rk_registry, what.kind)));
        rung_component_explain(platform, what.kind, variant, add_builder, rungs);
    }
    describe_variant_json(root, variant);
    json_put(root, "rungs", rungs);
    int failed = json_write(root, stdout);
    json_decref(root);
    return failed != 0 ? EXIT_JOB : EXIT_OK;
}

static int print_text(const rung_platform *platform, cli_thing what, uint32_t variant)
{
    static const char *const heads[] = {"", "rung", "variant", "verdict", "source"};
    bool op = what.op != RUNG_NONE;
    printf("%s: %s\n", op ? rung_op_name(&rk_registry, what.op) : rung_kind_name(&rk_registry, what.kind),
           op ? rung_op_summary(&rk_registry, what.op) : rung_kind_summary(&rk_registry, what.kind));
    printf("on %s (%s)\n\n", rung_platform_text(platform), rung_platform_reason(platform));
    table *t = table_new(5, heads);
    if (op)
        rung_explain(platform, what.op, variant, print_kernel, t);
    else
        rung_component_explain(platform, what.kind, variant, print_builder, t);
    table_end(t, stdout, 0);
    return EXIT_OK;
}

int cmd_explain(int argc, char **argv)
{
    static const char doc[] =
        "Every rung of one op or component along the chain, best first: the kernel or builder that is called, and for "
        "every other one the reason why it is not.";
    const struct argp argp = {options, parse, "OP|COMPONENT", doc, NULL, NULL, NULL};
    arguments a = {0};
    int code = cli_parse(&argp, argc, argv, &a);
    if (code != CLI_GO)
        return code;
    cli_thing what;
    if (!cli_find(a.name, &what))
        return EXIT_USAGE;
    unsigned flags = (a.inspect ? RUNG_OPEN_INSPECT : 0u) | (a.experimental ? RUNG_OPEN_EXPERIMENTAL : 0u);
    rung_platform *platform = cli_platform_shown(a.platform, flags, &code);
    if (platform == NULL)
        return code;
    uint32_t variant = cli_variant_or_default(a.variant);
    code = a.json ? print_json(platform, what, variant) : print_text(platform, what, variant);
    rung_platform_close(platform);
    return code;
}
