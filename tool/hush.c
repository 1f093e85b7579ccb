/* SPDX-License-Identifier: Apache-2.0
 *
 * hush.c: stderr leads to /dev/null for a moment. Where that cannot be, the library is heard.
 */
#include "hush.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int kept = -1;

void hush_begin(void)
{
    fflush(stderr);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0)
        return;
    kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (kept >= 0)
        dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

void hush_end(void)
{
    if (kept < 0)
        return;
    int error = errno;
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    kept = -1;
    errno = error;
}
