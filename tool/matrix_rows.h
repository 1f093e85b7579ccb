/* SPDX-License-Identifier: Apache-2.0
 *
 * matrix_rows.h: the columns and rows of the page of `rung matrix`.
 */
#ifndef RUNG_TOOL_MATRIX_ROWS_H
#define RUNG_TOOL_MATRIX_ROWS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "rung/rung.h"

#define MATRIX_NO_PLATFORM SIZE_MAX

typedef struct matrix_column {
    const char *device, *arch; /* of the registry; arch NULL: the device itself, before its archs */
    size_t platform;           /* among the platforms, or MATRIX_NO_PLATFORM */
} matrix_column;

typedef struct matrix_columns {
    matrix_column *column;
    size_t count;
    rung_platform **platform; /* [0]: the one that is shown, which stays its owner's */
    size_t platforms;         /* 0: none, only what the build knows is shown */
} matrix_columns;

/* Every device, those of the shown chain first, and its archs in the registry's order, with a platform opened for each
 * that can be named. */
void matrix_columns_open(matrix_columns *out, rung_platform *shown);
void matrix_columns_close(matrix_columns *columns);

/* Puts "ops" and "components" of matrix_data.h to `root`; `texts` receives what ladders say. selftest may be NULL. */
void matrix_rows_put(json_t *root, const matrix_columns *columns, json_t *texts, const json_t *selftest);

#endif
