/* SPDX-License-Identifier: Apache-2.0
 *
 * matrix_page.h: the matrix as a page for a browser.
 */
#ifndef RUNG_TOOL_MATRIX_PAGE_H
#define RUNG_TOOL_MATRIX_PAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The page of matrix_page_data; of the type output_fn. */
void matrix_page_write(FILE *to, const void *data);

/* The parts of the page that are made of the data, for matrix_page.c. */
void matrix_legend(FILE *to, const json_t *data);
void matrix_state_options(FILE *to, const json_t *data);
void matrix_table(FILE *to, const json_t *data, bool ops);

#endif
