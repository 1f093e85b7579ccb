/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by expected.py with NumPy 1.24.2: a loop of flow_match_step, tests/kernels/flow_loop.c.
 */
#ifndef KERNELS_EXPECTED_FLOW_LOOP_H
#define KERNELS_EXPECTED_FLOW_LOOP_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "rung/proof.h"

/* clang-format off */
static const float flow_loop_start[37] = {
    -0x1.46299ep+0f, 0x1.392838p+0f, 0x1.587cap-4f, 0x1.8968ecp+0f, 0x1.97275p-2f, -0x1.64999ap-2f, -0x1.5a4c2cp-3f,
    0x1.d79bccp-5f, 0x1.3f39eap+0f, 0x1.2602bp-1f, -0x1.1a0738p-3f, -0x1.542e44p+0f, 0x1.ac2c4ep+0f, 0x1.de9ff4p-2f,
    0x1.cb4f88p+0f, -0x1.ad0ae8p-4f, 0x1.4d91cap-3f, -0x1.aa709p+0f, 0x1.a7c9acp-2f, 0x1.166dd4p+0f, 0x1.124cdep-2f,
    0x1.2e472p+0f, 0x1.b94a32p-1f, -0x1.b0977ep-1f, -0x1.2671e6p+1f, -0x1.6204eap-3f, 0x1.5f11e2p-3f, -0x1.ff49bp-2f,
    0x1.9e21e8p-2f, -0x1.b33206p-5f, 0x1.42e6c2p-5f, 0x1.fa1558p-1f, 0x1.93e76cp-1f, -0x1.33f30ap+0f, -0x1.df60f4p-2f,
    0x1.964702p-1f, 0x1.4e66eep+0f,
};
static const float flow_loop_end[37] = {
    -0x1.5d612ep+2f, 0x1.7b1ebap+2f, 0x1.a01b1p+1f, 0x1.971beap+2f, -0x1.e7a898p+0f, -0x1.9fae44p+1f, -0x1.dbff9ep+1f,
    -0x1.f483d6p+0f, 0x1.b63182p+0f, 0x1.fc12cap+1f, -0x1.4a0162p+1f, -0x1.dd5766p-1f, 0x1.a5f404p+0f, 0x1.73b902p+1f,
    0x1.dfedcap+2f, 0x1.3c054p+1f, 0x1.8ece3ep+0f, -0x1.30d214p+0f, 0x1.25d23p-6f, 0x1.5933fp+1f, -0x1.e20212p+0f,
    0x1.453686p-1f, -0x1.028de8p-1f, -0x1.bf48bap+1f, -0x1.8ea27ep+1f, 0x1.756bf6p-2f, 0x1.5d17c2p+1f, 0x1.97644p-6f,
    -0x1.899d9p-1f, -0x1.b1558ep+1f, 0x1.a2f35cp-2f, 0x1.d7a746p-1f, 0x1.39926cp+2f, -0x1.861c72p+2f, -0x1.021592p+2f,
    -0x1.37d84p-1f, 0x1.6f27p+2f,
};
/* clang-format on */

#endif
