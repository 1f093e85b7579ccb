/* SPDX-License-Identifier: Apache-2.0
 *
 * output.h: one file as the result of a command, there as a whole or not at all.
 */
#ifndef RUNG_TOOL_OUTPUT_H
#define RUNG_TOOL_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Before the work: whether `path` can be written. It is in a folder that exists, and is none of the files that are
 * read; what exists is a file, not a device or a pipe. A link is followed, and stays. Error line and false otherwise.
 * Uses staging.h. */
bool output_begin(const char *path, const char *const *inputs, size_t count);
/* The name that output_begin has staged the file by. */
const char *output_name(void);
/* Whether two paths name one file, which need not exist. */
bool output_same(const char *a, const char *b);
/* After it. Error line and false when the disk refuses. */
bool output_commit(const json_t *root);
/* The same of what `write` puts to the file, whose errors are looked for afterwards. */
typedef void output_fn(FILE *to, const void *data);
bool output_commit_by(output_fn *write, const void *data);
/* Writes the staged result `name`, of output_begin's or a caller's own staging, and settles it. The same. */
bool output_json(const json_t *root, const char *name);

#endif
