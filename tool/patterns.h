/* SPDX-License-Identifier: Apache-2.0
 *
 * patterns.h: patterns that choose cells, as rung/proof.h has them.
 */
#ifndef RUNG_TOOL_PATTERNS_H
#define RUNG_TOOL_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>

/* The names of a cell. */
typedef struct cell_key {
    const char *op, *device, *arch, *variant;
} cell_key;

typedef struct patterns {
    const char **text; /* of the command line, or of patterns_add */
    size_t count;
} patterns;

/* "op device/arch/variant". Free it. */
char *cell_name(const cell_key *key);
/* Where it stands, for people: "cpu/x86-64-v4", "cuda/sm80 cublas". Free it. */
char *cell_place(const cell_key *key);
/* Whether the pattern, as of fnmatch(3), fits "op device/arch/variant", "device/arch" or "op". */
bool pattern_fits(const char *pattern, const cell_key *key);
/* Whether one of them does. */
bool patterns_fit(const patterns *all, const cell_key *key);
/* Adds one that is taken over: cell_name is a pattern that fits this cell alone. */
void patterns_add(patterns *all, char *text);
/* Of what patterns_add has added. */
void patterns_free(patterns *all);

#endif
