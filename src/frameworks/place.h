/* SPDX-License-Identifier: Apache-2.0
 *
 * place.h: where a Python is: its prefix, what its folder below lib is called, and what it is made from.
 */
#ifndef RUNG_FRAMEWORKS_PLACE_H
#define RUNG_FRAMEWORKS_PLACE_H

#include "path.h"

typedef struct rung_place {
    char prefix[RUNG_PLACE_MAX];
    char base[RUNG_PLACE_MAX]; /* the installation that a virtual environment is made from; else the prefix again */
    char lib[24];              /* "python3.11", "python3.13t", "pypy3.10" */
    bool venv;
    bool system_sites; /* a virtual environment that sees the packages of its installation */
    char found_by[96];
    char why[160]; /* why there is none, where there is none */
} rung_place;

/* The Python that a user of this environment would get, or the one named. */
bool rung_place_find(const rung_world *world, const char *python, rung_place *out);

/* The Python of an interpreter, given by its absolute path, as Modules/getpath.py of CPython finds it. */
bool rung_place_of_interpreter(const rung_world *world, const char *path, rung_place *out);

/* The Python of a folder that has bin/python3 or bin/python. */
bool rung_place_of_folder(const rung_world *world, const char *folder, rung_place *out);

/* ---- pyenv ------------------------------------------------------------------------------------------------------- */

/* Whether a script of this text is one of pyenv's shims. */
bool rung_pyenv_is_shim(const char *text);

/* The interpreter that the shim would start, and the word for what chose it. False: the one that comes next on PATH. */
bool rung_pyenv_interpreter(const rung_world *world, const char *shim, char out[RUNG_PLACE_MAX], const char **how);

#endif
