/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_bench.c: `rung bench`, step by step.
 */
#include <stdlib.h>

#include "bench_compare.h"
#include "bench_file.h"
#include "bench_measure.h"
#include "bench_options.h"
#include "bench_plot.h"
#include "bench_table.h"
#include "cli.h"
#include "commands.h"
#include "interrupt.h"
#include "json.h"
#include "output.h"
#include "say.h"
#include "staging.h"

/* Before anything is measured: whether a file could be written. */
static bool can_write(const char *path, const bench_options *o)
{
    const char *inputs[2];
    size_t count = 0;
    if (path == NULL)
        return true;
    if (o->compare != NULL)
        inputs[count++] = o->compare;
    if (o->from != NULL)
        inputs[count++] = o->from;
    const bool good = output_begin(path, inputs, count);
    staging_discard();
    return good;
}

static bool write_results(const bench_options *o, const bench_file *file)
{
    return o->output == NULL || (output_begin(o->output, NULL, 0) && output_commit(file->root));
}

static bool write_plot(const bench_options *o, const bench_file *file)
{
    if (o->plot == NULL)
        return true;
    return output_begin(o->plot, NULL, 0) && bench_plot_write(staging_path(output_name()), o->plot, file) &&
           staging_settle(output_name()) && staging_commit();
}

/* What is told: the results, unless they were only read to be compared or drawn, and the comparison. */
static bool print(const bench_options *o, const bench_file *file, const bench_file *old_file)
{
    if (old_file != NULL)
        bench_compare_warn(old_file, file);
    if (o->json) {
        json_t *root = old_file != NULL ? bench_compare_json(old_file, file) : json_incref(file->root);
        const bool good = json_write(root, stdout) == 0;
        json_decref(root);
        return good;
    }
    if (o->from == NULL || (old_file == NULL && o->plot == NULL))
        bench_table_print(file, stdout);
    if (old_file != NULL) {
        if (o->from == NULL)
            putchar('\n');
        bench_compare_print(old_file, file, stdout);
    }
    return true;
}

static int report(const bench_options *o, const bench_file *file, const bench_file *old_file)
{
    const bool printed = print(o, file, old_file);
    if (!write_results(o, file) || !write_plot(o, file) || !printed)
        return EXIT_JOB;
    if (o->fail_if_slower && !bench_compare_any(old_file, file)) {
        say_error("--fail-if-slower: no cell and size is both in %s and in %s", old_file->name, file->name);
        return EXIT_JOB;
    }
    const size_t slower = old_file != NULL ? bench_compare_count(old_file, file, BENCH_SLOWER) : 0;
    if (o->fail_if_slower && slower != 0) {
        say_error("%zu of the cells and sizes are slower than in %s", slower, o->compare);
        return EXIT_JOB;
    }
    return EXIT_OK;
}

static int run(const bench_options *o)
{
    bench_file old_file = {0}, file = {0};
    int code = EXIT_JOB;
    bool good = can_write(o->output, o) && can_write(o->plot, o);
    if (good && o->compare != NULL)
        good = bench_file_read(o->compare, &old_file) &&
               (o->from != NULL || cli_own_registry(o->compare, old_file.name_space));
    if (good && o->from == NULL)
        code = bench_measure(o, &file);
    else if (good && bench_file_read(o->from, &file) && (o->compare == NULL || bench_compare_fits(&old_file, &file)))
        code = CLI_GO;
    if (code == CLI_GO)
        code = report(o, &file, o->compare != NULL ? &old_file : NULL);
    bench_file_free(&file);
    bench_file_free(&old_file);
    return code;
}

int cmd_bench(int argc, char **argv)
{
    bench_options options;
    int code = bench_options_parse(argc, argv, &options);
    if (code == CLI_GO) {
        interrupt_install();
        code = run(&options);
    }
    bench_options_free(&options);
    return code;
}
