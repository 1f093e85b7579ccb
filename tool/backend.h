/* SPDX-License-Identifier: Apache-2.0
 *
 * backend.h: what the value of --backend stands for.
 */
#ifndef RUNG_TOOL_BACKEND_H
#define RUNG_TOOL_BACKEND_H

#include "rung/select.h"

/* Opens the platform that a job runs on. backend: NULL or "native": what a NULL chain opens, which is what the
 * selection gives to C programs; another backend of the registry: refused, with what the selection knows of it;
 * anything else: a platform string. On failure one line, and *code is the exit code. */
rung_platform *backend_open(const char *backend, int *code);

/* Warns when a problem does not fit the memory that the process may use, by the rule of rung/select.h. */
void backend_warn(const rung_problem *problem);

#endif
