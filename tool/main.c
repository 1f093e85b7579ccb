/* SPDX-License-Identifier: Apache-2.0
 *
 * main.c: the `rung` command.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "commands.h"
#include "say.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"doctor", cmd_doctor},   {"platform", cmd_platform}, {"select", cmd_select},     {"explain", cmd_explain},
    {"resolve", cmd_resolve}, {"matrix", cmd_matrix},     {"selftest", cmd_selftest}, {"bench", cmd_bench},
    {"tune", cmd_tune},       {"tfa", cmd_tfa},           {"htfa", cmd_htfa},
};

static const char doc[] =
    "Shows what Rung found on this machine, which kernel it calls for every op and why, and runs topographic factor "
    "analysis with these kernels.\v"
    "Commands:\n"
    "  doctor       what this machine has, what was chosen, what was rejected, and what to do about it\n"
    "  platform     what was detected, the chain that ops fall back along, and why\n"
    "  select [NAME] the backend that a program should compute with, and all that were considered\n"
    "  explain OP   every rung of one op, with the reason why it is not the one\n"
    "  resolve [OP] the kernel that is called, for one op or for all\n"
    "  matrix       every kernel that the registry declares\n"
    "  selftest [OP...] proves the kernels on this machine, or merges such results of several machines\n"
    "  bench [OP]   times every kernel that runs here, compares with older results, draws a roofline\n"
    "  tune [OP...] proposes which kernels should stand behind those of older archs, as these are faster here\n"
    "  tfa SCAN     topographic factor analysis of a 4-D NIfTI scan\n"
    "  htfa SCAN... hierarchical topographic factor analysis of the scans of several subjects\n"
    "\n"
    "'rung COMMAND --help' tells the options of a command; every command knows --json.\n"
    "\n"
    "Exit codes:\n"
    "  0  done\n"
    "  1  the job failed: bad data, not readable, not writable; a kernel is not what it should be\n"
    "  2  usage: an option, argument or name that does not exist\n"
    "  3  the platform or backend asked for is not available here\n"
    "  130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP, as a shell sees them:\n"
    "     the command ends by that signal, and leaves no file behind\n"
    "\n"
    "Environment:\n"
    "  RUNG_PLATFORM  caps or forces the platform, e.g. cpu/x86-64-v3\n"
    "  RUNG_SKIP      devices that are not looked for, e.g. cuda,opencl\n"
    "  RUNG_PROBE     isolated: vendors' libraries are opened in another process only\n"
    "  RUNG_PROBE_HELPER  the path of rung-probe, which opens them, where it is not found\n"
    "  RUNG_LOG       info or debug: the library says on stderr what it finds\n";

int main(int argc, char **argv)
{
    /* A closed pipe and a full disk are errors of the write that meets them. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    say_guard_streams();

    static char program[] = "rung";
    if (argc < 1) {
        say_error("no command; see 'rung --help'");
        return EXIT_USAGE;
    }
    argv[0] = program;
    /* Options after the command are the command's own: only what stands before it is parsed here. */
    int own = 1;
    while (own < argc && argv[own][0] == '-' && strcmp(argv[own], "--") != 0)
        own++;
    const struct argp argp = {NULL, NULL, "COMMAND [ARGUMENT...]", doc, NULL, NULL, NULL};
    int code = cli_parse(&argp, own, argv, NULL);
    if (code != CLI_GO)
        return code;
    if (own < argc && strcmp(argv[own], "--") == 0)
        own++;
    if (own >= argc) {
        say_error("no command; see 'rung --help'");
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[own], commands[i].name) != 0)
            continue;
        char *name = say_format("rung %s", commands[i].name);
        argv[own] = name;
        code = commands[i].run(argc - own, argv + own);
        free(name);
        return code;
    }
    say_error("no command '%s'; there are: doctor, platform, select, explain, resolve, matrix, selftest, bench, tune, "
              "tfa, htfa",
              argv[own]);
    return EXIT_USAGE;
}
