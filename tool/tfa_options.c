/* SPDX-License-Identifier: Apache-2.0
 *
 * tfa_options.c: the options of `rung tfa` and `rung htfa`.
 */
#include "tfa_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "rk/rk.h"
#include "say.h"
#include "text.h"

#define DOC_INPUT                                                                                                      \
    "is NIfTI-1 or -2: .nii, .nii.gz or a pair .hdr/.img, of any integer or floating-point type. Voxels that are "     \
    "constant in time or hold a value that is not finite are left out.\n"                                              \
    "\n"                                                                                                               \
    "Written to the folder DIR, all together or not at all; results of an earlier run there are replaced:\n"
#define DOC_FACTORS(indent)                                                                                            \
    indent "factors.tsv     centre, width and explained variance of every factor\n" indent                             \
           "weights.tsv     a row for each volume, a column for each factor\n" indent                                  \
           "factors.nii.gz  every factor as an image on the scan's grid\n" indent                                      \
           "factors.png     three views of the scan with the factors, and their weights\n" indent                      \
           "report.json     input, platform, kernels, options, figures of the fit, times\n"
#define DOC_END                                                                                                        \
    "BACKEND is a platform: cpu, cpu/x86-64-v3, accel/sm90; or `native`, which is also what is chosen without it: "    \
    "RUNG_PLATFORM, or else the best platform of this machine. JAX, PyTorch and NumPy are refused, as only Python "    \
    "can drive them: see 'rung select'.\n"                                                                             \
    "\n"                                                                                                               \
    "Exit codes: 0 done; 1 the job failed (bad data, not readable, not writable); 2 usage; 3 the backend is not "      \
    "available; "                                                                                                      \
    "a signal ends it by that signal (in a shell 130 after Ctrl-C, 143 after SIGTERM), and leaves no file.\n"

static const char tfa_doc[] =
    "Topographic factor analysis: finds K spheres (centre and width in mm) and their weight in every volume that "
    "together "
    "explain a 4-D NIfTI scan best (Manning et al. 2014, doi:10.1371/journal.pone.0094914).\v"
    "SCAN " DOC_INPUT DOC_FACTORS(
        "  ") "\n"
              "The same scan, options and platform give the same bytes, but for \"timing\" in report.json.\n"
              "\n" DOC_END;

static const char htfa_doc[] =
    "Hierarchical topographic factor analysis: finds K spheres that the scans of several subjects have in common, and "
    "where each subject has them (Manning et al. 2018, doi:10.1016/j.neuroimage.2018.01.071).\v"
    "Every SCAN, one for each subject, " DOC_INPUT
    "  template.tsv     centre and width of every factor, their spreads over subjects and standard errors\n"
    "  template.nii.gz  every factor of the template as an image on the first scan's grid\n"
    "  template.png     three views of the template and the subjects' centres, and each one's share\n"
    "  report.json      inputs, platform, kernels, options, template, subjects, times\n"
    "and in a folder for each scan, named after its file, with the factors in the template's order:\n" DOC_FACTORS(
        "  ") "\n"
              "Scans may differ in grid, orientation and number of volumes, but their positions in mm must be those of "
              "one "
              "space. With one scan the factors are those of 'rung tfa'.\n"
              "\n"
              "The same scans, options and platform give the same bytes, but for \"timing\" in report.json; factors do "
              "not "
              "depend on the order of the scans.\n"
              "\n" DOC_END;

enum { KEY_SEED = 1, KEY_MAX_ITER, KEY_TOL, KEY_DETREND, KEY_RIDGE, KEY_THREADS, KEY_JSON, KEY_ROUNDS, KEY_TEMPLATE };

static const struct argp_option common_table[] = {
    {"factors", 'k', "K", 0, "Number of factors, 1 to 1000 (default 10)", 1},
    {"backend", 'b', "BACKEND", 0, "Run on this platform", 2},
    {"platform", 'p', "BACKEND", OPTION_ALIAS, NULL, 2},
    {"variant", 'v', "NAME", 0, "Use this variant of the kernels", 2},
    {"threads", KEY_THREADS, "N", 0, "Most threads to use (default: one for every CPU); results do not depend on it",
     2},
    {"seed", KEY_SEED, "N", 0, "Seed of the random projection that the start uses (default 0)", 3},
    {"max-iter", KEY_MAX_ITER, "N", 0, "Most steps of the fit (default 200)", 3},
    {"tol", KEY_TOL, "X", 0, "Converged when no centre or width moves by more than X voxels (default 1e-6)", 3},
    {"detrend", KEY_DETREND, "N", 0, "Order of the polynomial in time taken out of every voxel, 0 to 3 (default 1)", 3},
    {"ridge", KEY_RIDGE, "X", 0, "Penalty on the weights, relative to each factor (default 1e-5)", 3},
    {"json", KEY_JSON, NULL, 0, "Print the report as JSON on stdout; what it runs on goes to stderr", 4},
    {"quiet", 'q', NULL, 0, "Print nothing but errors (and the report, with --json)", 4},
    {0},
};

static bool take_whole(const char *name, const char *arg, long long least, long long most, unsigned *out)
{
    long long value;
    if (!cli_whole(name, arg, least, most, &value))
        return false;
    *out = (unsigned)value;
    return true;
}

