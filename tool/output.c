/* SPDX-License-Identifier: Apache-2.0
 *
 * output.c: a staging folder for one file.
 */
#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "json.h"
#include "say.h"
#include "staging.h"
#include "text.h"

static const char *name; /* of the file within its folder; of the path of output_begin, which lives as long */

bool output_begin(const char *path, const char *const *inputs, size_t count)
{
    struct stat st;
    name = text_base(path);
    if (stat(path, &st) == 0 ? !S_ISREG(st.st_mode) : name[0] == '\0') {
        say_error("cannot write '%s': it is not the name of a file", path);
        return false;
    }
    size_t length = (size_t)(name - path);
    char *folder = length > 1 ? say_format("%.*s", (int)length - 1, path) : say_format(length == 1 ? "/" : ".");
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
