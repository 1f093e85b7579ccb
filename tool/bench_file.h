/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_file.h: results of `rung bench`, just measured or read from a file.
 */
#ifndef RUNG_TOOL_BENCH_FILE_H
#define RUNG_TOOL_BENCH_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { BENCH_SIZES = 8 };
typedef enum bench_bound { BENCH_UNBOUND, BENCH_ARITHMETIC, BENCH_MEMORY } bench_bound;

/* A cell at one row of sizes. Texts are those of the JSON. */
typedef struct bench_row {
    json_t *json; /* all of this, as the file has it */
    const char *op, *device, *arch, *variant;
    size_t sizes;
    const char *size_name[BENCH_SIZES];
    long long size[BENCH_SIZES];
    double median, low, high;     /* seconds */
    double flops, bytes;          /* of a call; flops 0: not known */
    double gflops, gb_per_second; /* gflops NaN: not known */
    bench_bound bound;
    double roof_fraction; /* NaN: there is none */
} bench_row;

typedef struct bench_file {
    const char *name;                       /* of the file, for messages; lives as long */
    const char *name_space;                 /* of the registry, "" when it does not tell */
    const char *processor, *level, *system; /* of the machine */
    const json_t *machine;                  /* all of it, with the devices that it may tell of */
    const char *date;                       /* UTC, "" when it does not tell */
    bool has_roof;
    double copy, f32, f64; /* bytes and floating-point operations a second */
    size_t count;
    bench_row *row;
    json_t *index; /* of a row's names and sizes: its position */
    json_t *root;
} bench_file;

/* Takes results over, which are freed also on failure: one error line, and false. */
bool bench_file_take(json_t *root, const char *name, bench_file *out);
bool bench_file_read(const char *path, bench_file *out);
void bench_file_free(bench_file *file);
/* {processor, level, system}, and devices where it tells of any; a new reference. */
json_t *bench_file_machine(const bench_file *file);

/* Whether two rows are of one cell and the same sizes. */
bool bench_row_same(const bench_row *a, const bench_row *b);
/* NULL when there is none. */
const bench_row *bench_file_find(const bench_file *file, const bench_row *like);
/* "m=20 n=300 k=256"; "cpu/x86-64-v4", and "/openblas" after it unless that is `default`. Free them. */
char *bench_row_sizes(const bench_row *row);
char *bench_row_cell(const bench_row *row);
/* "12.3 us". Free it. */
char *bench_time(double seconds);

#endif
