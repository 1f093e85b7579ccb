/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_tfa_missing.c: `rung tfa` and `rung htfa` in a build that lacks what they need; RUNG_TOOL_MISSING is a text such
 * as "cairo".
 */
#include "commands.h"
#include "say.h"

static int missing(const char *command)
{
    say_error("this build has no %s command: %s was not found when it was built", command, RUNG_TOOL_MISSING);
    return EXIT_PLATFORM;
}

int cmd_tfa(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return missing("tfa");
}

int cmd_htfa(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return missing("htfa");
}
