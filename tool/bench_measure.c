/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_measure.c: which cells, timing them with progress, and what becomes of it as JSON.
 */
#include "bench_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "json.h"
#include "machine.h"
#include "progress.h"
#include "rk/proof.h"
#include "rk/rk.h"
#include "rung/bench.h"
#include "say.h"

/* ---- the cells that are timed ------------------------------------------------------------------------------------ */

typedef struct choice {
    const bench_options *options;
    bool *fitted;   /* of each pattern */
    patterns names; /* of every cell chosen */
} choice;

static int choose(const rung_cell *cell, void *user)
{
    choice *c = user;
    const bench_options *o = c->options;
    const cell_key key = {cell->op, cell->device, cell->arch, cell->variant};
    bool named = cli_named(o->op, o->ops, cell->op), fits = o->only.count == 0;
    for (size_t i = 0; named && i < o->only.count; i++) {
        if (pattern_fits(o->only.text[i], &key))
            fits = c->fitted[i] = true;
    }
    if (named && fits)
        patterns_add(&c->names, cell_name(&key));
    return 0;
}

static bool choose_all(choice *c)
{
    const bench_options *o = c->options;
    c->fitted = say_alloc((o->only.count + 1) * sizeof *c->fitted);
    memset(c->fitted, 0, (o->only.count + 1) * sizeof *c->fitted);
    (void)rung_matrix(&rk_registry, NULL, choose, c);
    for (size_t i = 0; i < o->only.count; i++) {
        if (!c->fitted[i]) {
            say_error("--only: no cell%s fits '%s'; 'rung matrix --build' lists them",
                      o->ops != 0 ? " of these ops" : "", o->only.text[i]);
            return false;
        }
    }
    return true;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

typedef struct run {
    json_t *results, *left_out;
} run;

static json_t *cell_json(const rung_cell *cell)
{
    json_t *out = json_object();
    json_put(out, "op", json_text(cell->op));
    json_put(out, "device", json_text(cell->device));
    json_put(out, "arch", json_text(cell->arch));
    json_put(out, "variant", json_text(cell->variant));
    return out;
}

static int on_result(const rung_bench_result *r, size_t done, size_t count, void *user)
{
    (void)done;
    (void)count;
    const run *all = user;
    json_t *row = cell_json(&r->cell), *sizes = json_object(), *seconds = json_object();
    for (unsigned i = 0; i < r->op->dim_count; i++)
        json_put(sizes, r->op->args[r->op->dims[i]].name, json_count(r->sizes[i]));
    json_put(row, "sizes", sizes);
    json_put(seconds, "median", json_number(r->median));
    json_put(seconds, "low", json_number(r->low));
    json_put(seconds, "high", json_number(r->high));
    json_put(row, "seconds", seconds);
    json_put(row, "turns", json_count(r->turns));
    json_put(row, "calls", json_count(r->calls));
    json_put(row, "flops", json_number(r->flops));
    json_put(row, "bytes", json_number(r->bytes));
    json_put(row, "gflops", json_number(r->flops > 0 ? r->flops / r->median * 1e-9 : NAN));
    json_put(row, "gb_per_second", json_number(r->bytes / r->median * 1e-9));
    json_put(row, "bound", r->ceiling > 0 ? json_text(r->arithmetic ? "arithmetic" : "memory") : json_null());
    json_put(row, "roof_fraction", json_number(r->ceiling > 0 ? r->ceiling / r->median : NAN));
    json_add(all->results, row);
    return 0;
}

static int on_progress(double part, const char *op, void *user)
{
    (void)user;
    progress_show("timing", part, op);
    return 0;
}

/* A cell whose calls fail is left out at each of its sizes: it is told once. */
static void on_left_out(const rung_cell *cell, const char *why, void *user)
{
    const run *all = user;
    json_t *row = cell_json(cell);
    json_put(row, "why", json_text(why));
    for (size_t i = 0; i < json_array_size(all->left_out); i++) {
        if (json_equal(json_array_get(all->left_out, i), row)) {
            json_decref(row);
            return;
        }
    }
    json_add(all->left_out, row);
}

static json_t *roof_json(const rung_bench_roof *roof)
{
    json_t *out = json_object();
    json_put(out, "copy_bytes_per_second", json_number(roof->copy));
    json_put(out, "f32_flops", json_number(roof->f32));
    json_put(out, "f64_flops", json_number(roof->f64));
    return out;
}

static json_t *date_json(void)
{
    const time_t now = time(NULL);
    struct tm utc;
    char text[32] = "";
    if (gmtime_r(&now, &utc) != NULL)
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return json_text(text);
}

static int time_cells(const choice *c, bench_file *out)
{
    const bench_options *o = c->options;
    rung_bench_roof roof;
    rung_error err;
    run all = {json_array(), json_array()};
    json_t *root = json_object();
    json_put(root, "rung", json_text("bench"));
    json_put(root, "version", json_count(1));
    json_put(root, "namespace", json_text(rung_registry_namespace(&rk_registry)));
    json_put(root, "date", date_json());
    json_put(root, "machine", machine_json());
    json_put(root, "results", all.results);
    json_put(root, "left_out", all.left_out);
    progress_show("roof", -1, "what this machine can do at most");
    rung_status status = o->no_roof ? RUNG_OK : rung_bench_roof_measure(&roof);
    (void)snprintf(err.text, sizeof err.text, "the roofs: %s", rung_status_text(status));
    json_put(root, "roof", o->no_roof || status != RUNG_OK ? json_null() : roof_json(&roof));
    const rung_bench_options options = {.only = c->names.text,
                                        .only_count = c->names.count,
                                        .turns = o->turns,
                                        .seconds = o->seconds,
                                        .roof = o->no_roof ? NULL : &roof,
                                        .progress = on_progress};
    if (status == RUNG_OK)
        status = rung_bench_run(&rk_proof, &options, on_result, on_left_out, &all, &err);
    progress_end();
    if (status != RUNG_OK) {
        say_error("%s", err.text);
        json_decref(root);
        return EXIT_JOB;
    }
    return bench_file_take(root, "this run", out) ? CLI_GO : EXIT_JOB;
}

int bench_measure(const bench_options *options, bench_file *out)
{
    choice c = {.options = options};
    int code = EXIT_USAGE;
    if (choose_all(&c)) {
        progress_begin(!isatty(STDERR_FILENO));
        code = time_cells(&c, out);
    }
    patterns_free(&c.names);
    free(c.fitted);
    return code;
}
