/* SPDX-License-Identifier: Apache-2.0
 *
 * cli.h: option parsing shared by the commands, on top of argp.
 *
 * argp's own --help and errors come in several lines and leave the program; here an error is one line, and the caller
 * decides what follows.
 */
#ifndef RUNG_TOOL_CLI_H
#define RUNG_TOOL_CLI_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "rung/rung.h"

/* Parses; argv[0] is the name for the help text, e.g. "rung tfa". Adds --help, --usage and --version. The parser
 * reports its own errors with say_error and returns EINVAL. The answer is CLI_GO, or else the exit code. */
enum { CLI_GO = -1 };
int cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/* Values of options; false after an error line. `name` is the option as typed. */
bool cli_whole(const char *name, const char *text, long long least, long long most, long long *out);
bool cli_real(const char *name, const char *text, double least, double most, double *out);

/* Whether --python names a Python, NULL being none named; false after an error line. */
bool cli_python(const char *path);

/* Opens a platform for a command; on failure one line, and *code is the exit code. */
rung_platform *cli_platform(const char *chain, unsigned flags, int *code);
/* The same for a command with --inspect, which the line names where it would have helped. */
rung_platform *cli_platform_shown(const char *chain, unsigned flags, int *code);
/* Whether results are of the registry of this tool; an error line otherwise, which names their file. */
bool cli_own_registry(const char *path, const char *name_space);
/* What a name stands for: the id of an op or of a kind of components, the other one RUNG_NONE. False after an error
 * line with what there is. */
typedef struct cli_thing {
    uint32_t op, kind;
} cli_thing;
bool cli_find(const char *name, cli_thing *out);
/* Whether a name is that of an op, which has kernels; false after an error line. */
bool cli_op(const char *name);
/* Whether an op is among those named; every one is where none is named. */
bool cli_named(const char *const *ops, size_t count, const char *op);
/* The id; RUNG_NONE after an error line: a long job is not started on what is most likely a typing error. */
unsigned cli_variant(const char *name);
/* The id, NULL being `default`. A variant that nobody declared resolves as `default`, and a warning says so: its id is
 * one that the registry does not have. */
unsigned cli_variant_or_default(const char *name);

#endif
