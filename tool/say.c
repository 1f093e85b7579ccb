/* SPDX-License-Identifier: Apache-2.0
 *
 * say.c: error lines, exit codes, stdout that cannot fail unnoticed.
 */
#include "say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "progress.h"
#include "text.h"

static unsigned errors;
static bool quiet;

/* One write, so that lines of several processes do not mix. */
static void say_line(const char *head, const char *format, va_list args)
{
    char body[1024], line[2048];
    vsnprintf(body, sizeof body, format, args);
    text_copy_line(line, sizeof line - 64, body);
    progress_hide();
    fflush(stdout);
    fprintf(stderr, "%s%s\n", head, line);
}

void say_to(FILE *to, const char *format, ...)
{
    if (to == NULL)
        return;
    char body[1024], line[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(body, sizeof body, format, args);
    va_end(args);
    text_copy_line(line, sizeof line, body);
    progress_hide();
    fprintf(to, "%s\n", line);
    fflush(to);
}

void say_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say_line("rung: ", format, args);
    va_end(args);
    errors++;
}

void say_warning(const char *format, ...)
{
    if (quiet)
        return;
    va_list args;
    va_start(args, format);
    say_line("rung: warning: ", format, args);
    va_end(args);
}

void say_quiet(void)
{
    quiet = true;
}

unsigned say_errors(void)
{
    return errors;
}

static void check_stdout(void)
{
    bool failed = ferror(stdout) != 0;
    errno = 0;
    if (fflush(stdout) != 0 || fclose(stdout) != 0)
        failed = true;
    if (!failed)
        return;
    fprintf(stderr, "rung: cannot write to standard output%s%s\n", errno ? ": " : "", errno ? strerror(errno) : "");
    _exit(EXIT_JOB);
}

void say_guard_streams(void)
{
    /* A file opened where one of the three is closed would get its number, and then what is meant for a person. Open
     * for reading, so that writing fails as it would have. */
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            _exit(EXIT_JOB);
    if (atexit(check_stdout) != 0)
        abort();
}

static void out_of_memory(void)
{
    say_error("out of memory");
    exit(EXIT_JOB);
}

void *say_alloc(size_t bytes)
{
    void *memory = calloc(1, bytes != 0 ? bytes : 1);
    if (memory == NULL)
        out_of_memory();
    return memory;
}

void *say_realloc(void *memory, size_t bytes)
{
    memory = realloc(memory, bytes != 0 ? bytes : 1);
    if (memory == NULL)
        out_of_memory();
    return memory;
}

char *say_format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        length = 0;
    char *text = say_alloc((size_t)length + 1);
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}
