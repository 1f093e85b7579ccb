/* SPDX-License-Identifier: Apache-2.0
 *
 * choose.h: which cells a pattern means.
 */
#ifndef RUNG_PROOF_CHOOSE_H
#define RUNG_PROOF_CHOOSE_H

#include <stdbool.h>

#include "rung/rung.h"

/* As rung_proof_options says of `only`. */
bool rung_proof_pattern_fits(const char *pattern, const rung_cell *cell);

#endif
