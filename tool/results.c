/* SPDX-License-Identifier: Apache-2.0
 *
 * results.c: files of other machines, of which nothing is taken that is not checked.
 */
#include "results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "rk/rk.h"
#include "say.h"

typedef enum field_type { TEXT, WORD, COUNT, NUMBER, FLAG } field_type;

typedef struct field {
    const char *name;
    field_type type;
    bool null;                /* null may stand in its place */
    const char *const *words; /* WORD: those that may stand, ended by NULL */
} field;

static const char *const states[] = {"passed", "failed", "unproven", "missed", NULL};
static const char *const hows[] = {"native", "emulator", "fake driver", NULL};
static const char *const bounds[] = {"arithmetic", "memory", NULL};

static const field machine_fields[] = {{"processor", TEXT, false, NULL},
                                       {"level", TEXT, false, NULL},
                                       {"system", TEXT, false, NULL},
                                       {NULL, TEXT, false, NULL}};
static const field run_fields[] = {{"how", WORD, false, hows}, {"seed", TEXT, false, NULL}, {NULL, TEXT, false, NULL}};
static const field proof_fields[] = {
    {"state", WORD, false, states},     {"how", WORD, false, hows},       {"cases", COUNT, false, NULL},
    {"checks", COUNT, false, NULL},     {"failures", COUNT, false, NULL}, {"worst", NUMBER, true, NULL},
    {"worst_wide", NUMBER, true, NULL}, {"examples", COUNT, false, NULL}, {"registers", FLAG, false, NULL},
    {"why", TEXT, false, NULL},         {NULL, TEXT, false, NULL}};
static const field roof_fields[] = {{"copy_bytes_per_second", NUMBER, false, NULL},
                                    {"f32_flops", NUMBER, false, NULL},
                                    {"f64_flops", NUMBER, false, NULL},
                                    {NULL, TEXT, false, NULL}};
static const field seconds_fields[] = {{"median", NUMBER, false, NULL},
                                       {"low", NUMBER, false, NULL},
                                       {"high", NUMBER, false, NULL},
                                       {NULL, TEXT, false, NULL}};
static const field time_fields[] = {
    {"turns", COUNT, false, NULL}, {"calls", COUNT, false, NULL},         {"flops", NUMBER, true, NULL},
    {"bytes", NUMBER, true, NULL}, {"gflops", NUMBER, true, NULL},        {"gb_per_second", NUMBER, true, NULL},
    {"bound", WORD, true, bounds}, {"roof_fraction", NUMBER, true, NULL}, {NULL, TEXT, false, NULL}};

static const char *what_it_should_be(field_type type)
{
    static const char *const text[] = {"a text", "a word that is known", "a count", "a number that is not negative",
                                       "true or false"};
    return text[type];
}

static bool fits(const json_t *value, const field *f)
{
    switch (f->type) {
    case TEXT:
        return json_is_string(value);
    case WORD:
        for (const char *const *word = f->words; json_is_string(value) && *word != NULL; word++)
            if (strcmp(json_string_value(value), *word) == 0)
                return true;
        return false;
    case COUNT:
        return json_is_integer(value) && json_integer_value(value) >= 0;
    case NUMBER:
        return json_is_number(value) && json_number_value(value) >= 0;
    default:
        return json_is_boolean(value);
    }
}

/* "cells[3].state"; where NULL: of the file itself. Free it. */
static char *join(const char *where, const char *name)
{
    return where != NULL ? say_format("%s.%s", where, name) : say_format("%s", name);
}

static void say_wrong(const char *path, const char *where, const char *name, const char *should, bool null)
{
    char *full = join(where, name);
    say_error("%s: %s is not %s%s", path, full, should, null ? " or null" : "");
    free(full);
}

