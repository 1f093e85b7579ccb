/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_table.c: the table.
 */
#include "bench_table.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "machine_devices.h"
#include "say.h"
#include "table.h"

char *bench_machine(const bench_file *file)
{
    char *devices = machine_devices_text(file->machine);
    char *text = say_format("%s, %s%s, %s%s%s", file->processor, file->level, devices, file->system,
                            file->date[0] != '\0' ? "; " : "", file->date);
    free(devices);
    return text;
}

/* Three figures; "-" for what is not known. */
static char *figures(double x)
{
    if (!isfinite(x))
        return say_format("-");
    return say_format("%.*f", x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x);
}

static void add_row(table *t, const bench_row *row)
{
    static const char *const bounds[] = {"-", "arithmetic", "memory"};
    char *sizes = bench_row_sizes(row), *cell = bench_row_cell(row), *median = bench_time(row->median);
    char *low = figures(row->low / row->median), *high = figures(row->high / row->median);
    char *spread = say_format("%s to %s", low, high);
    char *gflops = figures(row->gflops), *gb = figures(row->gb_per_second), *part = figures(row->roof_fraction);
    const char *cells[] = {row->op, sizes, cell, median, spread, gflops, gb, bounds[row->bound], part};
    table_row(t, cells);
    char *all[] = {sizes, cell, median, low, high, spread, gflops, gb, part};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static bool alike(const json_t *a, const json_t *b)
{
    return strcmp(json_word(a, "device"), json_word(b, "device")) == 0 &&
           strcmp(json_word(a, "arch"), json_word(b, "arch")) == 0 &&
           strcmp(json_word(a, "variant"), json_word(b, "variant")) == 0 &&
           strcmp(json_word(a, "why"), json_word(b, "why")) == 0;
}

/* A line for all ops that have one reason on one device, arch and variant. */
static void print_left_out(const json_t *all, FILE *to)
{
    const size_t count = json_array_size(all);
    if (count == 0)
        return;
    static const char *const heads[] = {"left out", "why", "ops"};
    table *t = table_new(3, heads);
    for (size_t i = 0; i < count; i++) {
        const json_t *first = json_array_get(all, i);
        bool told = false;
        for (size_t j = 0; j < i; j++)
            told = told || alike(json_array_get(all, j), first);
        if (told)
            continue;
        char *ops = say_format("%s", json_word(first, "op"));
        for (size_t j = i + 1; j < count; j++) {
            if (!alike(json_array_get(all, j), first))
                continue;
            char *longer = say_format("%s, %s", ops, json_word(json_array_get(all, j), "op"));
            free(ops);
            ops = longer;
        }
        const bench_row row = {.device = json_word(first, "device"),
                               .arch = json_word(first, "arch"),
                               .variant = json_word(first, "variant")};
        char *cell = bench_row_cell(&row);
        const char *cells[] = {cell, json_word(first, "why"), ops};
        table_row(t, cells);
        free(cell);
        free(ops);
    }
    putc('\n', to);
    table_end(t, to, 0);
}

static bool any_on_devices(const bench_file *file)
{
    for (size_t i = 0; i < file->count; i++)
        if (strcmp(file->row[i].device, "cpu") != 0)
            return true;
    return false;
}

static void print_notes(const bench_file *file, FILE *to)
{
    fputs(
        "\nTimes are medians of turns, with the quartiles as parts of them, of dispatched calls on one thread and warm "
        "caches.\n",
        to);
    if (any_on_devices(file))
        fputs(
            "Cells that are not of the processor (cpu) have no ceiling; where a device has memory of its own, the time "
            "has the launch and the wait in it, and the data is there already.\n",
            to);
    if (file->has_roof)
        fputs("The part of the roof may be above 1 where that is memory and the arrays fit into the caches, or more is "
              "read than written.\n",
              to);
}

void bench_table_print(const bench_file *file, FILE *to)
{
    static const char *const heads[] = {"op",      "sizes", "cell",  "time",   "quartiles",
                                        "GFLOP/s", "GB/s",  "bound", "of roof"};
    char *machine = bench_machine(file);
    say_to(to, "%s", machine);
    free(machine);
    if (file->has_roof)
        fprintf(to,
                "roofs of one thread: copy %.1f GB/s, read and written (what is read before it is written over is not "
                "counted); multiply-adds %.1f GFLOP/s in double, %.1f in float\n",
                file->copy * 1e-9, file->f64 * 1e-9, file->f32 * 1e-9);
    putc('\n', to);
    table *t = table_new(9, heads);
    for (size_t i = 0; i < file->count; i++)
        add_row(t, &file->row[i]);
    table_end(t, to, 0);
    print_left_out(json_object_get(file->root, "left_out"), to);
    print_notes(file, to);
}
