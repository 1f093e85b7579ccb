/* SPDX-License-Identifier: Apache-2.0
 *
 * tune_show.c: what was compared and decided, as a table, as JSON and as the proposal.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "machine_devices.h"
#include "rk/rk.h"
#include "say.h"
#include "table.h"
#include "tune.h"

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* "1.25 1.31": one ratio for each size. */
static char *ratios(const tune_row *row)
{
    char *text = say_format("%s", "");
    for (size_t i = 0; i < row->sizes; i++) {
        char *longer = say_format("%s%s%.2f", text, i != 0 ? " " : "", row->size[i].ratio);
        free(text);
        text = longer;
    }
    return text;
}

static void print_row(table *t, const tune_row *row)
{
    const cell_key key = {row->op, row->device, row->arch, row->variant};
    char *kernel = cell_place(&key), *faster = say_format("%+.0f %%", 100 * (row->ratio - 1)), *each = ratios(row);
    const char *cells[] = {row->op,
                           kernel,
                           row->now != NULL ? row->now : "-",
                           !row->change            ? ""
                           : row->proposed != NULL ? row->proposed
                                                   : "none",
                           row->against,
                           faster,
                           each,
                           row->why};
    table_row(t, cells);
    free(kernel);
    free(faster);
    free(each);
}

void tune_print(const tune_table *t, FILE *to)
{
    static const char *const heads[] = {"op", "kernel", "now after", "proposed", "against", "margin", "each size", ""};
    if (t->count != 0) {
        table *rows = table_new(8, heads);
        for (size_t i = 0; i < t->count; i++)
            print_row(rows, &t->row[i]);
        table_end(rows, to, 0);
        fputc('\n', to);
    }
    char *devices = machine_devices_text(t->bench->machine);
    say_to(to, "measured on %s (%s)%s, %s; proposed from %g %% on", t->bench->processor, t->bench->level, devices,
           t->bench->system, 100 * t->margin);
    free(devices);
    if (t->changes == 0)
        say_to(to, "nothing to propose");
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static json_t *part_of(const bench_row *row, const char *name)
{
    return json_incref(json_object_get(row->json, name));
}

static json_t *row_json(const tune_row *row)
{
    json_t *object = json_object(), *measured = json_array();
    json_put(object, "op", json_text(row->op));
    json_put(object, "device", json_text(row->device));
    json_put(object, "arch", json_text(row->arch));
    json_put(object, "variant", json_text(row->variant));
    json_put(object, "now", json_text(row->now));
    json_put(object, "proposed", json_text(row->proposed));
    json_put(object, "change", json_boolean(row->change));
    json_put(object, "against", json_text(row->against));
    json_put(object, "ratio", json_number(row->ratio));
    json_put(object, "why", json_text(row->why));
    for (size_t i = 0; i < row->sizes; i++) {
        json_t *size = json_object();
        json_put(size, "sizes", part_of(row->size[i].newer, "sizes"));
        json_put(size, "seconds", part_of(row->size[i].newer, "seconds"));
        json_put(size, "against_seconds", part_of(row->size[i].older, "seconds"));
        json_put(size, "ratio", json_number(row->size[i].ratio));
        json_add(measured, size);
    }
    json_put(object, "measured", measured);
    return object;
}

json_t *tune_json(const tune_table *t)
{
    json_t *root = json_object(), *rows = json_array();
    json_put(root, "rung", json_text("tune"));
    json_put(root, "version", json_count(1));
    json_put(root, "namespace", json_text(rung_registry_namespace(&rk_registry)));
    json_put(root, "machine", bench_file_machine(t->bench));
    json_put(root, "margin", json_number(t->margin));
    for (size_t i = 0; i < t->count; i++)
        json_add(rows, row_json(&t->row[i]));
    json_put(root, "rows", rows);
    return root;
}

/* ---- the proposal ------------------------------------------------------------------------------------------------ */

/* On one line: JSON is YAML as well. The value is taken over. */
static void put_flow(FILE *to, const char *head, json_t *value)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6));
    json_decref(value);
    if (text == NULL) {
        say_error("out of memory");
        exit(EXIT_JOB);
    }
    fprintf(to, "%s%s\n", head, text);
    free(text);
}

/* With a point and an exponent, as YAML 1.1 wants numbers; micro- and nanoseconds keep their digits. */
static void put_seconds(FILE *to, const char *arch, const bench_row *row)
{
    fprintf(to, "{kernel: \"%s\", median: %.4e, low: %.4e, high: %.4e}", arch, row->median, row->low, row->high);
}

static void put_change(FILE *to, const tune_row *row)
{
    fprintf(to, "  # %s\n", row->why);
    fprintf(to, "  - op: \"%s\"\n", row->op);
    fprintf(to, "    kernel: \"%s/%s\"\n", row->device, row->arch);
    if (strcmp(row->variant, "default") != 0)
        fprintf(to, "    variant: \"%s\"\n", row->variant);
    put_flow(to, "    after: ", json_text(row->proposed));
    put_flow(to, "    was: ", json_text(row->now));
    fprintf(to, "    ratio: %.3f # of the times of both, the geometric mean\n", row->ratio);
    fputs("    measured: # seconds a call: medians and quartiles\n", to);
    for (size_t i = 0; i < row->sizes; i++) {
        const tune_size *at = &row->size[i];
        put_flow(to, "      - sizes: ", part_of(at->newer, "sizes"));
        fputs("        seconds: [", to);
        put_seconds(to, row->arch, at->newer);
        fputs(",\n                  ", to);
        put_seconds(to, row->against, at->older);
        fputs("]\n", to);
    }
}

void tune_write(FILE *to, const void *table)
{
    const tune_table *t = table;
    char date[16] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL)
        strftime(date, sizeof date, "%Y-%m-%d", &utc);
    fputs("# A proposal of `rung tune`: `python3 -m codegen tune FILE` shows what it changes. docs/tuning.md\n", to);
    fputs("rung: tune\nversion: 1\n", to);
    fprintf(to, "namespace: \"%s\"\ndate: \"%s\"\ntool: \"%s\"\n", rung_registry_namespace(&rk_registry), date,
            RUNG_VERSION_STRING);
    put_flow(to, "machine: ", bench_file_machine(t->bench));
    put_flow(to, "proof: ", json_incref(t->proofs->runs));
    fprintf(to, "margin: %.4f\n", t->margin);
    if (t->changes == 0)
        fputs("changes: []\n", to);
    else
        fputs("changes:\n", to);
    for (size_t i = 0; i < t->count; i++)
        if (t->row[i].change)
            put_change(to, &t->row[i]);
}