static error_t parse_number(int key, const char *arg, rung_tfa_options *fit)
{
    unsigned value = 0;
    long long seed = 0;
    bool good = false;
    switch (key) {
    case 'k':
        good = take_whole("-k", arg, 1, 1000, &value);
        fit->factors = value;
        break;
    case KEY_SEED:
        good = cli_whole("--seed", arg, 0, INT64_MAX, &seed);
        fit->seed = (uint64_t)seed;
        break;
    case KEY_MAX_ITER:
        good = take_whole("--max-iter", arg, 1, 1000000, &fit->max_iter);
        break;
    case KEY_TOL:
        good = cli_real("--tol", arg, 1e-300, 1e6, &fit->tol);
        break;
    case KEY_DETREND:
        good = take_whole("--detrend", arg, 0, 3, &fit->detrend);
        break;
    case KEY_RIDGE:
        good = cli_real("--ridge", arg, 0, 1e6, &fit->ridge);
        break;
    case KEY_THREADS:
        good = take_whole("--threads", arg, 1, 4096, &fit->threads);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return good ? 0 : EINVAL;
}

/* Options of both commands. */
static error_t parse_common(int key, char *arg, struct argp_state *state)
{
    tfa_options *o = state->input;
    switch (key) {
    case 'b':
    case 'p': /* argp hands over the alias's own key */
        o->backend = arg;
        return 0;
    case 'v':
        o->variant = arg;
        return 0;
    case KEY_JSON:
        o->json = true;
        return 0;
    case 'q':
        o->quiet = true;
        return 0;
    default:
        return parse_number(key, arg, &o->fit);
    }
}

static const struct argp_option tfa_table[] = {
    {"mask", 'm', "FILE", 0, "Use only voxels where this 3-D image is not 0", 1},
    {"output", 'o', "DIR", 0, "Folder for the results (default: <name of the scan>-tfa in the current folder)", 1},
    {0},
};

static const struct argp_option htfa_table[] = {
    {"mask", 'm', "FILE", 0,
     "Use only voxels where this 3-D image is not 0: once for all scans, or once for each, in their order", 1},
    {"output", 'o', "DIR", 0, "Folder for the results (default: htfa in the current folder)", 1},
    {"rounds", KEY_ROUNDS, "N", 0, "Most rounds of subjects and template (default 30)", 3},
    {"template-tol", KEY_TEMPLATE, "X", 0, "Converged when the template moves by no more than X voxels (default 1e-4)",
     3},
    {0},
};

static void append(const char ***list, size_t *count, const char *item)
{
    *list = say_realloc(*list, (*count + 1) * sizeof **list);
    (*list)[(*count)++] = item;
}

static error_t check_counts(const tfa_options *o, const char *name)
{
    if (o->scans == 0) {
        say_error("no SCAN given; see '%s --help'", name);
        return EINVAL;
    }
    if (o->masks > 1 && o->masks != o->scans) {
        say_error("%zu masks for %zu scans: give one for all of them, or one for each", o->masks, o->scans);
        return EINVAL;
    }
    return 0;
}

/* What the commands have of their own; tfa_options.several says which one it is. */
static error_t parse_own(int key, char *arg, struct argp_state *state)
{
    tfa_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = o;
        return 0;
    case 'm':
        if (!o->several)
            o->masks = 0; /* the last one counts */
        append(&o->mask, &o->masks, arg);
        return 0;
    case 'o':
        o->out = arg;
        return 0;
    case KEY_ROUNDS:
        return take_whole("--rounds", arg, 1, 1000000, &o->max_rounds) ? 0 : EINVAL;
    case KEY_TEMPLATE:
        return cli_real("--template-tol", arg, 1e-300, 1e6, &o->template_tol) ? 0 : EINVAL;
    case ARGP_KEY_ARG:
        if (!o->several && o->scans == 1) {
            say_error("unexpected argument '%s'; see '%s --help'", arg, state->name);
            return EINVAL;
        }
        append(&o->scan, &o->scans, arg);
        return 0;
    case ARGP_KEY_END:
        return check_counts(o, state->name);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int parse(const struct argp *argp, int argc, char **argv, tfa_options *options)
{
    options->fit.factors = 10;
    int code = cli_parse(argp, argc, argv, options);
    if (code != CLI_GO)
        return code;
    if (options->variant != NULL) {
        options->fit.variant = cli_variant(options->variant);
        if (options->fit.variant == RUNG_NONE)
            return EXIT_USAGE;
    }
    if (options->out != NULL && options->out[0] == '\0') {
        say_error("-o: the name of the folder is empty");
        return EXIT_USAGE;
    }
    return CLI_GO;
}

static const struct argp common = {common_table, parse_common, NULL, NULL, NULL, NULL, NULL};
static const struct argp_child children[] = {{&common, 0, NULL, 0}, {0}};

int tfa_options_parse(int argc, char **argv, tfa_options *options)
{
    const struct argp argp = {tfa_table, parse_own, "SCAN", tfa_doc, children, NULL, NULL};
    *options = (tfa_options){.fit = rung_tfa_options_default()};
    return parse(&argp, argc, argv, options);
}

int htfa_options_parse(int argc, char **argv, tfa_options *options)
{
    const struct argp argp = {htfa_table, parse_own, "SCAN...", htfa_doc, children, NULL, NULL};
    const rung_htfa_options standard = rung_htfa_options_default();
    *options = (tfa_options){
        .several = true, .fit = standard.fit, .max_rounds = standard.max_rounds, .template_tol = standard.template_tol};
    return parse(&argp, argc, argv, options);
}

void tfa_options_free(tfa_options *options)
{
    free(options->scan);
    free(options->mask);
}

char *tfa_options_stem(const char *scan)
{
    static const char *const endings[] = {".gz", ".nii", ".hdr", ".img"};
    char *stem = say_format("%s", text_base(scan));
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(stem), ending = strlen(endings[i]);
        if (length > ending && strcasecmp(stem + length - ending, endings[i]) == 0)
            stem[length - ending] = '\0';
    }
    return stem;
}
