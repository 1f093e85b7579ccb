/* SPDX-License-Identifier: Apache-2.0
 *
 * trial.h: one case, from its arguments to all checks of its results.
 *
 *     if (rung_proof_begin(s, "small sizes", PROOF_PLAIN, sizes)) {
 *         ... s->now may be changed ...
 *         if (rung_proof_draw(s)) {
 *             ... s->before may be changed ...
 *             rung_proof_try(s);
 *         }
 *     }
 */
#ifndef RUNG_PROOF_TRIAL_H
#define RUNG_PROOF_TRIAL_H

#include "proof/stand.h"

/* Begins the next of many alike cases: sizes as given, those that are out of their range or too much work made fit, and
 * anything else at random. False: it is one of those that are left out of a quick proof, or no sizes fit. */
bool rung_proof_begin(proof_stand *s, const char *about, proof_round round, const size_t *sizes);
/* The same of one that is never left out, with the sizes as they are. */
void rung_proof_begin_anyway(proof_stand *s, const char *about, proof_round round, const size_t *sizes);
/* The same of one that is never left out when it is to be kept: it stands for those that are alike. */
bool rung_proof_begin_some(proof_stand *s, bool kept, const char *about, proof_round round, const size_t *sizes);

/* Draws the arrays. What must not be read, or is only written, holds NaN. False: no memory. */
bool rung_proof_draw(proof_stand *s);

/* Calls the reference and the cell, twice, and checks all that the registry promises. The results of the first call are
 * in s->got, also after what failed. True: there are results, those of a call that was not refused. */
bool rung_proof_try(proof_stand *s);
/* Both, of a case whose arrays stay as they are drawn. */
void rung_proof_draw_and_try(proof_stand *s);

/* Calls the cell on other arrays with the case's sizes, for results that are compared with those of rung_proof_try:
 * they are in s->got. False, and a failed check, where it does not answer. */
bool rung_proof_call_again(proof_stand *s);

/* Whether one array is in use as another one's. */
bool rung_proof_aliased(const proof_case *c, size_t args, size_t arg);

#endif
