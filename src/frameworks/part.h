/* SPDX-License-Identifier: Apache-2.0
 *
 * part.h: whether a package is there, from its metadata and its files together, and the rules of each framework.
 */
#ifndef RUNG_FRAMEWORKS_PART_H
#define RUNG_FRAMEWORKS_PART_H

#include "dists.h"
#include "rung/frameworks.h"

enum { RUNG_MODULE_MAX = 16384, RUNG_VERSION_MAX = 64 };

/* Fills the version of the package in this folder, from its own files. False when they do not tell. */
typedef bool rung_own_version_fn(const rung_world *world, const char *folder, char version[RUNG_VERSION_MAX]);

typedef struct rung_part {
    const char *package;      /* the folder that is imported */
    const char *mark;         /* a file of it that no other package of this name has */
    const char *const *dists; /* the names that it is distributed by, normalised, up to NULL */
    rung_own_version_fn *own; /* NULL: its files do not tell */
} rung_part;

/* Sets state, version, editable, path and detail of *out, which is zeroed but for its name. Returns the dist that
 * belongs to it, NULL for none; `folder` is the package's, "" where it was not found. */
const rung_dist *rung_part_judge(const rung_install *install, const rung_part *part, rung_framework *out,
                                 char folder[RUNG_PLACE_MAX]);

/* Adds to the detail, after "; " where there is one. */
void rung_part_say(rung_framework *out, const char *const *parts);

/* Reads a module of a package; text "" where there is none. */
bool rung_module_read(const rung_world *world, const char *folder, const char *name, char text[RUNG_MODULE_MAX]);

/* Takes what a module assigns to a name, where that is a version. */
bool rung_module_version(const char *module, const char *name, char version[RUNG_VERSION_MAX]);

/* Adds "name version" to the plug-ins. */
void rung_plugin_add(rung_framework *out, const char *name, const char *version);

/* ---- builds ------------------------------------------------------------------------------------------------------ */

/* The build string of a conda package, "py3.12_cuda12.4_cudnn9.1.0_0"; false when there is none. */
bool rung_conda_build(const rung_install *install, const char *package, char *build, size_t size);

/* The version in "cuda12.4", "cuda126", "cu130" or "cuda12" after the word: "12.4", "12.6", "13.0", "12". False, and ""
 * in out, where there is no such word. */
bool rung_build_cuda(const char *build, const char *word, char out[16]);

/* "6.4" of "6.4.43482-0f2d60242". */
void rung_build_short(const char *version, char out[16]);

/* ---- frameworks -------------------------------------------------------------------------------------------------- */

/* Fills *out, which is zeroed but for its name. */
typedef void rung_judge_fn(const rung_install *install, rung_framework *out);
rung_judge_fn rung_judge_jax, rung_judge_torch, rung_judge_numpy, rung_judge_tensorflow;

#endif
