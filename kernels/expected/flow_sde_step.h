/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by expected.py with NumPy 1.24.2: calls of flow_sde_step, and what they have to give.
 */
#ifndef KERNELS_EXPECTED_FLOW_SDE_STEP_H
#define KERNELS_EXPECTED_FLOW_SDE_STEP_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "rung/proof.h"

/* clang-format off */
static const float flow_sde_step_0_y_after[13] = {
    -0x1.ebdfe6p-4f, -0x1.19819cp+0f, -0x1.aeeedp+0f, 0x1.e9a8cp-4f, -0x1.67282ap-2f, 0x1.78631cp-1f, -0x1.edd2eap-1f,
    0x1.30da2cp-1f, -0x1.b9e96ep-2f, 0x1.2750cep-1f, -0x1.4c7c48p-1f, -0x1.10ed32p-1f, -0x1.9d459ep-1f,
};
static const float flow_sde_step_0_mean_after[13] = {
    -0x1.9ad692p-3f, -0x1.51a05ap+0f, -0x1.da274ep+0f, 0x1.8e737ap-2f, -0x1.6aa212p-3f, 0x1.e8b65ap-1f,
    -0x1.3e1d26p+0f, 0x1.512f9ap-1f, -0x1.f147f4p-3f, 0x1.ab2aeap-2f, -0x1.b5621p-1f, -0x1.1979f4p-2f,
    -0x1.4d6916p-1f,
};
static const double flow_sde_step_0_log_prob_after[1] = {
    0x1.164eab76e9213p-3,
};
static const double flow_sde_step_0_e_after[1] = {
    0x1.40900d7398ce4p-3,
};
static const float flow_sde_step_0_x[13] = {
    -0x1.22fe64p-2f, -0x1.607cf8p+0f, -0x1.f56acp+0f, 0x1.ad933ap-2f, -0x1.d82666p-4f, 0x1.0933dp+0f, -0x1.41e19ep+0f,
    0x1.714bd4p-1f, -0x1.4370ap-2f, 0x1.b315dap-2f, -0x1.cb87a8p-1f, -0x1.1d0916p-2f, -0x1.1796b2p-1f,
};
static const float flow_sde_step_0_v[13] = {
    -0x1.3b0a92p+0f, -0x1.900dacp-2f, -0x1.e13e88p-1f, 0x1.4aea24p-2f, 0x1.09bf3p+0f, 0x1.cd0142p-1f, 0x1.08a6cp-2f,
    0x1.727b7p-1f, -0x1.0c9328p+0f, -0x1.605e5cp-5f, -0x1.5dd3d6p-2f, 0x1.b81054p-5f, 0x1.e752c6p+0f,
};
static const float flow_sde_step_0_noise[13] = {
    0x1.0760d6p-1f, 0x1.6689bep+0f, 0x1.142074p+0f, -0x1.b8e1fep+0f, -0x1.1c0b8cp+0f, -0x1.66cf4p+0f, 0x1.c6e474p+0f,
    -0x1.9d2514p-2f, -0x1.34b0f6p+0f, 0x1.05153p+0f, 0x1.4f1542p+0f, -0x1.a6429ep+0f, -0x1.fe374ep-1f,
};
static const double flow_sde_step_1_log_prob_after[1] = {
    0x1.df074c0f3a817p-1,
};
static const float flow_sde_step_2_y_after[13] = {
    -0x1.5606fep-1f, -0x1.6b6536p-2f, -0x1.10298ep+0f, 0x1.f6f8c4p-3f, -0x1.53593p-1f, 0x1.365374p-2f,
    -0x1.c9a19cp-1f, 0x1.41f0b6p-1f, 0x1.a55f62p-7f, 0x1.796462p-1f, 0x1.cc26ep-4f, -0x1.671a5p+0f, 0x1.611bdap-2f,
};
static const double flow_sde_step_2_log_prob_after[1] = {
    -0x1.0c75750dc9889p+3,
};
static const float flow_sde_step_3_noise[13] = {
    NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
};
static const float flow_sde_step_4_y_after[13] = {
    0x1.0c4f88p-1f, 0x1.b25eap-1f, 0x1.502c6ap-2f, -0x1.956f54p+0f, -0x1.46f5f8p+0f, -0x1.0d829p+0f, 0x1.35dfbp+0f,
    -0x1.569fep-3f, -0x1.3d746ap+0f, 0x1.377786p+0f, 0x1.ebe1c2p-1f, -0x1.c9872ep+0f, -0x1.71a2b8p+0f,
};
static const float flow_sde_step_4_mean_after[13] = {
    0x1.a54c94p-8f, -0x1.1f2cap-1f, -0x1.839b9p-1f, 0x1.318f12p-3f, -0x1.492ae8p-3f, 0x1.6e2402p-2f, -0x1.27b4acp-1f,
    0x1.e8d03cp-3f, -0x1.b5c55p-6f, 0x1.860f3ap-3f, -0x1.6ceb64p-2f, -0x1.051862p-3f, -0x1.c3c0a4p-2f,
};
static const double flow_sde_step_4_log_prob_after[1] = {
    -0x1.b9906e82766b2p+0,
};
static const double flow_sde_step_4_e_after[1] = {
    0x1.019853f3bf5cdp+0,
};
static const float flow_sde_step_5_y_after[13] = {
    0x1.2c35c2p+4f, 0x1.3fdc5cp+6f, 0x1.a2dd8cp+6f, -0x1.298a14p+5f, -0x1.5e7b7ep+2f, -0x1.fcfa7cp+5f, 0x1.37be8ap+6f,
    -0x1.351136p+5f, 0x1.a01db6p+1f, -0x1.498956p+3f, 0x1.c05f1p+5f, -0x1.7bef6ap+1f, 0x1.04cadep+4f,
};
static const float flow_sde_step_5_mean_after[13] = {
    0x1.b5789cp+3f, 0x1.0867bp+6f, 0x1.782808p+6f, -0x1.424f62p+4f, 0x1.60754ep+2f, -0x1.8dfba2p+5f, 0x1.e2c54p+5f,
    -0x1.151dc6p+5f, 0x1.e5fefp+3f, -0x1.464cp+4f, 0x1.58b72ap+5f, 0x1.ab82acp+3f, 0x1.a29fe4p+4f,
};
static const double flow_sde_step_5_log_prob_after[1] = {
    -0x1.00b593b4f6955p+2,
};
static const double flow_sde_step_5_e_after[1] = {
    0x1.3cc49b8ac5574p+3,
};
static const double flow_sde_step_6_log_prob_after[1] = {
    -0x1.a11e3529995d7p+3,
};
static const double flow_sde_step_7_log_prob_after[1] = {
    0x1.9cb0b7d09b3b5p+3,
};
static const double flow_sde_step_7_e_after[1] = {
    0x1.0c6f7a0b5ed8dp-20,
};
static const float flow_sde_step_8_mean_after[13] = {
    -0x1.22fe34p-2f, -0x1.607cf2p+0f, -0x1.f56ab6p+0f, 0x1.ad932cp-2f, -0x1.d827p-4f, 0x1.0933c6p+0f, -0x1.41e1ap+0f,
    0x1.714bc4p-1f, -0x1.437078p-2f, 0x1.b315dap-2f, -0x1.cb87ap-1f, -0x1.1d0916p-2f, -0x1.1796d4p-1f,
};
static const double flow_sde_step_8_log_prob_after[1] = {
    -0x1.c242c7b2d4e84p+37,
};
static const float flow_sde_step_9_y_after[13] = {
    -0x1.3a44f8p-1f, -0x1.962d7cp+0f, -0x1.2d23eep+1f, 0x1.1186cap-1f, 0x1.1202cep-3f, 0x1.58415ep+0f,
    -0x1.4bb17cp+0f, 0x1.ebb48cp-1f, -0x1.34ad9p-1f, 0x1.cba6a2p-2f, -0x1.0e4e36p+0f, -0x1.269e3cp-2f,
    -0x1.dde1bap-4f,
};
static const float flow_sde_step_9_mean_after[13] = {
    -0x1.3a4508p-1f, -0x1.962d92p+0f, -0x1.2d23f6p+1f, 0x1.118704p-1f, 0x1.120362p-3f, 0x1.584176p+0f,
    -0x1.4bb19ap+0f, 0x1.ebb498p-1f, -0x1.34ad68p-1f, 0x1.cba65cp-2f, -0x1.0e4e4cp+0f, -0x1.269dccp-2f,
    -0x1.dde0aep-4f,
};
static const double flow_sde_step_9_log_prob_after[1] = {
    0x1.83197dbd8337ep+3,
};
static const float flow_sde_step_10_y_after[13] = {
    -0x1.49f40ep-3f, -0x1.567c8ap+0f, -0x1.dd5acp+0f, 0x1.8c7b5cp-2f, -0x1.c0acbcp-3f, 0x1.e44db8p-1f,
    -0x1.487f44p+0f, 0x1.4c3f6ep-1f, -0x1.b005c2p-3f, 0x1.b77db2p-2f, -0x1.ba09b2p-1f, -0x1.2289b8p-2f,
    -0x1.790dc8p-1f,
};
static const float flow_sde_step_10_mean_after[13] = {
    -0x1.49f454p-3f, -0x1.567cap+0f, -0x1.dd5ad2p+0f, 0x1.8c7bdp-2f, -0x1.c0ac26p-3f, 0x1.e44de6p-1f, -0x1.487f62p+0f,
    0x1.4c3f7cp-1f, -0x1.b0052p-3f, 0x1.b77d6ep-2f, -0x1.ba09dep-1f, -0x1.22894ap-2f, -0x1.790da6p-1f,
};
static const double flow_sde_step_10_log_prob_after[1] = {
    0x1.83197dbd83382p+3,
};
static const float flow_sde_step_11_y_after[1] = {
    0x0p+0f,
};
static const double flow_sde_step_11_log_prob_after[1] = {
    0x0p+0,
};
static const float flow_sde_step_12_y_after[5] = {
    0x1.00001p+0f, 0x1.388p+13f, 0x1.7d784p+26f, 0x1.2a05f2p+33f, 0x1.93e594p+99f,
};
static const float flow_sde_step_12_mean_after[5] = {
    0x1p+0f, 0x1.388p+13f, 0x1.7d784p+26f, 0x1.2a05f2p+33f, 0x1.93e594p+99f,
};
static const double flow_sde_step_12_log_prob_after[1] = {
    0x1.8cb0b7d09b3b5p+3,
};
static const float flow_sde_step_12_v[5] = {
    0x0p+0f, 0x0p+0f, 0x0p+0f, 0x0p+0f, 0x0p+0f,
};
static const float flow_sde_step_12_noise[5] = {
    0x1p+0f, 0x1p+0f, 0x1p+0f, 0x1p+0f, 0x1p+0f,
};
static const double flow_sde_step_13_e_after[1] = {
    0x1.a70a96f5787f2p+662,
};

