/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by expected.py with NumPy 1.24.2: calls of flow_match_step, and what they have to give.
 */
#ifndef KERNELS_EXPECTED_FLOW_MATCH_STEP_H
#define KERNELS_EXPECTED_FLOW_MATCH_STEP_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "rung/proof.h"

/* clang-format off */
static const float flow_match_step_0_y_after[37] = {
    -0x1.058acap+1f, -0x1.d4c49ap+0f, 0x1.0a93cep+1f, -0x1.1e092ap-1f, 0x1.01bd3ep-3f, 0x1.22971p-3f, 0x1.04f3d6p-3f,
    -0x1.4a8122p+0f, 0x1.8f9e38p-1f, -0x1.3b40ep+0f, 0x1.2b6bfp-1f, -0x1.204ab4p-1f, -0x1.6a681ep-2f, -0x1.0a2eb2p-3f,
    0x1.0fc954p-2f, -0x1.38a6bp-1f, -0x1.a9f92p-3f, 0x1.40cc58p+0f, 0x1.a1621ap-1f, -0x1.92669ep-1f, 0x1.c6748p-2f,
    -0x1.0e8ac8p+0f, -0x1.d9b78ap-1f, 0x1.e24958p-1f, 0x1.024ed8p-5f, 0x1.738bcp-2f, 0x1.5c15cep-1f, 0x1.b21c24p-2f,
    0x1.96a564p+0f, 0x1.1022cp-2f, 0x1.192998p-1f, -0x1.cd1aep+0f, -0x1.2bc414p-2f, 0x1.9ac3ccp-2f, 0x1.cdb7f8p+0f,
    -0x1.513c54p+0f, 0x1.4131a4p+0f,
};
static const float flow_match_step_0_x[37] = {
    -0x1.05b402p+1f, -0x1.d25ae2p+0f, 0x1.0d38ccp+1f, -0x1.1615bap-1f, 0x1.c195d6p-4f, 0x1.2c5376p-3f, 0x1.072f04p-3f,
    -0x1.46d85cp+0f, 0x1.8a8914p-1f, -0x1.400556p+0f, 0x1.2fb63ep-1f, -0x1.1e0438p-1f, -0x1.65fb4ap-2f,
    -0x1.051584p-3f, 0x1.27e584p-2f, -0x1.3b0a3ap-1f, -0x1.cfe416p-3f, 0x1.406e4ep+0f, 0x1.a5dc6ap-1f,
    -0x1.8a13a4p-1f, 0x1.b6c37p-2f, -0x1.0e4d5ap+0f, -0x1.da94a6p-1f, 0x1.de060ep-1f, 0x1.a33b5cp-5f, 0x1.680ac8p-2f,
    0x1.61b954p-1f, 0x1.b0b476p-2f, 0x1.922a78p+0f, 0x1.1fe66cp-2f, 0x1.164576p-1f, -0x1.cc9c9p+0f, -0x1.31c8f8p-2f,
    0x1.956314p-2f, 0x1.d2b14ep+0f, -0x1.50add4p+0f, 0x1.4082dep+0f,
};
static const float flow_match_step_0_v[37] = {
    -0x1.a68526p-4f, 0x1.8bb9eep-1f, 0x1.b1b298p+0f, 0x1.45fcfcp+0f, -0x1.51b3dcp+0f, 0x1.8f2c58p-2f, 0x1.6de924p-4f,
    0x1.2c0f1cp+0f, -0x1.a0c5cap-1f, -0x1.86edb8p+0f, 0x1.5fcd46p-1f, 0x1.7526fap-2f, 0x1.6adbd4p-2f, 0x1.a2108p-3f,
    0x1.ee41ep+0f, -0x1.87c4c8p-2f, -0x1.84a854p+0f, -0x1.e1f6acp-4f, 0x1.6f2dcep-1f, 0x1.554ap+0f, -0x1.41addp+0f,
    0x1.3ad086p-4f, -0x1.1b4ac8p-3f, -0x1.5d8dbp-1f, 0x1.9c5e16p+0f, -0x1.d7a79cp-1f, 0x1.ce60acp-1f, -0x1.ccd656p-4f,
    -0x1.6f5f46p+0f, 0x1.432b4ep+0f, -0x1.da25f8p-2f, 0x1.43aaecp-3f, -0x1.ed913ap-2f, -0x1.b8fae4p-2f,
    0x1.97dd68p+0f, 0x1.6d288ap-3f, -0x1.bfda04p-3f,
};
static const float flow_match_step_1_y_after[37] = {
    -0x1.054e9ap+1f, -0x1.d84a78p+0f, 0x1.06b766p+1f, -0x1.29a4e8p-1f, 0x1.31d75cp-3f, 0x1.14602ap-3f, 0x1.01b1ecp-3f,
    -0x1.4fd8dp+0f, 0x1.9709e4p-1f, -0x1.344b02p+0f, 0x1.252868p-1f, -0x1.239d2p-1f, -0x1.70de0cp-2f, -0x1.11a04p-3f,
    0x1.d92bdcp-3f, -0x1.3529d6p-1f, -0x1.729cf8p-3f, 0x1.4155a6p+0f, 0x1.9ad87ap-1f, -0x1.9e8dd8p-1f, 0x1.dd5d6ap-2f,
    -0x1.0ee476p+0f, -0x1.d874bap-1f, 0x1.e882ap-1f, 0x1.75becp-9f, 0x1.845766p-2f, 0x1.53da44p-1f, 0x1.b42944p-2f,
    0x1.9d2fe4p+0f, 0x1.f23d54p-3f, 0x1.1d623p-1f, -0x1.cdd348p+0f, -0x1.22fa6p-2f, 0x1.a29dcep-2f, 0x1.c674e8p+0f,
    -0x1.520c62p+0f, 0x1.4230cep+0f,
};
static const float flow_match_step_3_y_after[37] = {
    -0x1.0afc12p+1f, -0x1.8335b2p+0f, 0x1.63f61ep+1f, -0x1.14b56p-5f, -0x1.abed86p-2f, 0x1.35d512p-2f, 0x1.505da4p-3f,
    -0x1.9da4ap-1f, 0x1.c7a72p-2f, -0x1.dc646cp+0f, 0x1.bc6ecp-1f, -0x1.a6c5a4p-2f, -0x1.a9ad1ep-3f, -0x1.776edcp-5f,
    0x1.0fad54p+0f, -0x1.8964c8p-1f, -0x1.aae616p-1f, 0x1.3461bcp+0f, 0x1.1c5dc4p+0f, -0x1.e42e9p-3f, -0x1.2fb11p-4f,
    -0x1.066e8ap+0f, -0x1.f6e8eep-1f, 0x1.5233c8p-1f, 0x1.641894p-1f, -0x1.1481cp-6f, 0x1.0d5666p+0f, 0x1.829f08p-2f,
    0x1.fe6f1ep-1f, 0x1.927c42p-1f, 0x1.6ee222p-2f, -0x1.bc6d9ep+0f, -0x1.f73644p-2f, 0x1.c9fd72p-3f, 0x1.3aeb56p+1f,
    -0x1.3e6bcep+0f, 0x1.2a1e5ep+0f,
};
static const float flow_match_step_4_y_after[37] = {
    INFINITY, -INFINITY, 0x1p-149f, 0x0p+0f, 0x1.c195d6p-4f, 0x1.2c5376p-3f, 0x1.072f04p-3f, -0x1.46d85cp+0f,
    0x1.8a8914p-1f, -0x1.400556p+0f, 0x1.2fb63ep-1f, -0x1.1e0438p-1f, -0x1.65fb4ap-2f, -0x1.051584p-3f,
    0x1.27e584p-2f, -0x1.3b0a3ap-1f, -0x1.cfe416p-3f, 0x1.406e4ep+0f, 0x1.a5dc6ap-1f, -0x1.8a13a4p-1f, 0x1.b6c37p-2f,
    -0x1.0e4d5ap+0f, -0x1.da94a6p-1f, 0x1.de060ep-1f, 0x1.a33b5cp-5f, 0x1.680ac8p-2f, 0x1.61b954p-1f, 0x1.b0b476p-2f,
    0x1.922a78p+0f, 0x1.1fe66cp-2f, 0x1.164576p-1f, -0x1.cc9c9p+0f, -0x1.31c8f8p-2f, 0x1.956314p-2f, 0x1.d2b14ep+0f,
    -0x1.50add4p+0f, 0x1.4082dep+0f,
};
static const float flow_match_step_4_v[37] = {
    -0x1.a68526p-4f, 0x1.8bb9eep-1f, 0x1.b1b298p+0f, 0x1.45fcfcp+0f, 0x1.fffffep+127f, 0x1.8f2c58p-2f, 0x1.6de924p-4f,
    0x1.2c0f1cp+0f, -0x1.a0c5cap-1f, -0x1.86edb8p+0f, 0x1.5fcd46p-1f, 0x1.7526fap-2f, 0x1.6adbd4p-2f, 0x1.a2108p-3f,
    0x1.ee41ep+0f, -0x1.87c4c8p-2f, -0x1.84a854p+0f, -0x1.e1f6acp-4f, 0x1.6f2dcep-1f, 0x1.554ap+0f, -0x1.41addp+0f,
    0x1.3ad086p-4f, -0x1.1b4ac8p-3f, -0x1.5d8dbp-1f, 0x1.9c5e16p+0f, -0x1.d7a79cp-1f, 0x1.ce60acp-1f, -0x1.ccd656p-4f,
    -0x1.6f5f46p+0f, 0x1.432b4ep+0f, -0x1.da25f8p-2f, 0x1.43aaecp-3f, -0x1.ed913ap-2f, -0x1.b8fae4p-2f,
    0x1.97dd68p+0f, 0x1.6d288ap-3f, -0x1.bfda04p-3f,
};

