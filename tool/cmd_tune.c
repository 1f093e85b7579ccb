/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_tune.c: `rung tune`.
 */
#include <errno.h>
#include <stdlib.h>

#include "cli.h"
#include "commands.h"
#include "interrupt.h"
#include "json.h"
#include "output.h"
#include "say.h"
#include "staging.h"
#include "tune.h"

typedef struct arguments {
    const char **op;
    size_t ops;
    const char *platform, *bench, *selftest, *output;
    double margin; /* percent */
    bool json, empty;
} arguments;

enum { KEY_BENCH = 1, KEY_SELFTEST, KEY_MARGIN, KEY_EMPTY, KEY_JSON };

static const struct argp_option options[] = {
    {"platform", 'p', "CHAIN", 0, "The kernels of this platform, not of the automatic one", 0},
    {"margin", KEY_MARGIN, "PERCENT", 0, "How much faster the other kernel has to be (5)", 0},
    {"bench", KEY_BENCH, "FILE", 0,
     "Results of 'rung bench --json', instead of measuring; --bench and OP exclude each other", 0},
    {"selftest", KEY_SELFTEST, "FILE", 0, "Results of 'rung selftest' on the same machine, instead of proving", 0},
    {"output", 'o', "FILE", 0, "Write the proposal, if there is one, to FILE", 0},
    {"empty", KEY_EMPTY, NULL, 0, "Write it also if it proposes nothing", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON", 0},
    {0},
};

static error_t parse_end(const arguments *a)
{
    const char *both = a->ops != 0 ? "OP" : a->platform != NULL ? "--platform" : NULL;
    if (a->bench != NULL && both != NULL) {
        say_error("--bench and %s exclude each other: what was measured stands in the file", both);
        return EINVAL;
    }
    if (a->empty && a->output == NULL) {
        say_error("--empty is for --output");
        return EINVAL;
    }
    return 0;
}

static error_t parse_op(arguments *a, const char *name)
{
    if (!cli_op(name))
        return EINVAL;
    a->op = say_realloc(a->op, (a->ops + 1) * sizeof *a->op);
    a->op[a->ops++] = name;
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'p':
        a->platform = arg;
        return 0;
    case 'o':
        a->output = arg;
        return 0;
    case KEY_BENCH:
        a->bench = arg;
        return 0;
    case KEY_SELFTEST:
        a->selftest = arg;
        return 0;
    case KEY_MARGIN:
        return cli_real("--margin", arg, 0, 1000, &a->margin) ? 0 : EINVAL;
    case KEY_EMPTY:
        a->empty = true;
        return 0;
    case KEY_JSON:
        a->json = true;
        return 0;
    case ARGP_KEY_ARG:
        return parse_op(a, arg);
    case ARGP_KEY_END:
        return parse_end(a);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- measurements ------------------------------------------------------------------------------------------------ */

static bool read_bench(const arguments *a, bench_file *bench)
{
    return bench_file_read(a->bench, bench) && cli_own_registry(a->bench, bench->name_space) && tune_known(bench);
}

/* The kernels at stake, or false after an error line. */
static bool choose(const arguments *a, const bench_file *bench, patterns *stake, int *code)
{
    if (a->bench != NULL) {
        tune_measured(bench, stake);
        return true;
    }
    rung_platform *platform = cli_platform(a->platform, 0, code);
    if (platform == NULL)
        return false;
    tune_at_stake(platform, a->op, a->ops, stake);
    rung_platform_close(platform);
    return true;
}

static proofs *prove(const arguments *a, const patterns *stake)
{
    if (a->selftest == NULL)
        return tune_prove(stake);
    proofs *read = proofs_read(a->selftest);
    if (read != NULL && !cli_own_registry(a->selftest, read->name_space)) {
        proofs_free(read);
        return NULL;
    }
    return read;
}

/* Proves first: kernels that do not do their work are not timed. NULL after an error line. */
static proofs *measure(const arguments *a, bench_file *bench, int *code)
{
    patterns stake = {0}, left = {0};
    proofs *proven = NULL;
    bool good = (a->bench == NULL || read_bench(a, bench)) && choose(a, bench, &stake, code);
    if (good)
        proven = prove(a, &stake);
    if (proven != NULL && a->bench == NULL) {
        tune_still_at_stake(&stake, proven, &left);
        good = tune_time(&left, bench);
    }
    patterns_free(&stake);
    patterns_free(&left);
    if (good)
        return proven;
    proofs_free(proven);
    return NULL;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static int tell(const arguments *a, const tune_table *t)
{
    bool wanted = a->output != NULL && (t->changes != 0 || a->empty);
    bool good = !wanted || output_commit_by(tune_write, t);
    if (a->json) {
        json_t *root = tune_json(t);
        good = json_write(root, stdout) == 0 && good;
        json_decref(root);
    } else {
        tune_print(t, stdout);
        if (good && wanted)
            say_to(stdout, "'python3 -m codegen tune %s' shows what it changes", a->output);
    }
    return good ? EXIT_OK : EXIT_JOB;
}

static int tune(const arguments *a)
{
    int code = EXIT_JOB;
    const char *const inputs[] = {a->bench != NULL ? a->bench : "", a->selftest != NULL ? a->selftest : ""};
    if (a->output != NULL && !output_begin(a->output, inputs, 2))
        return EXIT_JOB;
    bench_file bench = {0};
    proofs *proven = measure(a, &bench, &code);
    if (proven != NULL) {
        tune_table t = {.bench = &bench, .proofs = proven, .margin = a->margin / 100};
        code = tune_decide(&t) ? tell(a, &t) : EXIT_JOB;
        tune_free(&t);
    }
    proofs_free(proven);
    bench_file_free(&bench);
    staging_discard();
    return code;
}

int cmd_tune(int argc, char **argv)
{
    static const char doc[] =
        "Proposes which kernels should stand behind those of older archs, because these are faster on this machine. "
        "Proves the kernels that are at stake first, then times them at the sizes that the registry names; nothing "
        "is changed: 'python3 -m codegen tune FILE' makes a proposal a change of the registry.";
    const struct argp argp = {options, parse, "[OP...]", doc, NULL, NULL, NULL};
    arguments a = {.margin = 5};
    int code = cli_parse(&argp, argc, argv, &a);
    if (code == CLI_GO) {
        interrupt_install();
        code = tune(&a);
    }
    free(a.op);
    return code;
}
