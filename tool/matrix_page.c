/* SPDX-License-Identifier: Apache-2.0
 *
 * matrix_page.c: the page of page/, filled with data.
 */
#include "matrix_page.h"

#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "json.h"
#include "machine_devices.h"

/* page/page.html with its style and script in it; made when the tool is built. */
extern const char matrix_page_template[];

static void put_machine(FILE *to, const char *head, const json_t *machine, const char *how, const char *date)
{
    fprintf(to, "<dt>%s</dt><dd>", head);
    html_text(to, json_word(machine, "processor"));
    fputs(", ", to);
    html_text(to, json_word(machine, "level"));
    char *devices = machine_devices_text(machine);
    html_text(to, devices);
    free(devices);
    fputs(", ", to);
    html_text(to, json_word(machine, "system"));
    if (strcmp(how, "emulator") == 0)
        fputs(", under an emulator", to);
    else if (strcmp(how, "fake driver") == 0)
        fputs(", on the fake driver", to);
    if (date[0] != '\0') {
        fputs(", ", to);
        html_text(to, date);
    }
    fputs("</dd>\n", to);
}

static void put_about(FILE *to, const json_t *data)
{
    const json_t *matrix = json_object_get(data, "matrix");
    const json_t *runs = json_object_get(json_object_get(data, "selftest"), "runs");
    const json_t *bench = json_object_get(data, "bench");
    if (json_object_get(matrix, "platform") == NULL) {
        fputs("<dt>Platform</dt><dd>none: what this build has, wherever it runs</dd>\n", to);
    } else {
        fputs("<dt>Platform</dt><dd><strong>", to);
        html_text(to, json_word(matrix, "platform"));
        fputs("</strong> (", to);
        html_text(to, json_word(matrix, "reason"));
        fputs(")</dd>\n<dt>Rung</dt><dd>", to);
        html_text(to, json_word(matrix, "version"));
        fputs("</dd>\n", to);
    }
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *run = json_array_get(runs, i);
        put_machine(to, "Proven on", json_object_get(run, "machine"), json_word(run, "how"), "");
    }
    if (json_is_object(bench))
        put_machine(to, "Timed on", json_object_get(bench, "machine"), "", json_word(bench, "date"));
}

static void fill(FILE *to, const char *part, const void *user)
{
    const json_t *data = user;
    if (strcmp(part, "namespace") == 0)
        html_text(to, json_word(data, "namespace"));
    else if (strcmp(part, "about") == 0)
        put_about(to, data);
    else if (strcmp(part, "legend") == 0)
        matrix_legend(to, data);
    else if (strcmp(part, "states") == 0)
        matrix_state_options(to, data);
    else if (strcmp(part, "ops") == 0)
        matrix_table(to, data, true);
    else if (strcmp(part, "components") == 0)
        matrix_table(to, data, false);
    else if (strcmp(part, "data") == 0)
        html_json(to, data);
}

void matrix_page_write(FILE *to, const void *data)
{
    html_page(to, matrix_page_template, fill, data);
}
