/* SPDX-License-Identifier: Apache-2.0
 *
 * staging.c: static memory and plain system calls, because a signal handler cleans up with them.
 */
#include "staging.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"
#include "say.h"

static char target[PATH_MAX]; /* the folder asked for */
static char stage[PATH_MAX];  /* the hidden one */
static char path[STAGING_FILES][PATH_MAX];
static char backup[STAGING_FILES][PATH_MAX];
static const char *file_name[STAGING_FILES];
static volatile sig_atomic_t files;
static volatile sig_atomic_t active;
static volatile sig_atomic_t committed;
static bool target_exists;

static const char template_name[] = ".rung-XXXXXX";

static bool join(char *out, const char *folder, const char *name)
{
    if (strlen(folder) + 1 + strlen(name) >= PATH_MAX)
        return false;
    stpcpy(stpcpy(stpcpy(out, folder), "/"), name);
    return true;
}

/* The folder that `stage` has to be made in: the target itself, or its parent. */
static bool choose_stage(const char *folder)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    if (length == 0 || length >= PATH_MAX - 64) {
        say_error("'%.200s' cannot be the name of a folder", folder);
        return false;
    }
    memcpy(target, folder, length);
    target[length] = '\0';

    struct stat st;
    if (stat(target, &st) == 0) {
        if (!S_ISDIR(st.st_mode)) {
            say_error("%s is not a folder", target);
            return false;
        }
        target_exists = true;
        return join(stage, target, template_name);
    }
    if (errno != ENOENT || lstat(target, &st) == 0) {
        say_error("cannot use %s: %s", target, errno == ENOENT ? "a link that leads nowhere" : strerror(errno));
        return false;
    }
    target_exists = false;
    /* "a/b" -> "a/.rung-XXXXXX", "/b" -> "/.rung-XXXXXX", "b" -> ".rung-XXXXXX" */
    const char *slash = strrchr(target, '/');
    size_t parent = slash != NULL ? (size_t)(slash + 1 - target) : 0;
    memcpy(stage, target, parent);
    memcpy(stage + parent, template_name, sizeof template_name);
    return true;
}

bool staging_begin(const char *folder)
{
    if (!choose_stage(folder))
        return false;
    interrupt_hold();
    bool made = mkdtemp(stage) != NULL;
    int error = errno;
    active = made;
    interrupt_release();
    if (!made) {
        say_error("cannot write to %s: %s", target, strerror(error));
        return false;
    }
    /* As mkdir would have made it, because it becomes the folder of the results. */
    mode_t mask = umask(0);
    umask(mask);
    chmod(stage, 0777 & ~mask);
    return atexit(staging_discard) == 0;
}

bool staging_would_replace(const char *folder, const char *name, const char *input)
{
    char result[PATH_MAX];
    struct stat a, b;
    return join(result, folder, name) && stat(result, &a) == 0 && stat(input, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

const char *staging_path(const char *name)
{
    int i = files;
    char aside[] = ".old-0";
    aside[sizeof aside - 2] = (char)('0' + i % 10);
    if (i >= STAGING_FILES || !join(path[i], stage, name) || !join(backup[i], stage, aside)) {
        say_error("the name of the folder for results is too long");
        exit(EXIT_JOB);
    }
    file_name[i] = name;
    files = i + 1;
    return path[i];
}

bool staging_settle(const char *name)
{
    for (int i = 0; i < files; i++) {
        if (strcmp(file_name[i], name) != 0)
            continue;
        int fd = open(path[i], O_RDONLY | O_CLOEXEC);
        bool settled = fd >= 0 && fsync(fd) == 0;
        int error = errno;
        if (fd >= 0 && close(fd) != 0)
            settled = false;
        if (!settled && (error == EINVAL || error == ENOTSUP))
            settled = true; /* a file system that has nothing to flush */
        if (!settled)
            say_error("cannot write %s: %s", name, strerror(error));
        return settled;
    }
    return false;
}

/* Into a folder that exists: file by file, each rename atomic, what stood there kept aside until all are done. */
static int replace_files(void)
{
    char result[PATH_MAX];
    bool had[STAGING_FILES] = {false};
    int error = 0, done = 0;
    for (; done < files && error == 0; done++) {
        if (!join(result, target, file_name[done])) {
            error = ENAMETOOLONG;
            break;
        }
        had[done] = link(result, backup[done]) == 0;
        if (rename(path[done], result) != 0) {
            error = errno;
            break;
        }
    }
    for (int i = done - 1; error != 0 && i >= 0; i--) {
        join(result, target, file_name[i]);
        if (had[i])
            rename(backup[i], result);
        else
            unlink(result);
    }
    return error;
}

bool staging_commit(void)
{
    interrupt_hold();
    int error = 0;
    if (!target_exists && rename(stage, target) == 0)
        active = 0;
    else if (!target_exists && errno != ENOTEMPTY && errno != EEXIST)
        error = errno;
    else
        error = replace_files(); /* also a folder that somebody else has filled meanwhile */
    staging_discard();
    committed = error == 0;
    interrupt_release();
    if (error != 0)
        say_error("cannot write to %s: %s", target, strerror(error));
    return error == 0;
}

bool staging_committed(void)
{
    return committed != 0;
}

void staging_discard(void)
{
    if (!active)
        return;
    active = 0;
    int kept = errno;
    for (int i = 0; i < files; i++) {
        unlink(path[i]);
        unlink(backup[i]);
    }
    rmdir(stage);
    errno = kept;
}
