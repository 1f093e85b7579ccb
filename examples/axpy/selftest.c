/* SPDX-License-Identifier: Apache-2.0
 *
 * The proof of this registry's kernels, as a command: docs/proof.md.
 */
#include "ex/proof.h"

int main(int argc, char **argv)
{
    return rung_proof_main(&ex_proof, argc, argv);
}