/* Puts the fields of `from` to `to`. `where` is what error lines call `from`. */
static bool take(const char *path, const char *where, const json_t *from, const field *fields, json_t *to)
{
    for (const field *f = fields; f->name != NULL; f++) {
        json_t *value = json_object_get(from, f->name);
        if (!(f->null && json_is_null(value)) && !fits(value, f)) {
            say_wrong(path, where, f->name, what_it_should_be(f->type), f->null);
            return false;
        }
        json_put(to, f->name, json_incref(value));
    }
    return true;
}

/* The same of from[name], into an object that becomes to[name]. */
static bool take_part(const char *path, const char *where, const json_t *from, const char *name, const field *fields,
                      json_t *to)
{
    const json_t *value = json_object_get(from, name);
    if (!json_is_object(value)) {
        say_wrong(path, where, name, "an object", false);
        return false;
    }
    json_t *part = json_object();
    json_put(to, name, part);
    char *full = join(where, name);
    bool good = take(path, full, value, fields, part);
    free(full);
    return good;
}

/* The key of a kernel of the registry; NULL when it has none of this name. Free it. *good is false after an error
 * line. */
static char *key_of(const char *path, const char *where, const json_t *from, bool *good)
{
    static const char *const names[] = {"op", "device", "arch", "variant"};
    const char *text[4];
    for (size_t i = 0; i < 4; i++) {
        text[i] = json_string_value(json_object_get(from, names[i]));
        if (text[i] == NULL) {
            say_wrong(path, where, names[i], what_it_should_be(TEXT), false);
            *good = false;
            return NULL;
        }
    }
    rung_cell cell;
    if (rung_cell_find(&rk_registry, text[0], text[1], text[2], text[3], &cell, NULL) != RUNG_OK)
        return NULL;
    return say_format("%s/%s/%s/%s", text[0], text[1], text[2], text[3]);
}

/* The file, when it is one of this kind, version and registry. NULL after an error line. */
static json_t *load(const char *path, const char *kind, const char *list)
{
    json_error_t error;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    const char *found = json_string_value(json_object_get(root, "rung"));
    const char *name_space = json_string_value(json_object_get(root, "namespace"));
    const json_t *version = json_object_get(root, "version");
    const char *own = rung_registry_namespace(&rk_registry);
    if (root == NULL && error.line > 0)
        say_error("%s is not JSON: line %d: %s", path, error.line, error.text);
    else if (root == NULL)
        say_error("%s", error.text); /* it has the path */
    else if (found == NULL || strcmp(found, kind) != 0)
        say_error("%s is not a result of 'rung %s'", path, kind);
    else if (!json_is_integer(version) || json_integer_value(version) != 1)
        say_error("%s is not of version 1, which this rung reads", path);
    else if (name_space == NULL || strcmp(name_space, own) != 0)
        say_error("%s is of the registry '%s', not of '%s'", path, name_space != NULL ? name_space : "", own);
    else if (!json_is_array(json_object_get(root, list)))
        say_wrong(path, NULL, list, "a list", false);
    else
        return root;
    json_decref(root);
    return NULL;
}

/* Takes what a file says of one kernel: false after an error line. */
typedef bool take_result(const char *path, const char *where, const json_t *from, const char *key, json_t *to);

static bool take_results(const char *path, const json_t *root, const char *list, take_result *take_one, json_t *to)
{
    const json_t *results = json_object_get(root, list);
    json_t *by_key = json_object();
    json_put(to, list, by_key);
    unsigned long long unknown = 0;
    bool good = true;
    for (size_t i = 0; good && i < json_array_size(results); i++) {
        const json_t *from = json_array_get(results, i);
        char *where = say_format("%s[%zu]", list, i);
        char *key = key_of(path, where, from, &good);
        if (key != NULL)
            good = take_one(path, where, from, key, by_key);
        else
            unknown++;
        free(key);
        free(where);
    }
    json_put(to, "unknown", json_count(unknown));
    if (good && unknown != 0)
        say_warning("%s: %llu of its results are of kernels that the registry does not have", path, unknown);
    return good;
}

