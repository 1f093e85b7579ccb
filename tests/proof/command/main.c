/* SPDX-License-Identifier: Apache-2.0 */
#include "pf/proof.h"

int main(int argc, char **argv)
{
    return rung_proof_main(&pf_proof, argc, argv);
}
