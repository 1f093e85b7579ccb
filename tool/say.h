/* SPDX-License-Identifier: Apache-2.0
 *
 * say.h: the tool's way of telling a person something on stderr, and its exit codes.
 */
#ifndef RUNG_TOOL_SAY_H
#define RUNG_TOOL_SAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Documented in `rung --help`. A signal ends the tool by that signal: a shell sees 128 plus its number. */
enum { EXIT_OK = 0, EXIT_JOB = 1, EXIT_USAGE = 2, EXIT_PLATFORM = 3 };

/* One line "rung: ..." on stderr, whatever stands in the arguments: control characters and bytes that are not UTF-8 are
 * replaced, and a progress bar is taken away first. */
__attribute__((format(printf, 1, 2))) void say_error(const char *format, ...);
/* The same for what does not end the job: "rung: warning: ...". Silent after say_quiet(). */
__attribute__((format(printf, 1, 2))) void say_warning(const char *format, ...);
void say_quiet(void);
/* A line without a head, made safe in the same way, to a stream that may be NULL. */
__attribute__((format(printf, 2, 3))) void say_to(FILE *to, const char *format, ...);
/* How many errors were said: to keep a failure at one line. */
unsigned say_errors(void);

/* Makes a failed write to stdout (closed, closed pipe, full disk) an error line and exit code 1; one that was closed
 * from the start is no failure unless something is written to it. Call once, in main, before any file is opened. */
void say_guard_streams(void);

/* Never NULL: says so and ends the tool when memory is out. For small things only. */
void *say_alloc(size_t bytes);
void *say_realloc(void *memory, size_t bytes);
__attribute__((format(printf, 1, 2))) char *say_format(const char *format, ...);

#endif
