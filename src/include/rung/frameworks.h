/* SPDX-License-Identifier: Apache-2.0
 *
 * frameworks.h: which of JAX, PyTorch, NumPy and TensorFlow a Python has, for which device they were built, and whether
 * they can work, from the metadata of installed packages: no Python is ever started, and nothing is imported.
 *
 * docs/frameworks.md says which files are read and which rules are followed.
 */
#ifndef RUNG_FRAMEWORKS_H
#define RUNG_FRAMEWORKS_H

#include "rung/rung.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- versions ---------------------------------------------------------------------------------------------------- */

/* Compares two versions by the ordering of PEP 440. *order is negative, 0 or positive as a is before, the same as, or
 * after b; numbers of any length, local labels counted. False, and *order untouched, when either is no version. */
RUNG_API int rung_version_compare(const char *a, const char *b, int *order);

/* ---- installed frameworks ---------------------------------------------------------------------------------------- */

typedef enum rung_framework_state {
    RUNG_FRAMEWORK_INSTALLED = 0, /* its metadata and its files are there */
    RUNG_FRAMEWORK_ABSENT,        /* nothing of it */
    RUNG_FRAMEWORK_NAMESPACE,     /* a folder of its name without the package's own files: not it */
    RUNG_FRAMEWORK_REMOVED,       /* metadata without the files, or the folder that a stopped removal leaves */
    RUNG_FRAMEWORK_UNREADABLE,    /* metadata without a name or a version that can be read */
    RUNG_FRAMEWORK_MISMATCH,      /* a part is missing or of a version that it refuses: jax without its jaxlib */
    RUNG_FRAMEWORK_NO_PYTHON,     /* there is no Python to look at */
    RUNG_FRAMEWORK_STATE_COUNT
} rung_framework_state;

RUNG_API const char *rung_framework_state_name(rung_framework_state state); /* a stable word; never NULL */
RUNG_API const char *rung_framework_state_text(rung_framework_state state); /* for people; never NULL */

/* What a framework was built for, or has a plug-in for; bits. */
enum {
    RUNG_BUILT_CPU = 1u,
    RUNG_BUILT_CUDA = 2u,
    RUNG_BUILT_ROCM = 4u,
    RUNG_BUILT_METAL = 8u,
    RUNG_BUILT_TPU = 16u,
    RUNG_BUILT_XPU = 32u
};

typedef struct rung_framework {
    const char *name; /* "jax", "pytorch", "numpy", "tensorflow" */
    rung_framework_state state;
    unsigned built; /* RUNG_BUILT_*; 0 when it is not installed */
    int editable;   /* an editable install: the code is elsewhere */
    char version[64];
    char cuda[16];     /* the CUDA version that it was built for, "13.0" or "12"; "" for none or not known */
    char rocm[16];     /* the same of ROCm */
    char plugins[160]; /* the dists that bring devices, with versions: "jax-cuda13-plugin 0.7.2, libtpu 0.0.44" */
    char path[1024];   /* the folder where it was found: no path that is looked at is longer */
    char detail[192];  /* why it is in this state, or what is remarkable about it, UTF-8; may be empty */
} rung_framework;

enum { RUNG_FRAMEWORKS = 4 };

/* A Python, and what it has. A plain value. */
typedef struct rung_python {
    char prefix[1024];                         /* "" when there is none */
    char version[16];                          /* "3.11" */
    char found_by[96];                         /* "VIRTUAL_ENV", "CONDA_PREFIX", "python3 on PATH", "--python", ... */
    rung_framework framework[RUNG_FRAMEWORKS]; /* jax, pytorch, numpy, tensorflow, in this order */
} rung_python;

/* Looks at the Python that a user of this environment would get. `python`: NULL, or the path of an interpreter, of a
 * virtual environment or of an installation prefix; with one that is none, the frameworks are in state NO_PYTHON and
 * their details say why. The process that calls is not looked at, even where it is a Python: pass its sys.executable.
 * Reads files only. Any thread. */
RUNG_API void rung_python_detect(const char *python, rung_python *out);

/* The framework of this name, in any letter case; torch is pytorch, tf is tensorflow. NULL for an unknown one. */
RUNG_API const rung_framework *rung_python_framework(const rung_python *python, const char *name);

/* 1 when the framework is installed, and its version is at least `minimum` and before `before`; NULL or "" is no bound.
 * 0 otherwise, also for a version or a bound that is none. */
RUNG_API int rung_framework_within(const rung_framework *framework, const char *minimum, const char *before);

#ifdef __cplusplus
}
#endif
#endif