static const rung_proof_example flow_sde_step_examples[] = {
    {"numpy.longdouble, rounded once, sigma 0.5 to 0.45, scale 0.7, noise given",
     (const rung_proof_datum[]){{NULL, flow_sde_step_0_y_after},
      {NULL, flow_sde_step_0_mean_after},
      {NULL, flow_sde_step_0_log_prob_after},
      {NULL, flow_sde_step_0_e_after},
      {flow_sde_step_0_x, NULL},
      {flow_sde_step_0_v, NULL},
      {flow_sde_step_0_noise, NULL},
      {NULL, NULL},
      {&(const size_t){13}, NULL},
      {&(const double){0x1p-1}, NULL},
      {&(const double){0x1.ccccccccccccdp-2}, NULL},
      {&(const double){0x1.6666666666666p-1}, NULL}}},
    {"numpy.longdouble, rounded once, sigma 0.5 to 0.45, scale 0.7, nothing given",
     (const rung_proof_datum[]){{NULL, flow_sde_step_0_mean_after},
      {NULL, flow_sde_step_0_mean_after},
      {NULL, flow_sde_step_1_log_prob_after},
      {NULL, flow_sde_step_0_e_after},
      {flow_sde_step_0_x, NULL},
      {flow_sde_step_0_v, NULL},
      {NULL, NULL},
      {NULL, NULL},
      {&(const size_t){13}, NULL},
      {&(const double){0x1p-1}, NULL},
      {&(const double){0x1.ccccccccccccdp-2}, NULL},
      {&(const double){0x1.6666666666666p-1}, NULL}}},
    {"numpy.longdouble, rounded once, sigma 0.5 to 0.45, scale 0.7, sample given",
     (const rung_proof_datum[]){{NULL, flow_sde_step_2_y_after},
      {NULL, flow_sde_step_0_mean_after},
      {NULL, flow_sde_step_2_log_prob_after},
      {NULL, flow_sde_step_0_e_after},
      {flow_sde_step_0_x, NULL},
      {flow_sde_step_0_v, NULL},
      {NULL, NULL},
      {flow_sde_step_2_y_after, NULL},
      {&(const size_t){13}, NULL},
      {&(const double){0x1p-1}, NULL},
      {&(const double){0x1.ccccccccccccdp-2}, NULL},
      {&(const double){0x1.6666666666666p-1}, NULL}}},
    {"numpy.longdouble, rounded once, sigma 0.5 to 0.45, scale 0.7, noise and sample given",
     (const rung_proof_datum[]){{NULL, flow_sde_step_2_y_after},
      {NULL, flow_sde_step_0_mean_after},
      {NULL, flow_sde_step_2_log_prob_after},
      {NULL, flow_sde_step_0_e_after},
      {flow_sde_step_0_x, NULL},
      {flow_sde_step_0_v, NULL},
      {flow_sde_step_3_noise, NULL},
      {flow_sde_step_2_y_after, NULL},
      {&(const size_t){13}, NULL},
      {&(const double){0x1p-1}, NULL},
      {&(const double){0x1.ccccccccccccdp-2}, NULL},
      {&(const double){0x1.6666666666666p-1}, NULL}}},
    {"numpy.longdouble, rounded once, sigma 0.9 to 0.85, scale 1.5, noise given",
     (const rung_proof_datum[]){{NULL, flow_sde_step_4_y_after},
      {NULL, flow_sde_step_4_mean_after},
      {NULL, flow_sde_step_4_log_prob_after},
      {NULL, flow_sde_step_4_e_after},
      {flow_sde_step_0_x, NULL},
      {flow_sde_step_0_v, NULL},
      {flow_sde_step_0_noise, NULL},
      {NULL, NULL},
      {&(const size_t){13}, NULL},
      {&(const double){0x1.ccccccccccccdp-1}, NULL},
      {&(const double){0x1.b333333333333p-1}, NULL},
      {&(const double){0x1.8p+0}, NULL}}},
    {"numpy.longdouble, rounded once, sigma 1.0 to 0.98, scale 0.7, noise given",
     (const rung_proof_datum[]){{NULL, flow_sde_step_5_y_after},
      {NULL, flow_sde_step_5_mean_after},
      {NULL, flow_sde_step_5_log_prob_after},
      {NULL, flow_sde_step_5_e_after},
      {flow_sde_step_0_x, NULL},
      {flow_sde_step_0_v, NULL},
      {flow_sde_step_0_noise, NULL},
      {NULL, NULL},
      {&(const size_t){13}, NULL},
      {&(const double){0x1p+0}, NULL},
      {&(const double){0x1.f5c28f5c28f5cp-1}, NULL},
      {&(const double){0x1.6666666666666p-1}, NULL}}},
    {"numpy.longdouble, rounded once, sigma 1.0 to 0.98, scale 0.7, sample given",
     (const rung_proof_datum[]){{NULL, flow_sde_step_2_y_after},
      {NULL, flow_sde_step_5_mean_after},
      {NULL, flow_sde_step_6_log_prob_after},
      {NULL, flow_sde_step_5_e_after},
      {flow_sde_step_0_x, NULL},
      {flow_sde_step_0_v, NULL},
      {NULL, NULL},
      {flow_sde_step_2_y_after, NULL},
      {&(const size_t){13}, NULL},
      {&(const double){0x1p+0}, NULL},
      {&(const double){0x1.f5c28f5c28f5cp-1}, NULL},
      {&(const double){0x1.6666666666666p-1}, NULL}}},
    {"numpy.longdouble, rounded once, sigma 0.0 to 0.0, scale 0.7, nothing given",
     (const rung_proof_datum[]){{NULL, flow_sde_step_0_x},
      {NULL, flow_sde_step_0_x},
      {NULL, flow_sde_step_7_log_prob_after},
      {NULL, flow_sde_step_7_e_after},
      {flow_sde_step_0_x, NULL},
      {flow_sde_step_0_v, NULL},
      {NULL, NULL},
      {NULL, NULL},
      {&(const size_t){13}, NULL},
      {&(const double){0x0p+0}, NULL},
      {&(const double){0x0p+0}, NULL},
      {&(const double){0x1.6666666666666p-1}, NULL}}},
    {"numpy.longdouble, rounded once, sigma 5e-07 to 0.0, scale 0.7, sample given",
     (const rung_proof_datum[]){{NULL, flow_sde_step_2_y_after},
      {NULL, flow_sde_step_8_mean_after},
      {NULL, flow_sde_step_8_log_prob_after},
      {NULL, flow_sde_step_7_e_after},
      {flow_sde_step_0_x, NULL},
      {flow_sde_step_0_v, NULL},
      {NULL, NULL},
      {flow_sde_step_2_y_after, NULL},
      {&(const size_t){13}, NULL},
      {&(const double){0x1.0c6f7a0b5ed8dp-21}, NULL},
      {&(const double){0x0p+0}, NULL},
      {&(const double){0x1.6666666666666p-1}, NULL}}},
    {"numpy.longdouble, rounded once, sigma 0.4 to 0.6, scale 0.7, noise given",
     (const rung_proof_datum[]){{NULL, flow_sde_step_9_y_after},
      {NULL, flow_sde_step_9_mean_after},
      {NULL, flow_sde_step_9_log_prob_after},
      {NULL, flow_sde_step_7_e_after},
      {flow_sde_step_0_x, NULL},
      {flow_sde_step_0_v, NULL},
      {flow_sde_step_0_noise, NULL},
      {NULL, NULL},
      {&(const size_t){13}, NULL},
      {&(const double){0x1.999999999999ap-2}, NULL},
      {&(const double){0x1.3333333333333p-1}, NULL},
      {&(const double){0x1.6666666666666p-1}, NULL}}},
    {"numpy.longdouble, rounded once, sigma 0.6 to 0.5, scale 0.0, noise given",
     (const rung_proof_datum[]){{NULL, flow_sde_step_10_y_after},
      {NULL, flow_sde_step_10_mean_after},
      {NULL, flow_sde_step_10_log_prob_after},
      {NULL, flow_sde_step_7_e_after},
      {flow_sde_step_0_x, NULL},
      {flow_sde_step_0_v, NULL},
      {flow_sde_step_0_noise, NULL},
      {NULL, NULL},
      {&(const size_t){13}, NULL},
      {&(const double){0x1.3333333333333p-1}, NULL},
      {&(const double){0x1p-1}, NULL},
      {&(const double){0x0p+0}, NULL}}},
    {"the empty product of densities",
     (const rung_proof_datum[]){{NULL, flow_sde_step_11_y_after},
      {NULL, flow_sde_step_11_y_after},
      {NULL, flow_sde_step_11_log_prob_after},
      {NULL, flow_sde_step_7_e_after},
      {flow_sde_step_11_y_after, NULL},
      {flow_sde_step_11_y_after, NULL},
      {NULL, NULL},
      {NULL, NULL},
      {&(const size_t){0}, NULL},
      {&(const double){0x1p-1}, NULL},
      {&(const double){0x1.999999999999ap-2}, NULL},
      {&(const double){0x0p+0}, NULL}}},
    {"numpy.longdouble, large means",
     (const rung_proof_datum[]){{NULL, flow_sde_step_12_y_after},
      {NULL, flow_sde_step_12_mean_after},
      {NULL, flow_sde_step_12_log_prob_after},
      {NULL, flow_sde_step_7_e_after},
      {flow_sde_step_12_mean_after, NULL},
      {flow_sde_step_12_v, NULL},
      {flow_sde_step_12_noise, NULL},
      {NULL, NULL},
      {&(const size_t){5}, NULL},
      {&(const double){0x0p+0}, NULL},
      {&(const double){0x0p+0}, NULL},
      {&(const double){0x1.6666666666666p-1}, NULL}}},
    {"numpy.longdouble, noise_scale 1e200",
     (const rung_proof_datum[]){{NULL, flow_sde_step_11_y_after},
      {NULL, flow_sde_step_11_y_after},
      {NULL, flow_sde_step_11_log_prob_after},
      {NULL, flow_sde_step_13_e_after},
      {flow_sde_step_11_y_after, NULL},
      {flow_sde_step_11_y_after, NULL},
      {NULL, NULL},
      {NULL, NULL},
      {&(const size_t){0}, NULL},
      {&(const double){0x1p-1}, NULL},
      {&(const double){0x1.999999999999ap-2}, NULL},
      {&(const double){0x1.4e718d7d7625ap+664}, NULL}}},
};
/* clang-format on */

#endif
