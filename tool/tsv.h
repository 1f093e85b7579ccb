/* SPDX-License-Identifier: Apache-2.0
 *
 * tsv.h: tables of numbers as text. Numbers come back as the same doubles, in any locale.
 */
#ifndef RUNG_TOOL_TSV_H
#define RUNG_TOOL_TSV_H

#include <stdbool.h>

#include "htfa.h"

/* All write a file at `path`, which error lines call `name`; false after one. */
bool tsv_factors(const char *path, const char *name, const rung_tfa_result *result);
bool tsv_template(const char *path, const char *name, const rung_htfa_result *result);
bool tsv_weights(const char *path, const char *name, const rung_tfa_result *result);

#endif
