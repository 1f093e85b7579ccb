/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_file.c: nothing is believed that is not checked: files come from other machines and other versions.
 */
#include "bench_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "machine_devices.h"
#include "say.h"

/* A number above or at 0; null is NaN where that is allowed. */
static bool number_of(const json_t *object, const char *key, bool null_allowed, double *out)
{
    const json_t *value = json_object_get(object, key);
    if (null_allowed && json_is_null(value)) {
        *out = NAN;
        return true;
    }
    *out = json_number_value(value);
    return json_is_number(value) && *out >= 0;
}

/* ---- a row ------------------------------------------------------------------------------------------------------- */

static bool read_sizes(json_t *object, bench_row *row)
{
    json_t *sizes = json_object_get(object, "sizes"), *value;
    const char *name;
    if (!json_is_object(sizes) || json_object_size(sizes) > BENCH_SIZES)
        return false;
    json_object_foreach(sizes, name, value)
    {
        if (!json_is_integer(value) || json_integer_value(value) < 0)
            return false;
        row->size_name[row->sizes] = name;
        row->size[row->sizes++] = json_integer_value(value);
    }
    return true;
}

static bool read_bound(const json_t *object, bench_row *row)
{
    const json_t *value = json_object_get(object, "bound");
    const char *text = json_word(object, "bound");
    row->bound = strcmp(text, "arithmetic") == 0 ? BENCH_ARITHMETIC
                 : strcmp(text, "memory") == 0   ? BENCH_MEMORY
                                                 : BENCH_UNBOUND;
    return json_is_null(value) || row->bound != BENCH_UNBOUND;
}

/* NULL, or what is wrong. */
static const char *read_row(json_t *object, bench_row *row)
{
    row->json = object;
    row->op = json_word(object, "op");
    row->device = json_word(object, "device");
    row->arch = json_word(object, "arch");
    row->variant = json_word(object, "variant");
    if (row->op[0] == '\0' || row->device[0] == '\0' || row->arch[0] == '\0' || row->variant[0] == '\0')
        return "it has no op, device, arch or variant";
    if (!read_sizes(object, row))
        return "its sizes are none";
    const json_t *seconds = json_object_get(object, "seconds");
    if (!number_of(seconds, "median", false, &row->median) || !number_of(seconds, "low", false, &row->low) ||
        !number_of(seconds, "high", false, &row->high))
        return "its seconds lack a median or a quartile";
    if (!(row->low > 0 && row->low <= row->median && row->median <= row->high))
        return "its median is not between its quartiles, or they are not above 0";
    if (!number_of(object, "flops", false, &row->flops) || !number_of(object, "bytes", false, &row->bytes) ||
        !number_of(object, "gflops", true, &row->gflops) ||
        !number_of(object, "gb_per_second", false, &row->gb_per_second) ||
        !number_of(object, "roof_fraction", true, &row->roof_fraction) || !read_bound(object, row))
        return "it lacks flops, bytes, gflops, gb_per_second, bound or roof_fraction, or one of them is wrong";
    return NULL;
}

/* ---- by names and sizes ------------------------------------------------------------------------------------------ */

