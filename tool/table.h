/* SPDX-License-Identifier: Apache-2.0
 *
 * table.h: aligned columns for a terminal.
 */
#ifndef RUNG_TOOL_TABLE_H
#define RUNG_TOOL_TABLE_H

#include <stdio.h>

typedef struct table table;

/* `heads` has `columns` titles; NULL for a table without a heading. */
table *table_new(unsigned columns, const char *const *heads);
/* Appends a row; the texts are copied and made safe to show. */
void table_row(table *t, const char *const *cells);
/* Writes every row after `indent` spaces, and frees the table; NULL: only the latter. */
void table_end(table *t, FILE *to, unsigned indent);

#endif
