/* SPDX-License-Identifier: Apache-2.0
 *
 * world.h: everything that detection asks of the system, in one place, so that any machine can be imitated on this one:
 * files, the environment, shared libraries, and where what was asked is told.
 */
#ifndef RUNG_DETECT_WORLD_H
#define RUNG_DETECT_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rung/devices.h"
#include "text.h"

typedef void rung_tell_fn(const char *line, void *user);

typedef struct rung_world {
    const char *root;               /* stands before every absolute path; "": this machine */
    const char *libraries;          /* the folder of all shared libraries there are; NULL: as the loader finds them */
    const char *const *environment; /* "NAME=value", ended by NULL; NULL: the process's own */
    const char *helper;             /* the path of rung-probe; NULL: RUNG_PROBE_HELPER, or where it is installed */
    uint32_t timeout_ms;            /* of a probe in another process; 0: ten seconds */
    const char *system;             /* "linux", "macos" or "other" */
    bool isolated;                  /* vendors' libraries are opened in another process only */
    bool no_libraries;              /* none is opened: this process may not call them any more */
    bool ignore_env;                /* RUNG_SKIP is not looked at */
    rung_tell_fn *tell;             /* every probe, one line each; NULL: nobody listens */
    void *tell_user;
} rung_world;

/* The machine that this is. Nobody listens. */
rung_world rung_this_world(void);

/* What RUNG_PROBE and RUNG_DETECT_* make of it: whether it is isolated, whether RUNG_SKIP counts. */
void rung_world_settle(rung_world *world, unsigned flags);

/* ---- environment ------------------------------------------------------------------------------------------------- */

/* NULL when unset; "" when it is set and empty. */
const char *rung_world_env(const rung_world *world, const char *name);

/* One line on what RUNG_SKIP and RUNG_PROBE have that nobody understands; nothing where all is well. */
void rung_world_complaints(const rung_world *world, rung_text *out);

/* ---- files ------------------------------------------------------------------------------------------------------- */

enum { RUNG_PATH_MAX = 4096 };

/* The path as this system's calls want it: `root` before it. False, and "" in out, where it does not fit. */
bool rung_world_path(const rung_world *world, const char *path, char out[RUNG_PATH_MAX]);

/* 0, or an errno: whether there is such a file, of any type. */
int rung_world_exists(const rung_world *world, const char *path);

/* 0, or an errno: whether this process may open it for reading and writing, with its effective rights. Opens nothing.
 * Under a root that is not "" the bits of `others` in the file's mode decide, whoever asks, so that an imitated machine
 * is the same for everybody.
 */
int rung_world_may_open(const rung_world *world, const char *path);

/* 0, or an errno: whether this process may run it, with the same rule under a root. */
int rung_world_may_run(const rung_world *world, const char *path);

/* Reads at most size - 1 bytes of a file into text and ends it by a zero. Returns how many, or -errno and text "". */
long rung_world_read(const rung_world *world, const char *path, char *text, size_t size);

/* Calls fn for every name in a folder but "." and "..", in no order, until it returns non-zero. 0, or an errno. */
typedef int rung_entry_fn(const char *name, void *user);
int rung_world_list(const rung_world *world, const char *path, rung_entry_fn *fn, void *user);

/* ---- shared libraries -------------------------------------------------------------------------------------------- */

/* Opens one by the name that the loader knows it by, e.g. "libcuda.so.1", for the life of the process. NULL: *state is
 * NO_LIBRARY, LIBRARY_INVALID, STATIC_PROGRAM, FAILED where the process has no descriptor or memory left, or NOT_ASKED
 * in a world without libraries; *detail, which may be NULL, says more. */
void *rung_world_library(const rung_world *world, const char *name, rung_device_state *state, rung_text *detail);

/* Whether this process has opened it already. */
bool rung_world_library_loaded(const rung_world *world, const char *name);

/* A function of it, NULL when it has none of that name. Cast it to the exact prototype. */
typedef void rung_any_fn(void);
rung_any_fn *rung_world_function(void *library, const char *name);

/* ---- who listens ------------------------------------------------------------------------------------------------- */

/* A probe with its time: t = rung_probe_start(w); ...; rung_probe_told(w, t, "cuda", "open libcuda.so.1", "not found").
 * Costs nothing when nobody listens. */
uint64_t rung_probe_start(const rung_world *world);
void rung_probe_told(const rung_world *world, uint64_t start, const char *device, const char *what, const char *result);

#endif