/* "op device/arch/variant", and the sizes in the order of their names. Free it. */
static char *key_of(const bench_row *row)
{
    size_t order[BENCH_SIZES];
    for (size_t i = 0; i < row->sizes; i++) {
        size_t at = i;
        for (; at > 0 && strcmp(row->size_name[i], row->size_name[order[at - 1]]) < 0; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    char *key = say_format("%s %s/%s/%s", row->op, row->device, row->arch, row->variant);
    for (size_t i = 0; i < row->sizes; i++) {
        char *longer = say_format("%s %s=%lld", key, row->size_name[order[i]], row->size[order[i]]);
        free(key);
        key = longer;
    }
    return key;
}

static void put_index(const bench_file *f, size_t row)
{
    char *key = key_of(&f->row[row]);
    json_put(f->index, key, json_count(row));
    free(key);
}

const bench_row *bench_file_find(const bench_file *file, const bench_row *like)
{
    char *key = key_of(like);
    const json_t *at = json_object_get(file->index, key);
    free(key);
    return at != NULL ? &file->row[json_integer_value(at)] : NULL;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static bool read_rows(const json_t *results, bench_file *f)
{
    const size_t count = json_array_size(results);
    f->index = json_object();
    f->row = say_alloc((count + 1) * sizeof *f->row);
    memset(f->row, 0, (count + 1) * sizeof *f->row);
    for (size_t i = 0; i < count; i++) {
        const char *wrong = read_row(json_array_get(results, i), &f->row[i]);
        if (wrong == NULL && bench_file_find(f, &f->row[i]) != NULL)
            wrong = "it is there twice";
        if (wrong == NULL)
            put_index(f, i);
        if (wrong != NULL) {
            say_error("%s: result %zu: %s", f->name, i + 1, wrong);
            return false;
        }
        f->count++;
    }
    return true;
}

static bool read_roof(const json_t *roof, bench_file *f)
{
    f->has_roof = json_is_object(roof);
    return json_is_null(roof) ||
           (f->has_roof && number_of(roof, "copy_bytes_per_second", false, &f->copy) &&
            number_of(roof, "f32_flops", false, &f->f32) && number_of(roof, "f64_flops", false, &f->f64) &&
            f->copy > 0 && f->f32 > 0 && f->f64 > 0);
}

static bool read_file(bench_file *f)
{
    const json_t *root = f->root;
    const json_t *machine = json_object_get(root, "machine"), *results = json_object_get(root, "results");
    f->machine = machine;
    f->processor = json_word(machine, "processor");
    f->level = json_word(machine, "level");
    f->system = json_word(machine, "system");
    f->date = json_word(root, "date");
    f->name_space = json_word(root, "namespace");
    if (f->processor[0] == '\0' || f->level[0] == '\0' || f->system[0] == '\0')
        say_error("%s: it does not tell on which machine it was measured", f->name);
    else if (!machine_devices_good(machine))
        say_error("%s: the devices of its machine are no list of devices with name, arch and driver", f->name);
    else if (!read_roof(json_object_get(root, "roof"), f))
        say_error("%s: its roof is neither null nor three numbers above 0", f->name);
    else if (!json_is_array(results))
        say_error("%s: it has no results", f->name);
    else
        return read_rows(results, f);
    return false;
}

bool bench_file_take(json_t *root, const char *name, bench_file *out)
{
    *out = (bench_file){.name = name, .root = root};
    if (read_file(out))
        return true;
    bench_file_free(out);
    return false;
}

bool bench_file_read(const char *path, bench_file *out)
{
    json_t *root = json_results(path, "bench");
    return root != NULL && bench_file_take(root, path, out);
}

void bench_file_free(bench_file *file)
{
    free(file->row);
    json_decref(file->index);
    json_decref(file->root);
    *file = (bench_file){0};
}

json_t *bench_file_machine(const bench_file *file)
{
    static const char *const names[] = {"processor", "level", "system", NULL};
    json_t *copy = json_members(file->machine, names);
    machine_devices_copy(copy, file->machine);
    return copy;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

bool bench_row_same(const bench_row *a, const bench_row *b)
{
    bool same = strcmp(a->op, b->op) == 0 && strcmp(a->device, b->device) == 0 && strcmp(a->arch, b->arch) == 0 &&
                strcmp(a->variant, b->variant) == 0 && a->sizes == b->sizes;
    for (size_t i = 0; same && i < a->sizes; i++) {
        bool there = false;
        for (size_t j = 0; j < b->sizes; j++)
            there = there || (strcmp(a->size_name[i], b->size_name[j]) == 0 && a->size[i] == b->size[j]);
        same = there;
    }
    return same;
}

char *bench_row_sizes(const bench_row *row)
{
    char *text = say_format("%s", "");
    for (size_t i = 0; i < row->sizes; i++) {
        char *longer = say_format("%s%s%s=%lld", text, i != 0 ? " " : "", row->size_name[i], row->size[i]);
        free(text);
        text = longer;
    }
    return text;
}

char *bench_row_cell(const bench_row *row)
{
    const bool plain = strcmp(row->variant, "default") == 0;
    return say_format("%s/%s%s%s", row->device, row->arch, plain ? "" : "/", plain ? "" : row->variant);
}

char *bench_time(double seconds)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    double value = seconds * 1e9;
    size_t unit = 0;
    for (; value >= 999.5 && unit < 3; unit++)
        value /= 1000;
    return say_format("%.*f %s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, units[unit]);
}
