/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by expected.py with NumPy 1.24.2: calls of factor_gradient, and what they have to give.
 */
#ifndef KERNELS_EXPECTED_FACTOR_GRADIENT_H
#define KERNELS_EXPECTED_FACTOR_GRADIENT_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "rung/proof.h"

/* clang-format off */
static const double factor_gradient_0_g[12] = {
    -0x1.c418ac8cb6305p-4, 0x1.3bdda87bec566p+0, 0x1.345183b73c178p-5, -0x1.43d6bc7774ebcp-2, 0x1.e2d025007e234p-2,
    0x1.86543fcfa4ec2p+0, 0x1.d3217d02db866p-2, 0x1.35f32148f239dp-3, -0x1.2ff4952da9e3fp+0, 0x1.a9623be251c93p-4,
    -0x1.da854bbbde8fp-4, -0x1.c3df85f36b484p-2,
};
static const double factor_gradient_0_g_after[12] = {
    -0x1.3865ab6c5b6a3p-1, -0x1.18bbdb3566086p-2, -0x1.481fe6493a3bp-1, 0x1.5746ed4fcda3fp+0, -0x1.4000ffd20340fp+0,
    0x1.4c19da20257a9p-1, -0x1.f9a2312e31703p-2, 0x1.0ebc65e3a75d6p-1, -0x1.9950699c3fd5p+0, 0x1.1e3ec20800f37p+1,
    0x1.c3e632517f13p+0, 0x1.6220c18307295p+0,
};
static const double factor_gradient_0_d[84] = {
    -0x1.3fd5c0e34365dp+0, -0x1.07587d1af41eep+1, 0x1.7df7d6de743p-2, 0x1.5e1792634fcf3p-5, -0x1.bcbf13e405c91p-2,
    0x1.27722d9994488p-3, 0x1.86fa121ceb0ccp+0, -0x1.94eec2ea20b7ap-7, -0x1.34a22b7f30bb2p-4, -0x1.b5f72ce39401bp+0,
    -0x1.7b17ccd5b98f2p-1, 0x1.02c4db5fb7a41p-1, -0x1.f8fdb366fec38p+0, -0x1.a5b48faad26fap-1, -0x1.11396d61782e6p-1,
    -0x1.c44ed152e8092p-2, -0x1.2b30e77072a09p-1, -0x1.20baaccc21282p-1, 0x1.956b530d41393p-2, -0x1.ad1006c83e424p-1,
    -0x1.0e21f2dd5f2bdp+0, 0x1.91c11a5738f31p-2, -0x1.60c5f6296cfa1p+0, 0x1.120c52b15a7eep-1, 0x1.8dee5311be4a7p-9,
    0x1.7cfd611359412p-3, 0x1.f6ccc3727ab85p-1, -0x1.c293866a01a6fp-1, 0x1.010efbe1a2b91p-1, 0x1.0741db374b377p+0,
    0x1.384492dbe875p-1, -0x1.d826f53f62f13p+0, -0x1.18eca6ffa76e4p-2, 0x1.9cefab2b75379p-2, 0x1.97855c4d9c3f6p-1,
    0x1.4be66c56ce46fp-4, -0x1.23eb3fdb2f358p+0, -0x1.1d14503fd9376p-1, -0x1.e31a57a77bc7ep-2, -0x1.d076ee02a078bp-5,
    0x1.30d913ce1ad0ep-1, 0x1.2b11fc437a8ebp+1, 0x1.40723ba36334dp+0, 0x1.bed3f22185176p-1, -0x1.dfdb37036f899p-1,
    0x1.542d0698e8dacp-2, -0x1.0a032485dcad6p-3, 0x1.10272a9ff0a37p-2, -0x1.1e6791bb75446p-1, 0x1.55227e189f65cp-2,
    -0x1.7e63028760d2bp+0, 0x1.4cec7aa975a86p+0, -0x1.78a2bde9a1593p-4, -0x1.dde053605bad3p-1, 0x1.a09ffe09fc4f6p+0,
    0x1.6fd57207ea3b1p-1, -0x1.8c6293cd458e2p-3, -0x1.bffc523b2e8b4p+0, -0x1.861b52c639bdbp-3, -0x1.d01b0381c7085p-7,
    0x1.1abe469af3cc2p-2, -0x1.f22f448496adbp-3, -0x1.0de07b5e5280dp-2, 0x1.3ccae1dd18da2p+0, -0x1.775ebd737a2f9p-3,
    -0x1.eceae434df0f8p-1, 0x1.e0440982a5fe7p-1, -0x1.e6f191e63aa79p-3, 0x1.e541bb512a2f9p-1, -0x1.2bf64006d05dp+1,
    0x1.0d23c9e7bd0fep+0, 0x1.9516e67b665acp-1, 0x1.ff2c770836d7cp-2, 0x1.82605e71a0476p+0, 0x1.1d1a95490e7b2p-1,
    -0x1.a8d7755becd28p-3, -0x1.13f8b15cc2a21p+0, 0x1.a7c4d8ab30e0ep+0, -0x1.4cdd050c89d34p+0, 0x1.51c64d651350fp-3,
    -0x1.929ab26d8e177p-1, 0x1.03d82f6270677p+0, -0x1.1ebd3c60e2509p-1, -0x1.6e884797e2323p-1,
};
static const double factor_gradient_0_e[21] = {
    0x1.2faa27ef34a3fp+0, 0x1.1a70e756da787p-2, -0x1.5e9499d711e6bp-1, 0x1.882aa9c20e543p-3, 0x1.57aa7431316d4p+0,
    0x1.0bc817d295782p-1, -0x1.1f085f54ab003p+0, -0x1.5de161ddb3645p+0, 0x1.2e3f8ac86398ep-1, -0x1.3ee37ab5147ebp+0,
    0x1.42e287bd3e1d5p-2, 0x1.c54b47662398bp+0, 0x1.c21cc2ee66b91p-2, -0x1.702dfc3a3d86ep+0, -0x1.cb1133855b0e7p+0,
    0x1.a9b0b19ceeecp-4, 0x1.39cc0d167ef39p+0, 0x1.102c64a62533ap+0, 0x1.4863720e99d2p-2, 0x1.ae153d3b440afp-3,
    -0x1.69af123fca462p-1,
};

static const rung_proof_example factor_gradient_examples[] = {
    {"numpy.longdouble, rounded once",
     (const rung_proof_datum[]){{factor_gradient_0_g, factor_gradient_0_g_after},
      {factor_gradient_0_d, NULL},
      {factor_gradient_0_e, NULL},
      {&(const size_t){7}, NULL},
      {&(const size_t){3}, NULL}}},
};
/* clang-format on */

#endif
