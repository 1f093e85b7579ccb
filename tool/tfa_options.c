/* SPDX-License-Identifier: Apache-2.0
 *
 * tfa_options.c: the options of `rung tfa`.
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

static const char doc[] =
    "Topographic factor analysis: finds K spheres (centre and width in mm) and their weight in every volume that "
    "together "
    "explain a 4-D NIfTI scan best (Manning et al. 2014, doi:10.1371/journal.pone.0094914).\v"
    "SCAN is NIfTI-1 or -2: .nii, .nii.gz or a pair .hdr/.img, of any integer or floating-point type. Voxels that are "
    "constant in time or hold a value that is not finite are left out.\n"
    "\n"
    "Written to the folder DIR, all together or not at all; results of an earlier run there are replaced:\n"
    "  factors.tsv     centre, width and explained variance of every factor\n"
    "  weights.tsv     a row for each volume, a column for each factor\n"
    "  factors.nii.gz  every factor as an image on the scan's grid\n"
    "  factors.png     three views of the scan with the factors, and their weights\n"
    "  report.json     input, platform, kernels, options, figures of the fit, times\n"
    "\n"
    "The same scan, options and platform give the same bytes, but for \"timing\" in report.json.\n"
    "\n"
    "BACKEND is a platform: cpu, cpu/x86-64-v3, accel/sm90. Without it RUNG_PLATFORM counts, and else the best "
    "platform "
    "of this machine. Frameworks (JAX, PyTorch, NumPy, ...) are refused: Rung runs its own kernels.\n"
    "\n"
    "Exit codes: 0 done; 1 the job failed (bad data, not readable, not writable); 2 usage; 3 the backend is not "
    "available; "
    "a signal ends it by that signal (in a shell 130 after Ctrl-C, 143 after SIGTERM), and leaves no file.\n";

enum { KEY_SEED = 1, KEY_MAX_ITER, KEY_TOL, KEY_DETREND, KEY_RIDGE, KEY_THREADS, KEY_JSON };

static const struct argp_option table[] = {
    {"factors", 'k', "K", 0, "Number of factors, 1 to 1000 (default 10)", 1},
    {"mask", 'm', "FILE", 0, "Use only voxels where this 3-D image is not 0", 1},
    {"output", 'o', "DIR", 0, "Folder for the results (default: <name of the scan>-tfa in the current folder)", 1},
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

static error_t parse(int key, char *arg, struct argp_state *state)
{
    tfa_options *o = state->input;
    switch (key) {
    case 'm':
        o->mask = arg;
        return 0;
    case 'o':
        o->out = arg;
        return 0;
    case 'b':
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
    case ARGP_KEY_ARG:
        if (o->scan != NULL) {
            say_error("unexpected argument '%s'; see '%s --help'", arg, state->name);
            return EINVAL;
        }
        o->scan = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->scan == NULL) {
            say_error("no SCAN given; see '%s --help'", state->name);
            return EINVAL;
        }
        return 0;
    default:
        return parse_number(key, arg, &o->fit);
    }
}

int tfa_options_parse(int argc, char **argv, tfa_options *options)
{
    const struct argp argp = {table, parse, "SCAN", doc, NULL, NULL, NULL};
    *options = (tfa_options){.fit = rung_tfa_options_default()};
    options->fit.factors = 10;
    int code = cli_parse(&argp, argc, argv, options);
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

int tfa_options_refuse_framework(const char *backend)
{
    static const char *const frameworks[] = {
        "jax",  "pytorch", "torch", "tensorflow", "tf",     "numpy",  "scipy", "cupy",     "numba", "onnxruntime",
        "onnx", "mxnet",   "mlx",   "keras",      "theano", "paddle", "dask",  "brainiak", "htfa"};
    if (backend == NULL)
        return EXIT_OK;
    size_t length = strcspn(backend, "+/:-, ");
    for (size_t i = 0; i < sizeof frameworks / sizeof *frameworks; i++) {
        if (strlen(frameworks[i]) != length || strncasecmp(backend, frameworks[i], length) != 0)
            continue;
        say_error(
            "backend '%s' is not available: it needs Python, and Rung runs only its own kernels; name a platform, "
            "such as cpu or cpu/x86-64-v3",
            backend);
        return EXIT_PLATFORM;
    }
    return EXIT_OK;
}

char *tfa_options_default_folder(const char *scan)
{
    static const char *const endings[] = {".gz", ".nii", ".hdr", ".img"};
    char *stem = say_format("%s", text_base(scan));
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(stem), ending = strlen(endings[i]);
        if (length > ending && strcasecmp(stem + length - ending, endings[i]) == 0)
            stem[length - ending] = '\0';
    }
    char *folder = say_format("%s-tfa", stem);
    free(stem);
    return folder;
}
