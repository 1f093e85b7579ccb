/* SPDX-License-Identifier: Apache-2.0
 *
 * output.c: a staging folder for one file.
 */
#include "output.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json.h"
#include "say.h"
#include "staging.h"
#include "text.h"

static char target[PATH_MAX]; /* the file, behind what links there are: these stay */
static const char *name;      /* its own within its folder */

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* 0, or the error. */
static int resolve(const char *path, char out[PATH_MAX])
{
    struct stat st;
    if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
        return realpath(path, out) != NULL ? 0 : errno;
    if (strlen(path) >= PATH_MAX)
        return ENAMETOOLONG;
    stpcpy(out, path);
    return 0;
}

/* Free it. */
static char *folder_of(const char *path)
{
    const size_t length = (size_t)(text_base(path) - path);
    return length > 1 ? say_format("%.*s", (int)length - 1, path) : say_format(length == 1 ? "/" : ".");
}

bool output_same(const char *a, const char *b)
{
    char first[PATH_MAX], second[PATH_MAX];
    if (resolve(a, first) != 0 || resolve(b, second) != 0)
        return false;
    char *folder_a = folder_of(first), *folder_b = folder_of(second);
    struct stat x, y;
    const bool same = strcmp(text_base(first), text_base(second)) == 0 && stat(folder_a, &x) == 0 &&
                      stat(folder_b, &y) == 0 && same_file(&x, &y);
    free(folder_a);
    free(folder_b);
    return same;
}

/* Whether a file of that name may be put there. Error line otherwise. */
static bool can_be_file(const char *path)
{
    struct stat st, out;
    const bool exists = stat(path, &st) == 0;
    const int error = resolve(path, target);
    if (exists ? !S_ISREG(st.st_mode) : text_base(path)[0] == '\0')
        say_error("cannot write '%s': it is not the name of a file", path);
    else if (exists && fstat(STDOUT_FILENO, &out) == 0 && same_file(&st, &out))
        say_error("cannot write '%s': it is where standard output goes", path);
    else if (error != 0)
        say_error("cannot write %s: %s", path, error == ENOENT ? "a link that leads nowhere" : strerror(error));
    else
        return true;
    return false;
}

const char *output_name(void)
{
    return name;
}

bool output_begin(const char *path, const char *const *inputs, size_t count)
{
    struct stat st;
    if (!can_be_file(path))
        return false;
    name = text_base(target);
    char *folder = folder_of(target);
    bool good = stat(folder, &st) == 0;
    if (!good)
        say_error("cannot write %s: %s", path, strerror(errno));
    for (size_t i = 0; good && i < count; i++) {
        good = !staging_would_replace(folder, name, inputs[i]);
        if (!good)
            say_error("the results would replace %s; choose another file", inputs[i]);
    }
    good = good && staging_begin(folder, 1, 0);
    free(folder);
    return good;
}

static void write_json(FILE *to, const void *root)
{
    (void)json_write(root, to); /* a failed write shows in ferror */
}

static bool stage(const char *result, output_fn *write, const void *data)
{
    errno = 0;
    FILE *file = fopen(staging_path(result), "w");
    if (file != NULL)
        write(file, data);
    bool good = file != NULL && fflush(file) == 0 && ferror(file) == 0;
    int error = errno;
    if (file != NULL && fclose(file) != 0) {
        good = false;
        error = errno;
    }
    if (!good)
        say_error("cannot write %s: %s", result, error != 0 ? strerror(error) : "the disk is full or not writable");
    return good && staging_settle(result);
}

bool output_json(const json_t *root, const char *result)
{
    return stage(result, write_json, root);
}

bool output_commit(const json_t *root)
{
    return output_json(root, name) && staging_commit();
}

bool output_commit_by(output_fn *write, const void *data)
{
    return stage(name, write, data) && staging_commit();
}
