/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROOM = sizeof ".part." + 20 };

/* Only a file may be replaced, and not the one that standard output goes to: what is printed would be lost. */
static bool may_replace(const char *path)
{
    struct stat st, out;
    if (stat(path, &st) != 0)
        return errno == ENOENT;
    if (!S_ISREG(st.st_mode))
        errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
    else if (fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == st.st_dev && out.st_ino == st.st_ino)
        errno = EBUSY;
    else
        return true;
    return false;
}

/* A link that leads nowhere has no path behind it: ENOENT. */
static char *resolve(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode) ? realpath(path, NULL) : strdup(path);
}

static int create(const char *part)
{
    return open(part, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
}

bool rung_whole_file_try(whole_file *file, const char *path)
{
    *file = (whole_file){0};
    if (!may_replace(path))
        return false;
    file->path = resolve(path);
    if (file->path == NULL)
        return false;
    const size_t size = strlen(file->path) + ROOM;
    file->part = malloc(size);
    if (file->part == NULL)
        return false;
    (void)snprintf(file->part, size, "%s.part.%ld", file->path, (long)getpid());
    const int fd = create(file->part);
    if (fd < 0)
        return false;
    (void)close(fd);
    return unlink(file->part) == 0;
}

FILE *rung_whole_file_open(const whole_file *file)
{
    const int fd = create(file->part);
    FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
    if (fd >= 0 && to == NULL) {
        const int error = errno;
        (void)close(fd);
        (void)unlink(file->part);
        errno = error;
    }
    return to;
}

bool rung_whole_file_close(const whole_file *file, FILE *to, bool written)
{
    int error = written ? 0 : errno;
    if (fclose(to) != 0 && error == 0)
        error = errno;
    if (written && error == 0 && !may_replace(file->path))
        error = errno;
    if (written && error == 0 && rename(file->part, file->path) == 0)
        return true;
    if (written && error == 0)
        error = errno;
    (void)unlink(file->part);
    errno = error;
    return false;
}

void rung_whole_file_free(whole_file *file)
{
    free(file->path);
    free(file->part);
}
