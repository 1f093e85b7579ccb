/* SPDX-License-Identifier: Apache-2.0
 *
 * selftest_options.h: the command line of `rung selftest`.
 */
#ifndef RUNG_TOOL_SELFTEST_OPTIONS_H
#define RUNG_TOOL_SELFTEST_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "patterns.h"

typedef struct selftest_options {
    bool merge, json, quick, emulated;
    const char **word; /* ops, or files to merge */
    size_t words;
    patterns only, required;
    uint64_t seed; /* 0: the fixed one */
    const char *output;
} selftest_options;

/* The answer of cli_parse. Names of ops are known to be right then. To be freed in any case. */
int selftest_options_parse(int argc, char **argv, selftest_options *out);
void selftest_options_free(selftest_options *o);

#endif
