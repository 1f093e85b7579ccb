/* SPDX-License-Identifier: Apache-2.0
 *
 * select.h: which backend a program should compute with: one of the registry's ranked `backends`, such as JAX on a GPU,
 * or Rung's own kernels in this process (`native`).
 *
 *     const rung_backend_request request = {.registry = &rk_registry};
 *     const rung_problem problem = {.voxels = 100000, .volumes = 300, .factors = 20};
 *     rung_choice choice;
 *     if (rung_select_backend(&request, &problem, &choice, &err) == RUNG_OK)
 *         printf("%s on %s: %s\n", choice.chosen.name, choice.chosen.device, choice.chosen.reason);
 *
 * docs/selection.md has the rules.
 */
#ifndef RUNG_SELECT_H
#define RUNG_SELECT_H

#include "rung/rung.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /* Frameworks that only Python can drive are ranked too. Without it an automatic choice is among what a C program
     * can run in its own process; the others are listed all the same, with that as the reason. */
    RUNG_SELECT_FULL = 1u,
    RUNG_SELECT_STRICT = 2u,    /* an unknown name is an error; without it, a warning and the automatic choice */
    RUNG_SELECT_UNCHECKED = 4u, /* a name that is asked for is taken, whether or not it is available */
    RUNG_SELECT_FRESH = 8u      /* neither looks into the cache nor changes it */
};

/* What is asked for. Set fields by name; those added later are zero by default. */
typedef struct rung_backend_request {
    const rung_registry *registry; /* whose backends and kernels */
    const char *name;   /* NULL: automatic; "jax", "pytorch", "numpy", "native", ...: this one. Any letter case,
                           blanks around it are ignored */
    const char *python; /* which Python: as rung_python_detect in rung/frameworks.h */
    unsigned flags;     /* RUNG_SELECT_* */
    /* NULL: devices are looked for without initialising a driver, and kept; where only a driver tells what a device is,
     * it counts as not usable, for Rung's own kernels too, although rung_platform_open would ask the driver. Otherwise
     * these records of rung/devices.h, such as those of a full detection, are gone by, for this call alone. */
    const struct rung_devices *devices;
} rung_backend_request;

/* How large the data are, for factor analysis: 2 * 8 * (V T + K T + K V) bytes are taken to be needed. */
typedef struct rung_problem {
    uint64_t voxels, volumes, factors;
} rung_problem;

/* 2 * 8 * (V T + K T + K V) / 2^20, rounded down; UINT64_MAX where that is more. */
RUNG_API uint64_t rung_problem_mb(const rung_problem *problem);
/* Whether so many MB are at most 0.8 of so many; 0 of memory is not known, and any number fits. */
RUNG_API int rung_problem_fits(uint64_t needed_mb, uint64_t memory_mb);

/* One backend that was considered. */
typedef struct rung_backend {
    char name[32];    /* "jax", "pytorch", "numpy", "native" */
    char device[96];  /* what the backend calls its device: "cuda:0", "tpu", "cpu"; of native a platform for
                         rung_platform_open; "none" where it knows no devices */
    char kind[16];    /* the kind of device: "cuda", "rocm", "metal", "tpu", "cpu"; "" for none */
    char version[64]; /* of the framework; of Rung for native */
    char reason[192]; /* why it has its score, or why it is not available; one line */
    uint32_t score;   /* of the line of the registry that it entered with, or would have entered with */
    int available;
    int native; /* a C program can run it in its own process */
} rung_backend;

enum { RUNG_BACKENDS_MAX = 16, RUNG_WARNINGS_MAX = 4, RUNG_WARNING_TEXT = 256 };

/* An answer: a plain value. */
typedef struct rung_choice {
    rung_backend chosen;
    int asked_for;                          /* by name; otherwise automatic */
    int cached;                             /* the facts are those of an earlier call */
    uint32_t count;                         /* of `ranked` */
    rung_backend ranked[RUNG_BACKENDS_MAX]; /* all, best first, the chosen one included; unavailable ones last */
    int fits;                               /* the problem fits; 1 without a problem */
    uint64_t needed_mb;                     /* by the problem; 0 without one */
    uint64_t memory_mb;                     /* available to the process */
    uint64_t gpu_memory_mb;                 /* of one device that has a memory of its own; 0: not known, or none */
    uint32_t warnings;                      /* of `warning`, at most RUNG_WARNINGS_MAX */
    char warning[RUNG_WARNINGS_MAX][RUNG_WARNING_TEXT]; /* an unknown name, a problem that does not fit; a line each */
    char advice[RUNG_WARNING_TEXT];                     /* what would make it faster; may be empty */
} rung_choice;

/* Chooses. problem: NULL for none. out: filled on success, and when UNAVAILABLE: then `ranked` has the losers, each
 * with its reason, and `chosen` is zero.
 *
 * Fails with ARGUMENT; UNKNOWN (a name that no backend has, with STRICT); UNAVAILABLE: what was asked for cannot be
 * had, the text says why; ABI.
 *
 * The facts, that is devices, frameworks and memory, are found once for each (registry, python, FULL) and kept;
 * the answer is a value, not a view. Any thread. */
RUNG_API rung_status rung_select_backend(const rung_backend_request *request, const rung_problem *problem,
                                         rung_choice *out, rung_error *err);

/* Forgets all facts that were kept: the next call looks anew. */
RUNG_API void rung_select_refresh(void);

#ifdef __cplusplus
}
#endif
#endif
