/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_tfa_missing.c: `rung tfa` in a build that lacks what it needs; RUNG_TOOL_MISSING is a text such as "cairo".
 */
#include "commands.h"
#include "say.h"

int cmd_tfa(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    say_error("this build has no tfa command: %s was not found when it was built", RUNG_TOOL_MISSING);
    return EXIT_PLATFORM;
}
