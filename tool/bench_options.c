/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_options.c: parsing, and what does not go together.
 */
#include "bench_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "output.h"
#include "say.h"

enum { KEY_ONLY = 1, KEY_TURNS, KEY_SECONDS, KEY_NO_ROOF, KEY_JSON, KEY_COMPARE, KEY_FAIL, KEY_PLOT, KEY_FROM };

static const struct argp_option options[] = {
    {"only", KEY_ONLY, "PATTERN", 0,
     "Only cells that fit: 'OP DEVICE/ARCH/VARIANT', 'DEVICE/ARCH' or 'OP', with * and ?; may be given again", 0},
    {"turns", KEY_TURNS, "N", 0, "Turns that medians are over (default 31)", 0},
    {"seconds", KEY_SECONDS, "S", 0, "Least length of a turn (default 0.002)", 0},
    {"no-roof", KEY_NO_ROOF, NULL, 0, "Do not measure what the machine can do at most", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON", 0},
    {"output", 'o', "FILE", 0, "Write the results as JSON to a file, too", 0},
    {"from", KEY_FROM, "FILE", 0, "Take the results of a file; nothing is measured", 0},
    {"compare", KEY_COMPARE, "OLD.json", 0, "Compare with older results; changes larger than the noise are flagged", 0},
    {"fail-if-slower", KEY_FAIL, NULL, 0, "Exit code 1 when --compare flags a cell as slower", 0},
    {"plot", KEY_PLOT, "FILE.svg", 0, "Draw the cells under the roofs", 0},
    {0},
};

/* What is no name of an op: it has a point or a slash. */
static bool is_file(const char *text)
{
    return strpbrk(text, "./") != NULL;
}

static bool add_word(bench_options *o, const char *text)
{
    if (is_file(text)) {
        if (o->from != NULL) {
            say_error("unexpected argument '%s': results are taken of one file, %s", text, o->from);
            return false;
        }
        o->from = text;
        return true;
    }
    if (!cli_op(text))
        return false;
    o->op = say_realloc(o->op, (o->ops + 1) * sizeof *o->op);
    o->op[o->ops++] = text;
    return true;
}

static bool add_pattern(bench_options *o, const char *text)
{
    o->only.text = say_realloc(o->only.text, (o->only.count + 1) * sizeof *o->only.text);
    o->only.text[o->only.count++] = text;
    return true;
}

static bool turns(bench_options *o, const char *text)
{
    long long value;
    if (!cli_whole("--turns", text, 1, 100000, &value))
        return false;
    o->turns = (unsigned)value;
    return true;
}

static bool fits_together(const bench_options *o, const char *name)
{
    const bool measures =
        o->turns != 0 || o->seconds > 0 || o->no_roof || o->output != NULL || o->ops != 0 || o->only.count != 0;
    if (o->fail_if_slower && o->compare == NULL)
        say_error("--fail-if-slower needs --compare");
    else if (o->from != NULL && measures)
        say_error("nothing is measured where results are taken of a file, so that ops, --only, --turns, --seconds, "
                  "--no-roof and --output do not go with %s",
                  o->from);
    else if (o->from != NULL && o->compare == NULL && o->plot == NULL && o->json)
        say_error("%s is JSON already; see '%s --help'", o->from, name);
    else if (o->output != NULL && o->plot != NULL && output_same(o->output, o->plot))
        say_error("--output and --plot name the same file, %s", o->plot);
    else
        return true;
    return false;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    bench_options *o = state->input;
    bool good = true;
    switch (key) {
    case KEY_ONLY:
        good = add_pattern(o, arg);
        break;
    case KEY_TURNS:
        good = turns(o, arg);
        break;
    case KEY_SECONDS:
        good = cli_real("--seconds", arg, 1e-6, 60, &o->seconds);
        break;
    case KEY_NO_ROOF:
        o->no_roof = true;
        break;
    case KEY_JSON:
        o->json = true;
        break;
    case 'o':
        o->output = arg;
        break;
    case KEY_FROM:
        o->from = arg;
        break;
    case KEY_COMPARE:
        o->compare = arg;
        break;
    case KEY_FAIL:
        o->fail_if_slower = true;
        break;
    case KEY_PLOT:
        o->plot = arg;
        break;
    case ARGP_KEY_ARG:
        good = add_word(o, arg);
        break;
    case ARGP_KEY_END:
        good = fits_together(o, state->name);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return good ? 0 : EINVAL;
}

int bench_options_parse(int argc, char **argv, bench_options *out)
{
    static const char doc[] =
        "Times every kernel that runs on this machine, at the sizes that the registry names, on one thread, beside "
        "what the machine can do at most.\v"
        "The kernels of an op take turns. A turn is as many calls, one after another, as take the least length; the "
        "caches are warm. The time is that of a whole dispatched call, whose own cost of some nanoseconds is not taken "
        "away; that of a cell on a device has the launch and the wait in it, with the data there already.\n"
        "\n"
        "RESULTS.json, a word with a point or a slash in it, is the same as --from RESULTS.json: "
        "'rung bench --compare OLD.json NEW.json' compares two files.";
    const struct argp argp = {options, parse, "[OP...]\nRESULTS.json", doc, NULL, NULL, NULL};
    *out = (bench_options){0};
    return cli_parse(&argp, argc, argv, out);
}

void bench_options_free(bench_options *options)
{
    free(options->op);
    free(options->only.text);
}
