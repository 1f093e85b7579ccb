/* SPDX-License-Identifier: Apache-2.0
 *
 * matrix_page.h: the matrix as a page for a browser.
 */
#ifndef RUNG_TOOL_MATRIX_PAGE_H
#define RUNG_TOOL_MATRIX_PAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Before the work: whether a file can be written at `path`. Its folder exists, it is a file or not there, and none of
 * the inputs. Error line and false otherwise. `path` has to stay. Uses staging.h: once in a process. */
bool matrix_page_begin(const char *path, const char *const *inputs, size_t count);
/* The page of matrix_page_data, there as a whole or not at all. Error line and false when it could not be written. */
bool matrix_page_write(const json_t *data);

/* The parts of the page that are made of the data, for matrix_page.c. */
void matrix_legend(FILE *to, const json_t *data);
void matrix_state_options(FILE *to, const json_t *data);
void matrix_table(FILE *to, const json_t *data, bool ops);

#endif
