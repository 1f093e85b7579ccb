/* SPDX-License-Identifier: Apache-2.0
 *
 * describe.h: platforms and cells as JSON and as words, the same in every command.
 */
#ifndef RUNG_TOOL_DESCRIBE_H
#define RUNG_TOOL_DESCRIBE_H

#include <jansson.h>
#include <stdio.h>

#include "rung/rung.h"

/* "accel/sm90 > accel/generic > cpu/x86-64-v3 > cpu/generic". Free it. */
char *describe_chain(const rung_platform *platform);
/* "not built", "CPU lacks avx512f": the reason with its figures; "" when available. Free it. */
char *describe_reason(rung_reason reason, const char *detail);

/* {platform, reason, version, chain: [...]}. */
json_t *describe_platform_json(const rung_platform *platform);
json_t *describe_candidates_json(const rung_platform *platform);
json_t *describe_cell_json(const rung_cell *cell);
json_t *describe_component_json(const rung_component_cell *cell);
/* Puts the variant that is resolved, and whether it stands for one that nobody declared. */
void describe_variant_json(json_t *to, uint32_t variant);

/* One line for each rejected candidate: "  cuda  not built: ...". */
void describe_candidates(const rung_platform *platform, FILE *to);

#endif