static bool take_proof(const char *path, const char *where, const json_t *from, const char *key, json_t *to)
{
    if (json_object_get(to, key) != NULL) {
        say_error("%s: %s: %s is there twice", path, where, key);
        return false;
    }
    json_t *proof = json_object();
    json_put(to, key, proof);
    json_t *run = json_object_get(from, "run"); /* merged results have it */
    json_put(proof, "run", json_is_integer(run) ? json_incref(run) : json_null());
    return take(path, where, from, proof_fields, proof);
}

static bool take_sizes(const char *path, const char *where, const json_t *from, json_t *to)
{
    json_t *sizes = json_object_get(from, "sizes"), *value;
    const char *name;
    bool good = json_is_object(sizes);
    json_object_foreach(sizes, name, value) good = good && json_is_integer(value) && json_integer_value(value) >= 0;
    if (good)
        json_put(to, "sizes", json_incref(sizes));
    else
        say_wrong(path, where, "sizes", "an object of counts", false);
    return good;
}

static bool take_time(const char *path, const char *where, const json_t *from, const char *key, json_t *to)
{
    json_t *times = json_object_get(to, key);
    if (times == NULL) {
        times = json_array();
        json_put(to, key, times);
    }
    json_t *time = json_object();
    json_add(times, time);
    return take_sizes(path, where, from, time) && take_part(path, where, from, "seconds", seconds_fields, time) &&
           take(path, where, from, time_fields, time);
}

static bool take_run(const char *path, const char *where, const json_t *from, json_t *runs)
{
    json_t *run = json_object();
    json_add(runs, run);
    return take_part(path, where, from, "machine", machine_fields, run) && take(path, where, from, run_fields, run);
}

static bool take_runs(const char *path, const json_t *root, json_t *to)
{
    json_t *runs = json_array();
    json_put(to, "runs", runs);
    const json_t *merged = json_object_get(root, "runs");
    if (merged == NULL)
        return take_run(path, NULL, root, runs);
    bool good = json_is_array(merged);
    if (!good)
        say_wrong(path, NULL, "runs", "a list", false);
    for (size_t i = 0; good && i < json_array_size(merged); i++) {
        char *where = say_format("runs[%zu]", i);
        good = take_run(path, where, json_array_get(merged, i), runs);
        free(where);
    }
    return good;
}

/* Whether every proof is of a run that there is. */
static bool check_runs(const char *path, json_t *out)
{
    size_t runs = json_array_size(json_object_get(out, "runs"));
    const char *key;
    json_t *proof;
    json_object_foreach(json_object_get(out, "cells"), key, proof)
    {
        const json_t *run = json_object_get(proof, "run");
        json_int_t number = json_integer_value(run);
        if (json_is_integer(run) && (number < 0 || (unsigned long long)number >= runs)) {
            say_error("%s: %s is of a run that is not there", path, key);
            return false;
        }
    }
    return true;
}

json_t *results_selftest(const char *path)
{
    json_t *root = load(path, "selftest", "cells");
    if (root == NULL)
        return NULL;
    json_t *out = json_object();
    bool good =
        take_runs(path, root, out) && take_results(path, root, "cells", take_proof, out) && check_runs(path, out);
    json_decref(root);
    if (good)
        return out;
    json_decref(out);
    return NULL;
}

json_t *results_bench(const char *path)
{
    json_t *root = load(path, "bench", "results");
    if (root == NULL)
        return NULL;
    json_t *out = json_object();
    bool roof = !json_is_null(json_object_get(root, "roof"));
    bool good = take_part(path, NULL, root, "machine", machine_fields, out) &&
                (!roof || take_part(path, NULL, root, "roof", roof_fields, out)) &&
                take_results(path, root, "results", take_time, out);
    json_decref(root);
    if (good)
        return out;
    json_decref(out);
    return NULL;
}
