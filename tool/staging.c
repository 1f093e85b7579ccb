/* SPDX-License-Identifier: Apache-2.0
 *
 * staging.c: memory that is there from the beginning, and plain system calls, because a signal handler cleans up with
 * them.
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

typedef struct entry {
    char name[PATH_MAX]; /* as it was asked for, relative to the target */
    char path[PATH_MAX];
    char backup[PATH_MAX];
    bool had, made; /* while names are given: the target had it before; it was made there */
} entry;

static entry *file, *folder; /* [most_files], [most_folders] */
static size_t most_files, most_folders;
static volatile sig_atomic_t files, folders;
static volatile sig_atomic_t active;
static volatile sig_atomic_t committed;
static bool target_exists;

static const char template_name[] = ".rung-XXXXXX";

static bool join(char *out, const char *where, const char *name)
{
    if (strlen(where) + 1 + strlen(name) >= PATH_MAX)
        return false;
    stpcpy(stpcpy(stpcpy(out, where), "/"), name);
    return true;
}

/* The folder that `stage` has to be made in: the target itself, or its parent. */
static bool choose_stage(const char *where)
{
    size_t length = strlen(where);
    while (length > 1 && where[length - 1] == '/')
        length--;
    if (length == 0 || length >= PATH_MAX - 64) {
        say_error("'%.200s' cannot be the name of a folder", where);
        return false;
    }
    memcpy(target, where, length);
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

bool staging_begin(const char *where, size_t file_count, size_t folder_count)
{
    if (!choose_stage(where))
        return false;
    interrupt_hold();    /* what an earlier one has left */
    files = folders = 0; /* `committed` stays: a later interruption tells of it */
    free(file);
    free(folder);
    interrupt_release();
    most_files = file_count;
    most_folders = folder_count;
    file = say_alloc(file_count * sizeof *file);
    folder = say_alloc(folder_count * sizeof *folder);
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

bool staging_would_replace(const char *where, const char *name, const char *input)
{
    char result[PATH_MAX];
    struct stat a, b;
    return join(result, where, name) && stat(result, &a) == 0 && stat(input, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* Fills an entry's places. */
static void place(entry *e, bool room, const char *name, size_t number)
{
    char aside[32];
    snprintf(aside, sizeof aside, ".old-%zu", number);
    if (room && strlen(name) < PATH_MAX && join(e->path, stage, name) && join(e->backup, stage, aside)) {
        stpcpy(e->name, name);
        return;
    }
    say_error("the name of the folder for results is too long");
    exit(EXIT_JOB);
}

bool staging_folder(const char *name)
{
    size_t i = (size_t)folders;
    place(&folder[i < most_folders ? i : 0], i < most_folders, name, i);
    interrupt_hold();
    bool made = mkdir(folder[i].path, 0777) == 0;
    int error = errno;
    folders += made ? 1 : 0;
    interrupt_release();
    if (!made)
        say_error("cannot write %s: %s", name, strerror(error));
    return made;
}

const char *staging_path(const char *name)
{
    size_t i = (size_t)files;
    place(&file[i < most_files ? i : 0], i < most_files, name, i);
    files++;
    return file[i].path;
}

bool staging_settle(const char *name)
{
    for (int i = 0; i < files; i++) {
        if (strcmp(file[i].name, name) != 0)
            continue;
        int fd = open(file[i].path, O_RDONLY | O_CLOEXEC);
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

/* The folders that the target lacks; 0 or the error. */
static int make_folders(void)
{
    char result[PATH_MAX];
    struct stat st;
    for (int i = 0; i < folders; i++) {
        if (!join(result, target, folder[i].name))
            return ENAMETOOLONG;
        folder[i].made = mkdir(result, 0777) == 0;
        if (folder[i].made)
            continue;
        if (errno != EEXIST)
            return errno;
        if (stat(result, &st) != 0)
            return errno;
        if (!S_ISDIR(st.st_mode))
            return ENOTDIR;
    }
    return 0;
}

/* Into a folder that exists: file by file, each rename atomic, what stood there kept aside until all are done. */
static int replace_files(void)
{
    char result[PATH_MAX];
    int error = make_folders(), done = 0;
    for (; done < files && error == 0; done++) {
        if (!join(result, target, file[done].name)) {
            error = ENAMETOOLONG;
            break;
        }
        file[done].had = link(result, file[done].backup) == 0;
        if (rename(file[done].path, result) != 0) {
            error = errno;
            break;
        }
    }
    for (int i = done - 1; error != 0 && i >= 0; i--) {
        join(result, target, file[i].name);
        if (file[i].had)
            rename(file[i].backup, result);
        else
            unlink(result);
    }
    for (int i = 0; error != 0 && i < folders; i++)
        if (folder[i].made && join(result, target, folder[i].name))
            rmdir(result);
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
    if (error == 0)
        committed = 1;
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
        unlink(file[i].path);
        unlink(file[i].backup);
    }
    for (int i = 0; i < folders; i++)
        rmdir(folder[i].path);
    rmdir(stage);
    errno = kept;
}
