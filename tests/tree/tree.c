/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST = 4096 }; /* of paths, as the system has it */

static void need(int ok, const char *what)
{
    if (!ok) {
        perror(what);
        abort();
    }
}

tree *tree_new(void)
{
    tree *t = calloc(1, sizeof *t);
    const char *folder = getenv("TMPDIR");
    need(t != NULL, "calloc");
    t->system = "linux";
    (void)snprintf(t->root, sizeof t->root - 16, "%s/rung-machine-XXXXXX", folder == NULL ? P_tmpdir : folder);
    need(mkdtemp(t->root) != NULL, t->root);
    (void)snprintf(t->libraries, sizeof t->libraries, "%.480s/libraries", t->root);
    need(mkdir(t->libraries, 0755) == 0, t->libraries);
    return t;
}

static int forget(const char *path, const struct stat *about, int kind, struct FTW *at)
{
    (void)about;
    (void)kind;
    (void)at;
    return remove(path);
}

void tree_free(tree *t)
{
    need(nftw(t->root, forget, 16, FTW_DEPTH | FTW_PHYS) == 0, t->root);
    free(t);
}

static void real_path(const tree *t, const char *path, char out[LONGEST])
{
    (void)snprintf(out, LONGEST, "%s%s", t->root, path);
    for (char *at = out + strlen(t->root) + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        (void)mkdir(out, 0755);
        *at = '/';
    }
}

static void write_file(const char *path, const void *bytes, size_t size, unsigned mode)
{
    FILE *file = fopen(path, "wb");
    need(file != NULL, path);
    need(fwrite(bytes, 1, size, file) == size && fclose(file) == 0, path);
    need(chmod(path, mode) == 0, path); /* whatever the umask is */
}

void tree_file(tree *t, const char *path, const char *text)
{
    char real[LONGEST];
    real_path(t, path, real);
    write_file(real, text, strlen(text), 0755);
}

void tree_bytes(tree *t, const char *path, const void *bytes, size_t size)
{
    char real[LONGEST];
    real_path(t, path, real);
    write_file(real, bytes, size, 0755);
}

void tree_node(tree *t, const char *path, unsigned mode)
{
    char real[LONGEST];
    real_path(t, path, real);
    write_file(real, "", 0, mode);
}

void tree_folder(tree *t, const char *path)
{
    char real[LONGEST];
    real_path(t, path, real);
    need(mkdir(real, 0755) == 0, real);
}

void tree_add(tree *t, const tree_entry *files)
{
    for (; files->path != NULL; files++) {
        char real[LONGEST];
        const char *text = files->text == NULL ? "" : files->text;
        real_path(t, files->path, real);
        if (real[strlen(real) - 1] == '/')
            continue;
        (void)remove(real);
        if (strncmp(text, "-> ", 3) == 0)
            need(symlink(text + 3, real) == 0, real);
        else if (strcmp(text, "|") == 0)
            need(mkfifo(real, 0600) == 0, real);
        else
            write_file(real, text, strlen(text), 0755);
    }
}

void tree_mode(tree *t, const char *path, unsigned mode)
{
    char real[LONGEST];
    real_path(t, path, real);
    need(chmod(real, mode) == 0, real);
}

void tree_remove(tree *t, const char *path)
{
    char real[LONGEST];
    real_path(t, path, real);
    need(remove(real) == 0, real);
}

/* A copy: every machine has libraries of its own, with a state of their own. */
void tree_library(tree *t, const char *name, const char *imitation)
{
    char path[LONGEST];
    char bytes[4096];
    size_t got;
    (void)snprintf(path, sizeof path, "%s/%s", RUNG_FAKE_LIBRARIES, imitation);
    FILE *from = fopen(path, "rb");
    need(from != NULL, path);
    (void)snprintf(path, sizeof path, "%s/%s", t->libraries, name);
    FILE *to = fopen(path, "wb");
    need(to != NULL, path);
    while ((got = fread(bytes, 1, sizeof bytes, from)) > 0)
        need(fwrite(bytes, 1, got, to) == got, path);
    need(!ferror(from) && fclose(from) == 0 && fclose(to) == 0, path);
}

void tree_library_text(tree *t, const char *name, const char *text)
{
    char path[LONGEST];
    (void)snprintf(path, sizeof path, "%s/%s", t->libraries, name);
    write_file(path, text, strlen(text), 0755);
}

void tree_env(tree *t, const char *name, const char *value)
{
    need(t->texts < TREE_VARIABLES, "variables");
    char *text = t->text[t->texts++];
    (void)snprintf(text, sizeof t->text[0], "%s=%s", name, value);
    tree_set(t, text);
}

void tree_set(tree *t, const char *variable)
{
    size_t name = strcspn(variable, "=") + 1;
    unsigned at = 0;
    while (at < t->variables && strncmp(t->environment[at], variable, name) != 0)
        at++;
    need(at < TREE_VARIABLES, "variables");
    t->environment[at] = variable;
    t->variables += at == t->variables;
}

rung_world tree_world(tree *t)
{
    return (rung_world){.root = t->root, .libraries = t->libraries, .environment = t->environment, .system = t->system};
}

void told_line(const char *line, void *user)
{
    told *all = user;
    size_t used = strlen(all->text);
    const char *time = strrchr(line, '(');
    size_t len = time == NULL || time == line ? strlen(line) : (size_t)(time - line) - 1;
    static const char prefix[] = "probe ";
    size_t skip = strncmp(line, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
    if (used + len + 2 > sizeof all->text)
        return;
    memcpy(all->text + used, line + skip, len - skip);
    memcpy(all->text + used + len - skip, "\n", 2);
}
