/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_compare.c: old, new, ratio, and whether that is more than noise.
 */
#include "bench_compare.h"

#include <stdlib.h>
#include <string.h>

#include "bench_table.h"
#include "json.h"
#include "machine_devices.h"
#include "say.h"
#include "table.h"

static const double least_change = 1.05;
static const char *const words[] = {"", "slower", "faster"};

static bench_verdict verdict_of(const bench_row *old_row, const bench_row *new_row)
{
    if (new_row->low > old_row->high && new_row->median > old_row->median * least_change)
        return BENCH_SLOWER;
    if (new_row->high < old_row->low && old_row->median > new_row->median * least_change)
        return BENCH_FASTER;
    return BENCH_SAME;
}

bool bench_compare_fits(const bench_file *old_file, const bench_file *new_file)
{
    if (strcmp(old_file->name_space, new_file->name_space) == 0)
        return true;
    say_error("%s is of the registry '%s', and %s of '%s'", old_file->name, old_file->name_space, new_file->name,
              new_file->name_space);
    return false;
}

bool bench_compare_any(const bench_file *old_file, const bench_file *new_file)
{
    for (size_t i = 0; i < new_file->count; i++)
        if (bench_file_find(old_file, &new_file->row[i]) != NULL)
            return true;
    return false;
}

size_t bench_compare_count(const bench_file *old_file, const bench_file *new_file, bench_verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < new_file->count; i++) {
        const bench_row *was = bench_file_find(old_file, &new_file->row[i]);
        count += was != NULL && verdict_of(was, &new_file->row[i]) == verdict ? 1 : 0;
    }
    return count;
}

/* The devices are those of what both have timed. */
static bool same_machine(const bench_file *a, const bench_file *b)
{
    bool same =
        strcmp(a->processor, b->processor) == 0 && strcmp(a->level, b->level) == 0 && strcmp(a->system, b->system) == 0;
    for (size_t i = 0; same && i < b->count; i++)
        same = bench_file_find(a, &b->row[i]) == NULL ||
               machine_devices_same(a->machine, b->machine, b->row[i].device, true);
    return same;
}

void bench_compare_warn(const bench_file *old_file, const bench_file *new_file)
{
    if (same_machine(old_file, new_file))
        return;
    char *before = machine_devices_text(old_file->machine), *after = machine_devices_text(new_file->machine);
    say_warning("these are different machines: %s has %s, %s%s, %s; %s has %s, %s%s, %s", old_file->name,
                old_file->processor, old_file->level, before, old_file->system, new_file->name, new_file->processor,
                new_file->level, after, new_file->system);
    free(before);
    free(after);
}

/* ---- for a person ------------------------------------------------------------------------------------------------ */

static void add_row(table *t, const bench_row *was, const bench_row *is)
{
    char *sizes = bench_row_sizes(is), *cell = bench_row_cell(is), *before = bench_time(was->median);
    char *after = bench_time(is->median), *ratio = say_format("%.3f", is->median / was->median);
    const char *cells[] = {is->op, sizes, cell, before, after, ratio, words[verdict_of(was, is)]};
    table_row(t, cells);
    char *all[] = {sizes, cell, before, after, ratio};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* Those of one file that the other one lacks. */
static void print_alone(const bench_file *of, const bench_file *other, FILE *to)
{
    bool begun = false;
    for (size_t i = 0; i < of->count; i++) {
        if (bench_file_find(other, &of->row[i]) != NULL)
            continue;
        if (!begun)
            say_to(to, "only in %s", of->name);
        begun = true;
        char *sizes = bench_row_sizes(&of->row[i]), *cell = bench_row_cell(&of->row[i]);
        say_to(to, "  %s  %s  %s", of->row[i].op, sizes, cell);
        free(sizes);
        free(cell);
    }
}

static void print_machine(const char *word, const bench_file *file, FILE *to)
{
    char *machine = bench_machine(file);
    say_to(to, "%s  %s: %s", word, file->name, machine);
    free(machine);
}

void bench_compare_print(const bench_file *old_file, const bench_file *new_file, FILE *to)
{
    static const char *const heads[] = {"op", "sizes", "cell", "old", "new", "new/old", "change"};
    print_machine("old", old_file, to);
    print_machine("new", new_file, to);
    if (!same_machine(old_file, new_file))
        fputs("These are different machines: the ratios are not those of the kernels alone.\n", to);
    putc('\n', to);
    table *t = table_new(7, heads);
    size_t both = 0;
    for (size_t i = 0; i < new_file->count; i++) {
        const bench_row *was = bench_file_find(old_file, &new_file->row[i]);
        if (was != NULL)
            add_row(t, was, &new_file->row[i]);
        both += was != NULL ? 1 : 0;
    }
    table_end(t, to, 0);
    putc('\n', to);
    print_alone(old_file, new_file, to);
    print_alone(new_file, old_file, to);
    fprintf(
        to,
        "%zu cells and sizes in both: %zu slower, %zu faster; the others differ by no more than the noise (5 %%, or "
        "quartiles that overlap)\n",
        both, bench_compare_count(old_file, new_file, BENCH_SLOWER),
        bench_compare_count(old_file, new_file, BENCH_FASTER));
}

/* ---- for a program ----------------------------------------------------------------------------------------------- */

static json_t *key_json(const bench_row *row)
{
    static const char *const names[] = {"op", "device", "arch", "variant", "sizes", NULL};
    return json_members(row->json, names);
}

static json_t *alone_json(const bench_file *of, const bench_file *other)
{
    json_t *out = json_array();
    for (size_t i = 0; i < of->count; i++)
        if (bench_file_find(other, &of->row[i]) == NULL)
            json_add(out, key_json(&of->row[i]));
    return out;
}

json_t *bench_compare_json(const bench_file *old_file, const bench_file *new_file)
{
    json_t *root = json_object(), *both = json_array();
    json_put(root, "rung", json_text("bench comparison"));
    json_put(root, "version", json_count(1));
    json_put(root, "same_machine", json_boolean(same_machine(old_file, new_file)));
    json_put(root, "old_machine", bench_file_machine(old_file));
    json_put(root, "new_machine", bench_file_machine(new_file));
    for (size_t i = 0; i < new_file->count; i++) {
        const bench_row *is = &new_file->row[i], *was = bench_file_find(old_file, is);
        if (was == NULL)
            continue;
        const bench_verdict verdict = verdict_of(was, is);
        json_t *row = key_json(is);
        json_put(row, "old_seconds", json_number(was->median));
        json_put(row, "new_seconds", json_number(is->median));
        json_put(row, "ratio", json_number(is->median / was->median));
        json_put(row, "change", verdict == BENCH_SAME ? json_null() : json_text(words[verdict]));
        json_add(both, row);
    }
    json_put(root, "results", both);
    json_put(root, "only_old", alone_json(old_file, new_file));
    json_put(root, "only_new", alone_json(new_file, old_file));
    return root;
}
