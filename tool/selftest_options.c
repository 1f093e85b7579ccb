/* SPDX-License-Identifier: Apache-2.0
 *
 * selftest_options.c: lists of patterns and of words, as long as the command line at most.
 */
#include "selftest_options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "cli.h"
#include "say.h"

enum { KEY_MERGE = 1, KEY_JSON, KEY_ONLY, KEY_SEED, KEY_QUICK, KEY_EMULATED, KEY_REQUIRE };

static const struct argp_option options[] = {
    {"only", KEY_ONLY, "PATTERN", 0,
     "Only cells that fit: a pattern of \"op device/arch/variant\", \"device/arch\" or \"op\", e.g. 'cpu/*'; may be "
     "given several times",
     0},
    {"quick", KEY_QUICK, NULL, 0, "A 13th of the many cases that are alike, and those that stand for many", 0},
    {"seed", KEY_SEED, "N", 0, "Other random numbers; what failed tells its seed", 0},
    {"emulated", KEY_EMULATED, NULL, 0, "Say that this processor is an emulated one, where it does not say so itself",
     0},
    {"require", KEY_REQUIRE, "PATTERN", 0,
     "Fail unless every cell that fits has passed; a pattern as of --only; may be given several times", 0},
    {"merge", KEY_MERGE, NULL, 0, "Test nothing: make one table of results of several machines, the JSON FILEs", 0},
    {"output", 'o', "FILE", 0, "Write the results as JSON to a file, beside what is printed", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON", 0},
    {0},
};

static bool parse_seed(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    if (!isdigit((unsigned char)text[0]) || *end != '\0') {
        say_error("--seed: '%s' is not a whole number", text);
        return false;
    }
    if (errno == ERANGE || value == 0 || value > UINT64_MAX) {
        say_error("--seed: %s is out of range; it must be 1 to 0xffffffffffffffff", text);
        return false;
    }
    *out = value;
    return true;
}

/* What does not go together with --merge, or is missing with it. */
static bool fits_together(const selftest_options *o)
{
    if (!o->merge)
        return true;
    if (o->words == 0)
        say_error("--merge needs the names of files");
    else if (o->only.count != 0 || o->quick || o->emulated || o->seed != 0)
        say_error("--merge tests nothing: --only, --quick, --seed and --emulated do not go with it");
    else
        return true;
    return false;
}

static bool are_ops(const selftest_options *o)
{
    for (size_t i = 0; !o->merge && i < o->words; i++)
        if (!cli_op(o->word[i]))
            return false;
    return true;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    selftest_options *o = state->input;
    switch (key) {
    case KEY_MERGE:
        o->merge = true;
        return 0;
    case KEY_JSON:
        o->json = true;
        return 0;
    case KEY_ONLY:
        o->only.text[o->only.count++] = arg;
        return 0;
    case KEY_REQUIRE:
        o->required.text[o->required.count++] = arg;
        return 0;
    case KEY_SEED:
        return parse_seed(arg, &o->seed) ? 0 : EINVAL;
    case KEY_QUICK:
        o->quick = true;
        return 0;
    case KEY_EMULATED:
        o->emulated = true;
        return 0;
    case 'o':
        o->output = arg;
        return 0;
    case ARGP_KEY_ARG:
        o->word[o->words++] = arg;
        return 0;
    case ARGP_KEY_END:
        return fits_together(o) && are_ops(o) ? 0 : EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int selftest_options_parse(int argc, char **argv, selftest_options *out)
{
    static const char doc[] =
        "Proves the kernels on this machine: calls every one that runs here, of all ops or of those named, with the "
        "sizes, strides and values that matter, and compares what it computes with the reference kernel, with the "
        "reference in more precision, and with values from outside of this project. What cannot run here is unproven: "
        "it never counts as passed.\v"
        "The columns: worst and wide are the largest errors against the reference and against the reference in more "
        "precision, as parts of what is allowed; outside is the number of values from outside. docs/proof.md has "
        "more.\n"
        "\n"
        "Exit code 1 when a cell failed, was missed, or is required and did not pass.\n";
    const struct argp argp = {options, parse, "[OP...]\n--merge FILE...", doc, NULL, NULL, NULL};
    size_t room = (size_t)argc * sizeof(const char *);
    *out = (selftest_options){.word = say_alloc(room)};
    out->only.text = say_alloc(room);
    out->required.text = say_alloc(room);
    return cli_parse(&argp, argc, argv, out);
}

void selftest_options_free(selftest_options *o)
{
    free(o->word);
    free(o->only.text);
    free(o->required.text);
}
