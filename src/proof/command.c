/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/command.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Proves every kernel of a registry that this machine can run: against the reference kernel,\n"
    "the reference with wider numbers, and values from outside; and that it keeps to its arrays.\n"
    "\n"
    "  --only PATTERN     cells that fit, e.g. 'gemm_tn', 'cpu/x86-64-v4', 'gemm_* cpu/*/default';\n"
    "                     may be given more than once\n"
    "  --require PATTERN  the exit status is 1 unless every cell that fits has passed;\n"
    "                     may be given more than once\n"
    "  --quick            a 13th of the many alike cases, and those that stand for many\n"
    "  --seed N           of the random numbers, as failed checks tell it\n"
    "  --how HOW          by what cells are run: native, emulator or fake-driver\n"
    "  --in-process       no process of its own for each cell: a fault in a kernel ends the command\n"
    "  --json FILE        also write the results to FILE\n"
    "  --list             list the cells and do nothing else\n"
    "  --help             this text\n"
    "\n"
    "The exit status is 0; 1 when a cell failed, was missed, or was required and not proven; 2 for usage.\n";

enum { ONLY = 1, REQUIRE, QUICK, SEED, HOW, IN_PROCESS, JSON, LIST, HELP };

static const struct option names[] = {
    {"only", required_argument, NULL, ONLY}, {"require", required_argument, NULL, REQUIRE},
    {"quick", no_argument, NULL, QUICK},     {"seed", required_argument, NULL, SEED},
    {"how", required_argument, NULL, HOW},   {"in-process", no_argument, NULL, IN_PROCESS},
    {"json", required_argument, NULL, JSON}, {"list", no_argument, NULL, LIST},
    {"help", no_argument, NULL, HELP},       {NULL, 0, NULL, 0},
};

static int usage(const char *program, const char *what, const char *value)
{
    (void)fprintf(stderr, "%s: %s%s%s; --help tells the options\n", program, what, value != NULL ? ": " : "",
                  value != NULL ? value : "");
    return 2;
}

static bool parse_seed(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 0);
    *out = (uint64_t)value;
    return errno == 0 && end != text && *end == '\0' && strchr(text, '-') == NULL && value != 0;
}

static bool parse_how(const char *text, rung_proof_how *out)
{
    static const char *const hows[] = {"native", "emulator", "fake-driver"};
    for (unsigned i = 0; i < sizeof hows / sizeof hows[0]; i++) {
        if (strcmp(text, hows[i]) == 0) {
            *out = (rung_proof_how)i;
            return true;
        }
    }
    return false;
}

/* PROOF_GO, or the exit status. */
static int take(proof_command *c, const char *program, int option, const char *value)
{
    switch (option) {
    case ONLY:
        c->only[c->options.only_count++] = value;
        return PROOF_GO;
    case REQUIRE:
        c->require[c->require_count++] = value;
        return PROOF_GO;
    case QUICK:
        c->options.quick = true;
        return PROOF_GO;
    case SEED:
        return parse_seed(value, &c->options.seed) ? PROOF_GO : usage(program, "not a seed, which is above 0", value);
    case HOW:
        return parse_how(value, &c->options.how) ? PROOF_GO
                                                 : usage(program, "--how is native, emulator or fake-driver", value);
    case IN_PROCESS:
        c->options.in_process = true;
        return PROOF_GO;
    case JSON:
        c->json = value;
        return PROOF_GO;
    case LIST:
        c->list = true;
        return PROOF_GO;
    case HELP:
        (void)printf("Usage: %s [OPTION...]\n%s", program, help);
        return fflush(stdout) == 0 ? 0 : 1;
    default:
        return usage(program, "what an option wants is missing, or it is unknown", NULL);
    }
}

int rung_proof_command_parse(int argc, char **argv, proof_command *out)
{
    const char *program = argc > 0 ? argv[0] : "selftest";
    memset(out, 0, sizeof *out);
    out->only = calloc((size_t)argc + 1, sizeof *out->only);
    out->require = calloc((size_t)argc + 1, sizeof *out->require);
    if (out->only == NULL || out->require == NULL) {
        (void)fprintf(stderr, "%s: out of memory\n", program);
        return 1;
    }
    out->options.only = out->only;
    opterr = 0;
    optind = 1;
    for (;;) {
        const int option = getopt_long(argc, argv, ":", names, NULL);
        if (option < 0)
            break;
        const int answer = take(out, program, option, optarg);
        if (answer != PROOF_GO)
            return answer;
    }
    return optind < argc ? usage(program, "not an option", argv[optind]) : PROOF_GO;
}

void rung_proof_command_free(proof_command *command)
{
    free(command->only);
    free(command->require);
}
