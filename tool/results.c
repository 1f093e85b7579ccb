/* SPDX-License-Identifier: Apache-2.0
 *
 * results.c: results by the kernels that they are of.
 */
#include "results.h"

#include <stdlib.h>

#include "bench_file.h"
#include "cli.h"
#include "json.h"
#include "proofs.h"
#include "rk/rk.h"
#include "say.h"

/* "op/device/arch/variant" of a kernel of the registry; NULL when it has none of this name. Free it. */
static char *key_of(const char *op, const char *device, const char *arch, const char *variant)
{
    rung_cell cell;
    if (rung_cell_find(&rk_registry, op, device, arch, variant, &cell, NULL) != RUNG_OK)
        return NULL;
    return say_format("%s/%s/%s/%s", op, device, arch, variant);
}

static void put_unknown(json_t *to, const char *path, unsigned long long unknown)
{
    json_put(to, "unknown", json_count(unknown));
    if (unknown != 0)
        say_warning("%s: %llu of its results are of kernels that the registry does not have", path, unknown);
}

json_t *results_selftest(const char *path)
{
    proofs *p = proofs_read(path);
    if (p == NULL || !cli_own_registry(path, p->name_space)) {
        proofs_free(p);
        return NULL;
    }
    json_t *root = proofs_json(p), *out = json_object(), *by_key = json_object();
    json_put(out, "runs", json_incref(p->runs));
    json_put(out, "cells", by_key);
    unsigned long long unknown = 0;
    for (size_t i = 0; i < p->count; i++) {
        char *key = key_of(p->row[i].op, p->row[i].device, p->row[i].arch, p->row[i].variant);
        if (key != NULL) {
            json_t *proof = json_array_get(json_object_get(root, "cells"), i);
            if (!p->merged)
                json_put(proof, "run", json_count(0));
            json_put(by_key, key, json_incref(proof));
        }
        unknown += key == NULL;
        free(key);
    }
    put_unknown(out, path, unknown);
    json_decref(root);
    proofs_free(p);
    return out;
}

static json_t *bench_json(const bench_file *f)
{
    static const char *const names[] = {"sizes", "seconds", "gflops", "gb_per_second", "bound", "roof_fraction", NULL};
    json_t *out = json_object(), *by_key = json_object();
    json_put(out, "machine", bench_file_machine(f));
    json_put(out, "date", json_text(f->date));
    json_put(out, "roof", json_incref(json_object_get(f->root, "roof")));
    json_put(out, "results", by_key);
    unsigned long long unknown = 0;
    for (size_t i = 0; i < f->count; i++) {
        char *key = key_of(f->row[i].op, f->row[i].device, f->row[i].arch, f->row[i].variant);
        if (key != NULL && json_object_get(by_key, key) == NULL)
            json_put(by_key, key, json_array());
        if (key != NULL)
            json_add(json_object_get(by_key, key), json_members(f->row[i].json, names));
        unknown += key == NULL;
        free(key);
    }
    put_unknown(out, f->name, unknown);
    return out;
}

json_t *results_bench(const char *path)
{
    bench_file file;
    if (!bench_file_read(path, &file))
        return NULL;
    json_t *out = NULL;
    if (cli_own_registry(path, file.name_space))
        out = bench_json(&file);
    bench_file_free(&file);
    return out;
}
