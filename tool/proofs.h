/* SPDX-License-Identifier: Apache-2.0
 *
 * proofs.h: what runs of `rung selftest` have found, one row for each cell; of one machine, or merged from several.
 */
#ifndef RUNG_TOOL_PROOFS_H
#define RUNG_TOOL_PROOFS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "patterns.h"
#include "rung/proof.h"

typedef struct proof_row {
    char *op, *device, *arch, *variant;
    rung_proof_state state;
    rung_proof_how how;
    unsigned long long cases, checks, failures, examples;
    double worst, worst_wide; /* as parts of what is allowed; negative: not known */
    bool registers, quick;
    char *why;
    size_t from; /* index of the run among `runs`; SIZE_MAX: of none */
} proof_row;

typedef struct proofs {
    char *name_space; /* of the registry */
    bool merged;
    json_t *runs; /* [{machine, how, seed}] */
    proof_row *row;
    size_t count, room;
    json_t *index; /* cell_name of a row: its position */
} proofs;

/* Free it with proofs_free. */
proofs *proofs_new(const char *name_space, bool merged);
void proofs_free(proofs *p); /* NULL is allowed */
/* The position of the run. `machine` is taken over. */
size_t proofs_add_run(proofs *p, json_t *machine, rung_proof_how how, const char *seed);
/* Puts to the first run what only the proof knows of it: the seed where none was given, and an emulator that it has
 * recognised. */
void proofs_complete_run(proofs *p, const rung_proof_result *result);
/* Appends a row with these names, not proven, of no run; it lives until the next one is added. */
proof_row *proofs_add(proofs *p, const cell_key *key);
proof_row *proofs_find(const proofs *p, const cell_key *key); /* NULL: there is none */
cell_key proof_key(const proof_row *row);
/* Replaces row->why. */
void proof_why(proof_row *row, const char *text);
/* By op, device, arch and variant, as rung_matrix has them. */
void proofs_sort(proofs *p);

/* Puts the rows of `more` to those of `all`: of two rows of a cell the better proof stands, but one that failed or was
 * missed stands above all. */
void proofs_merge(proofs *all, const proofs *more);

json_t *proofs_json(const proofs *p);
/* Of a file. NULL after an error line, which names the file. */
proofs *proofs_read(const char *path);

/* The table, a line that counts the rows, one that tells where the unproven ones are, and one for every run. */
void proofs_print(const proofs *p, FILE *to);
/* Whether no row failed or was missed. */
bool proofs_good(const proofs *p);
/* Whether every row that fits one of the patterns has passed; an error line for each pattern of which one has not. */
bool proofs_require(const proofs *p, const patterns *required);

#endif
