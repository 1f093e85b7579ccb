/* SPDX-License-Identifier: Apache-2.0
 *
 * commands.h: one function per command; argv[0] is "rung <command>", the answer is the exit code.
 */
#ifndef RUNG_TOOL_COMMANDS_H
#define RUNG_TOOL_COMMANDS_H

int cmd_platform(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_select(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_resolve(int argc, char **argv);
int cmd_matrix(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_selftest(int argc, char **argv);
int cmd_tune(int argc, char **argv);
int cmd_tfa(int argc, char **argv);
int cmd_htfa(int argc, char **argv);

#endif
