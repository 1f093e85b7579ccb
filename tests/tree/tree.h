/* SPDX-License-Identifier: Apache-2.0
 *
 * tree.h: the root folder of an imitated machine, in a temporary folder. Whatever fails ends the test program.
 */
#ifndef TREE_H
#define TREE_H

#include "detect/world.h"

enum { TREE_PATH = 512, TREE_VARIABLES = 31 };

typedef struct tree {
    char root[TREE_PATH];      /* of files */
    char libraries[TREE_PATH]; /* of shared libraries */
    const char *system;        /* "linux" */
    const char *environment[TREE_VARIABLES + 1];
    unsigned variables;
    char text[TREE_VARIABLES][256]; /* what tree_env puts together */
    unsigned texts;
} tree;

/* An empty machine: no file, no library, no environment. */
tree *tree_new(void);
void tree_free(tree *t); /* with everything in it */

/* A file with this text; folders are made. Everybody may read and run it. */
void tree_file(tree *t, const char *path, const char *text);
/* The same with any bytes. */
void tree_bytes(tree *t, const char *path, const void *bytes, size_t size);
/* A file that stands for a device node, with this mode. */
void tree_node(tree *t, const char *path, unsigned mode);
void tree_folder(tree *t, const char *path);

/* Files of a table, up to one whose path is NULL, each in the place of what was there. A path that ends with "/" is a
 * folder. A text that begins with "-> " is what a symbolic link says; "|" is a FIFO; NULL is an empty file. */
typedef struct tree_entry {
    const char *path, *text;
} tree_entry;
void tree_add(tree *t, const tree_entry *files);
#define FILES(...) ((const tree_entry[]){__VA_ARGS__, {NULL, NULL}})

void tree_mode(tree *t, const char *path, unsigned mode);
void tree_remove(tree *t, const char *path); /* a file, or an empty folder */

/* An imitated library under its name, or, as `name`, any of them; text instead: what is in its file. */
void tree_library(tree *t, const char *name, const char *imitation);
void tree_library_text(tree *t, const char *name, const char *text);

/* A variable of the machine's environment, in the place of an earlier one of its name. */
void tree_env(tree *t, const char *name, const char *value);
void tree_set(tree *t, const char *variable); /* "NAME=value", which has to outlive the tree */

/* The world of the machine as long as the tree is not changed. */
rung_world tree_world(tree *t);

/* What rung_probe_told said, in one text: "rocm: /dev/kfd: is there\n..." without the times. */
typedef struct told {
    char text[16384];
} told;
void told_line(const char *line, void *user); /* a rung_tell_fn */

#endif
