/* SPDX-License-Identifier: Apache-2.0
 *
 * whole_file.h: a file that is there as a whole or not at all.
 */
#ifndef RUNG_PROOF_WHOLE_FILE_H
#define RUNG_PROOF_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct whole_file {
    char *path; /* behind what links there are: these stay */
    char *part; /* beside it, until it is whole */
} whole_file;

/* Before the work: whether the file can be written, with the rights that the umask leaves; what exists has to be a
 * file, not a device or a pipe (EINVAL), nor where standard output goes (EBUSY). False with errno set. Leaves nothing
 * on disk; rung_whole_file_free in either case. */
bool rung_whole_file_try(whole_file *file, const char *path);
/* NULL with errno set. */
FILE *rung_whole_file_open(const whole_file *file);
/* Closes the stream, and gives the file its name if all that was `written` is there; false with errno set otherwise,
 * and then nothing is left. */
bool rung_whole_file_close(const whole_file *file, FILE *to, bool written);
void rung_whole_file_free(whole_file *file);

#endif
