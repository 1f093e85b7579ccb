/* SPDX-License-Identifier: Apache-2.0
 *
 * emulator.h: whether this processor is an emulated one, as far as it says so itself.
 */
#ifndef RUNG_PROOF_EMULATOR_H
#define RUNG_PROOF_EMULATOR_H

#include <stdbool.h>

bool rung_proof_is_emulated(void);

#endif
