/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_options.h: the command line of `rung bench`.
 */
#ifndef RUNG_TOOL_BENCH_OPTIONS_H
#define RUNG_TOOL_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "patterns.h"

typedef struct bench_options {
    const char **op; /* names on the command line; none: all */
    size_t ops;
    patterns only;
    unsigned turns; /* 0: as the library has it */
    double seconds;
    bool no_roof, json, fail_if_slower;
    const char *output, *compare, *plot; /* files */
    const char *from;                    /* a file with results, instead of measuring */
} bench_options;

/* CLI_GO, or the exit code. */
int bench_options_parse(int argc, char **argv, bench_options *out);
void bench_options_free(bench_options *options);

#endif
