/* SPDX-License-Identifier: Apache-2.0
 *
 * command.h: the options of rung_proof_main.
 */
#ifndef RUNG_PROOF_COMMAND_H
#define RUNG_PROOF_COMMAND_H

#include "rung/proof.h"

typedef struct proof_command {
    rung_proof_options options;
    const char **only, **require; /* options.only is `only` */
    size_t require_count;
    const char *json; /* NULL: none */
    bool list;
} proof_command;

/* PROOF_GO: they are in *out, which rung_proof_command_free frees. Otherwise the exit status; what is to be said has
 * been said. */
enum { PROOF_GO = -1 };
int rung_proof_command_parse(int argc, char **argv, proof_command *out);
void rung_proof_command_free(proof_command *command);

#endif