static const rung_proof_example flow_match_step_examples[] = {
    {"numpy.float32, sigma 1.0 to 0.9878048780487805",
     (const rung_proof_datum[]){{NULL, flow_match_step_0_y_after},
      {flow_match_step_0_x, NULL},
      {flow_match_step_0_v, NULL},
      {&(const size_t){37}, NULL},
      {&(const double){0x1p+0}, NULL},
      {&(const double){0x1.f9c18f9c18f9cp-1}, NULL}}},
    {"numpy.float32, sigma 0.5 to 0.47",
     (const rung_proof_datum[]){{NULL, flow_match_step_1_y_after},
      {flow_match_step_0_x, NULL},
      {flow_match_step_0_v, NULL},
      {&(const size_t){37}, NULL},
      {&(const double){0x1p-1}, NULL},
      {&(const double){0x1.e147ae147ae14p-2}, NULL}}},
    {"numpy.float32, sigma 0.13 to 0.1",
     (const rung_proof_datum[]){{NULL, flow_match_step_1_y_after},
      {flow_match_step_0_x, NULL},
      {flow_match_step_0_v, NULL},
      {&(const size_t){37}, NULL},
      {&(const double){0x1.0a3d70a3d70a4p-3}, NULL},
      {&(const double){0x1.999999999999ap-4}, NULL}}},
    {"numpy.float32, sigma 0.3 to 0.7",
     (const rung_proof_datum[]){{NULL, flow_match_step_3_y_after},
      {flow_match_step_0_x, NULL},
      {flow_match_step_0_v, NULL},
      {&(const size_t){37}, NULL},
      {&(const double){0x1.3333333333333p-2}, NULL},
      {&(const double){0x1.6666666666666p-1}, NULL}}},
    {"no step at sigma 0",
     (const rung_proof_datum[]){{NULL, flow_match_step_4_y_after},
      {flow_match_step_4_y_after, NULL},
      {flow_match_step_4_v, NULL},
      {&(const size_t){37}, NULL},
      {&(const double){0x0p+0}, NULL},
      {&(const double){0x0p+0}, NULL}}},
    {"no step at sigma 0.333",
     (const rung_proof_datum[]){{NULL, flow_match_step_4_y_after},
      {flow_match_step_4_y_after, NULL},
      {flow_match_step_4_v, NULL},
      {&(const size_t){37}, NULL},
      {&(const double){0x1.5555555555555p-2}, NULL},
      {&(const double){0x1.5555555555555p-2}, NULL}}},
    {"no step at sigma 1",
     (const rung_proof_datum[]){{NULL, flow_match_step_4_y_after},
      {flow_match_step_4_y_after, NULL},
      {flow_match_step_4_v, NULL},
      {&(const size_t){37}, NULL},
      {&(const double){0x1p+0}, NULL},
      {&(const double){0x1p+0}, NULL}}},
};
/* clang-format on */

#endif
