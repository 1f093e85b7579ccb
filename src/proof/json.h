/* SPDX-License-Identifier: Apache-2.0
 *
 * json.h: the results of a proof as JSON (RFC 8259), in the format that `rung selftest --merge` reads.
 */
#ifndef RUNG_PROOF_JSON_H
#define RUNG_PROOF_JSON_H

#include "rung/proof.h"

/* Writes all; false when the stream did not take it. */
bool rung_proof_json_write(FILE *to, const rung_proof *proof, rung_proof_how how, uint64_t seed,
                           const rung_proof_result *results, size_t count);

#endif
