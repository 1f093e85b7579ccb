/* SPDX-License-Identifier: Apache-2.0
 *
 * html.h: text and data put into HTML, harmless whatever they hold.
 */
#ifndef RUNG_TOOL_HTML_H
#define RUNG_TOOL_HTML_H

#include <jansson.h>
#include <stdio.h>

/* Text for an element or for an attribute in double quotes; control characters become '?'. */
void html_text(FILE *to, const char *text);
/* JSON for an element <script type="application/json">: no '<' stands in it. */
void html_json(FILE *to, const json_t *value);

/* Writes `page`, calling `fill` where {{name}} stands in it. */
typedef void html_fill(FILE *to, const char *name, const void *user);
void html_page(FILE *to, const char *page, html_fill *fill, const void *user);

#endif
