/* SPDX-License-Identifier: Apache-2.0
 *
 * tune.h: whether measurements say that kernels should stand later than their archs do (R12 of docs/resolution.md).
 * docs/tuning.md tells the rules.
 */
#ifndef RUNG_TOOL_TUNE_H
#define RUNG_TOOL_TUNE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "bench_file.h"
#include "proofs.h"
#include "rung/rung.h"

/* ---- the order of kernels ---------------------------------------------------------------------------------------- */

enum { TUNE_RUNGS = 64 };

/* The declared kernels of an op, a device and a variant on one machine, in the order of their archs. */
typedef struct tune_ladder {
    size_t count;
    const char *arch[TUNE_RUNGS]; /* the registry's */
    size_t place[TUNE_RUNGS];     /* where each stands now */
} tune_ladder;

/* That of a machine which has all these archs; error line and false when there is none. The names must be known. */
bool tune_ladder_of(const char *op, const char *device, const char *variant, const char *const *archs, size_t count,
                    tune_ladder *out);

/* ---- the decision ------------------------------------------------------------------------------------------------ */

typedef struct tune_size {
    const bench_row *newer, *older;
    double ratio; /* of the medians: above 1 the older arch's kernel is faster */
} tune_size;

/* A kernel and the one of an older arch that it was compared with. */
typedef struct tune_row {
    const char *op, *device, *arch, *variant;
    const char *now, *against, *proposed; /* archs; NULL: none */
    bool change;                          /* `proposed` is not what is now */
    double ratio;                         /* the geometric mean over the sizes */
    size_t sizes;
    tune_size *size;
    char *why; /* one line */
} tune_row;

typedef struct tune_table {
    const bench_file *bench;
    const proofs *proofs;
    double margin; /* 0.05: the geometric mean has to be 1.05 at least */
    size_t count, room, changes;
    tune_row *row;
} tune_table;

/* Whether all kernels of the results are ones of this registry; an error line with near names otherwise. */
bool tune_known(const bench_file *bench);
/* Fills the rows from `bench`, `proofs` and `margin`; they live as long as these. Error line and false when the results
 * are not ones of this registry, or of no one machine. */
bool tune_decide(tune_table *t);
void tune_free(tune_table *t);

/* What two kernels' times at the same sizes say. */
typedef enum tune_verdict {
    TUNE_APART, /* they were not measured at the same sizes */
    TUNE_OLDER, /* the older arch's is faster at every size by more than the noise, and by the margin on the whole */
    TUNE_CLOSE, /* faster at every size, but not by the margin */
    TUNE_NOISE, /* at some sizes the difference is within the noise */
    TUNE_MIXED, /* each is faster at some size */
    TUNE_NEWER, /* the other way round */
} tune_verdict;

typedef struct tune_pair {
    tune_verdict verdict;
    double ratio;
    size_t sizes;
    tune_size *size; /* free it */
} tune_pair;

tune_pair tune_compare(const tune_table *t, const cell_key *newer, const cell_key *older);
/* Why the kernel does not count as proven on the machine of the results; NULL when it does. Free it. */
char *tune_unproven(const tune_table *t, const cell_key *key);

/* ---- measuring --------------------------------------------------------------------------------------------------- */

/* The kernels of these ops, all if none is named, that have a rival on this platform: patterns for both runs. */
void tune_at_stake(const rung_platform *platform, const char *const *ops, size_t count, patterns *out);
/* Those of the results, and of these that are proven and still have a rival, if `proven` is not NULL. */
void tune_measured(const bench_file *bench, patterns *out);
void tune_still_at_stake(const patterns *all, const proofs *proven, patterns *out);

/* Both run here; NULL, or false, after an error line. */
proofs *tune_prove(const patterns *only);
bool tune_time(const patterns *only, bench_file *out);

/* ---- output ------------------------------------------------------------------------------------------------------ */

void tune_print(const tune_table *t, FILE *to);
json_t *tune_json(const tune_table *t);
/* The proposal, as `codegen tune` reads it, of a tune_table; of the type output_fn. */
void tune_write(FILE *to, const void *table);

#endif
