/* SPDX-License-Identifier: Apache-2.0
 *
 * hand_made.h: what codegen would write of two ops of the project's registry, with sizes that take no time.
 */
#ifndef HAND_MADE_H
#define HAND_MADE_H

#include <math.h>

#include "rung/proof.h"

extern const rung_proof hand_made_proof;
extern const rung_proof_op hand_made_gemm_tn, hand_made_flow_match_step;

/* Doubles that differ by no more than `most`; cmocka before 1.1.8 has none. */
#define assert_near(x, y, most) assert_true(fabs((x) - (y)) <= (most))

/* Calls of these ops so far. */
extern unsigned long hand_made_calls;

#endif
