/* SPDX-License-Identifier: Apache-2.0
 *
 * cli.c: argp, one line per error.
 */
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rk/rk.h"
#include "rung/frameworks.h"
#include "say.h"

enum { KEY_USAGE = 1000, KEY_VERSION };

typedef struct parse_state {
    void *input;
    int answer; /* CLI_GO, or the exit code after --help and the like */
    int next;   /* argument after the one that getopt did not understand */
} parse_state;

static const struct argp_option common_options[] = {
    {"help", '?', NULL, 0, "Give this help list", -1},
    {"usage", KEY_USAGE, NULL, 0, "Give a short usage message", -1},
    {"version", KEY_VERSION, NULL, 0, "Print the version", -1},
    {0},
};

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
    (void)arg;
    parse_state *p = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = p->input;
        return 0;
    case '?':
        argp_help(state->root_argp, stdout, ARGP_HELP_USAGE | ARGP_HELP_DOC | ARGP_HELP_LONG, state->name);
        break;
    case KEY_USAGE:
        argp_help(state->root_argp, stdout, ARGP_HELP_USAGE, state->name);
        break;
    case KEY_VERSION:
        puts("rung " RUNG_VERSION_STRING);
        break;
    case ARGP_KEY_ERROR:
        p->next = state->next;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    p->answer = EXIT_OK;
    return ECANCELED;
}

/* After a long option getopt stands behind it; within a cluster of short ones still on it. */
static const char *misunderstood(int argc, char **argv, int next)
{
    if (next >= 1 && next <= argc && argv[next - 1][0] == '-')
        return argv[next - 1];
    return next >= 1 && next < argc ? argv[next] : "";
}

int cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    struct argp inner = *argp;
    inner.args_doc = NULL;
    inner.doc = NULL;
    const struct argp_child children[] = {{&inner, 0, NULL, 0}, {0}};
    const struct argp outer = {common_options, parse_common, argp->args_doc, argp->doc, children, NULL, NULL};
    parse_state state = {input, CLI_GO, 0};
    unsigned before = say_errors();
    error_t err = argp_parse(&outer, argc, argv, ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP, NULL, &state);
    if (err == 0 || state.answer != CLI_GO)
        return state.answer;
    if (say_errors() == before)
        say_error("unknown or incomplete option '%s'; see '%s --help'", misunderstood(argc, argv, state.next), argv[0]);
    return EXIT_USAGE;
}

bool cli_whole(const char *name, const char *text, long long least, long long most, long long *out)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0') {
        say_error("%s: '%s' is not a whole number", name, text);
        return false;
    }
    if (errno == ERANGE || value < least || value > most) {
        say_error("%s: %s is out of range; it must be %lld to %lld", name, text, least, most);
        return false;
    }
    *out = value;
    return true;
}

bool cli_real(const char *name, const char *text, double least, double most, double *out)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value)) {
        say_error("%s: '%s' is not a number", name, text);
        return false;
    }
    if (value < least || value > most) {
        say_error("%s: %s is out of range; it must be %g to %g", name, text, least, most);
        return false;
    }
    *out = value;
    return true;
}

bool cli_python(const char *path)
{
    if (path == NULL)
        return true;
    rung_python python;
    rung_python_detect(path, &python);
    if (python.prefix[0] != '\0')
        return true;
    say_error("--python: %s", python.framework[0].detail);
    return false;
}

/* Tells why a platform was not opened, with `more` after it. The exit code. */
static int refused(rung_status status, const rung_error *err, const char *more)
{
    say_error("%s%s", err->text, more);
    return status == RUNG_ERR_SYNTAX || status == RUNG_ERR_UNKNOWN ? EXIT_USAGE
           : status == RUNG_ERR_MEMORY                             ? EXIT_JOB
                                                                   : EXIT_PLATFORM;
}

rung_platform *cli_platform(const char *chain, unsigned flags, int *code)
{
    rung_platform *platform = NULL;
    rung_error err;
    rung_status status = rung_platform_open(&rk_registry, chain, flags, &platform, &err);
    if (status != RUNG_OK)
        *code = refused(status, &err, "");
    return platform;
}

rung_platform *cli_platform_shown(const char *chain, unsigned flags, int *code)
{
    rung_platform *platform = NULL, *inspected = NULL;
    rung_error err;
    rung_status status = rung_platform_open(&rk_registry, chain, flags, &platform, &err);
    if (status == RUNG_OK)
        return platform;
    bool helps = status == RUNG_ERR_UNAVAILABLE && (flags & RUNG_OPEN_INSPECT) == 0 &&
                 rung_platform_open(&rk_registry, chain, flags | RUNG_OPEN_INSPECT, &inspected, NULL) == RUNG_OK;
    rung_platform_close(inspected);
    *code = refused(status, &err, helps ? "; --inspect shows it all the same" : "");
    return NULL;
}

bool cli_own_registry(const char *path, const char *name_space)
{
    const char *own = rung_registry_namespace(&rk_registry);
    if (name_space != NULL && strcmp(name_space, own) == 0)
        return true;
    say_error("%s is of the registry '%s', not of '%s'", path, name_space != NULL ? name_space : "", own);
    return false;
}

/* "a, b, c" of the names of ids 0 .. count-1. */
static char *names(unsigned count, const char *(*name)(const rung_registry *, uint32_t))
{
    char *list = say_format("%s", "");
    for (unsigned i = 0; i < count; i++) {
        char *longer = say_format("%s%s%s", list, i != 0 ? ", " : "", name(&rk_registry, i));
        free(list);
        list = longer;
    }
    return list;
}

bool cli_find(const char *name, cli_thing *out)
{
    *out = (cli_thing){rung_op_find(&rk_registry, name), rung_kind_find(&rk_registry, name)};
    if (out->op != RUNG_NONE || out->kind != RUNG_NONE)
        return true;
    char *ops = names(rung_op_count(&rk_registry), rung_op_name);
    char *kinds = names(rung_kind_count(&rk_registry), rung_kind_name);
    say_error("no op or component '%s'; there are: %s, %s", name, ops, kinds);
    free(ops);
    free(kinds);
    return false;
}

bool cli_op(const char *name)
{
    rung_cell cell;
    rung_error err;
    if (rung_op_find(&rk_registry, name) != RUNG_NONE)
        return true;
    if (rung_kind_find(&rk_registry, name) != RUNG_NONE)
        say_error("%s is a component: only ops have kernels", name);
    else if (rung_cell_find(&rk_registry, name, "cpu", "generic", NULL, &cell, &err) != RUNG_OK)
        say_error("%s", err.text); /* with the nearest names */
    return false;
}

bool cli_named(const char *const *ops, size_t count, const char *op)
{
    bool named = count == 0;
    for (size_t i = 0; i < count; i++)
        named = named || strcmp(ops[i], op) == 0;
    return named;
}

unsigned cli_variant_or_default(const char *name)
{
    if (name == NULL)
        return 0;
    uint32_t variant = rung_variant_find(&rk_registry, name);
    if (variant != RUNG_NONE)
        return variant;
    char *list = names(rung_variant_count(&rk_registry), rung_variant_name);
    say_warning("variant '%s' is not declared and resolves as default; there are: %s", name, list);
    free(list);
    return rung_variant_count(&rk_registry);
}

unsigned cli_variant(const char *name)
{
    uint32_t variant = rung_variant_find(&rk_registry, name);
    if (variant == RUNG_NONE) {
        char *list = names(rung_variant_count(&rk_registry), rung_variant_name);
        say_error("no variant '%s'; there are: %s", name, list);
        free(list);
    }
    return variant;
}
