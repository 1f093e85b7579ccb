/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

tree *tree_new(void)
{
    tree *t = calloc(1, sizeof *t);
    assert_non_null(t);
    assert_non_null(getcwd(t->root, sizeof t->root));
    size_t len = strlen(t->root);
    assert_true(len + 32 < sizeof t->root);
    memcpy(t->root + len, "/frameworks-XXXXXX", sizeof "/frameworks-XXXXXX");
    assert_non_null(mkdtemp(t->root));
    t->world = rung_this_world();
    t->world.root = t->root;
    t->world.system = "linux";
    t->world.environment = t->environment;
    return t;
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *at)
{
    (void)about;
    (void)type;
    (void)at;
    return remove(path);
}

void tree_free(tree *t)
{
    assert_int_equal(nftw(t->root, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
    free(t);
}

/* The path below the root, with every folder above it. */
static void place(const tree *t, const char *path, char out[2 * TREE_PATH])
{
    int len = snprintf(out, 2 * TREE_PATH, "%s%s", t->root, path);
    assert_true(len > 0 && len < 2 * TREE_PATH);
    for (char *at = out + strlen(t->root) + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        (void)mkdir(out, 0777); /* it may be there */
        *at = '/';
    }
}

void tree_bytes(tree *t, const char *path, const char *bytes, size_t size)
{
    char file[2 * TREE_PATH];
    place(t, path, file);
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fchmod(fileno(f), 0755), 0);
    assert_int_equal(fclose(f), 0);
}

void tree_add(tree *t, const tree_file *files)
{
    for (; files->path != NULL; files++) {
        char path[2 * TREE_PATH];
        const char *text = files->text == NULL ? "" : files->text;
        place(t, files->path, path);
        if (files->path[strlen(files->path) - 1] == '/')
            continue;
        (void)remove(path);
        if (strncmp(text, "-> ", 3) == 0)
            assert_int_equal(symlink(text + 3, path), 0);
        else if (strcmp(text, "|") == 0)
            assert_int_equal(mkfifo(path, 0600), 0);
        else
            tree_bytes(t, files->path, text, strlen(text));
    }
}

void tree_mode(tree *t, const char *path, unsigned mode)
{
    char file[2 * TREE_PATH];
    place(t, path, file);
    assert_int_equal(chmod(file, (mode_t)mode), 0);
}

int tree_remove(tree *t, const char *path)
{
    char file[2 * TREE_PATH];
    place(t, path, file);
    return remove(file);
}

void tree_set(tree *t, const char *variable)
{
    size_t name = strcspn(variable, "=") + 1;
    unsigned at = 0;
    while (at < t->variables && strncmp(t->environment[at], variable, name) != 0)
        at++;
    assert_true(at < TREE_VARIABLES);
    t->environment[at] = variable;
    t->variables += at == t->variables ? 1 : 0;
}

rung_python tree_python(tree *t, const char *python)
{
    rung_python found;
    memset(&found, 0x5a, sizeof found);
    rung_python_detect_in(&t->world, python, &found);
    return found;
}

rung_framework tree_framework(tree *t, const char *name)
{
    rung_python found = tree_python(t, NULL);
    const rung_framework *framework = rung_python_framework(&found, name);
    assert_non_null(framework);
    return *framework;
}
