/* SPDX-License-Identifier: Apache-2.0
 *
 * prove: every kernel of registry.yaml that this machine can run, against the reference kernel and against values from
 * outside of the project. `prove --help` tells the options.
 */
#include <rk/proof.h>

int main(int argc, char **argv)
{
    return rung_proof_main(&rk_proof, argc, argv);
}
