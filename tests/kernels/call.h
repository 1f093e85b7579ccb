/* SPDX-License-Identifier: Apache-2.0
 *
 * call.h: the calls of the ops as the tests make them, with arrays in host memory. Where the context says
 * RUNG_MEMORY_DEVICE, the arrays are wrapped in buffers, so that the kernel gets copies on its device, which stand as
 * far past a 64-byte boundary as the arrays do; what it has written is in the arrays when the call returns.
 */
#ifndef TESTS_KERNELS_CALL_H
#define TESTS_KERNELS_CALL_H

#include <rk/rk.h>

rung_status call_factor_gradient(const rung_ctx *cx, double *g, const double *d, const double *e, size_t n, size_t k);
rung_status call_flow_match_step(const rung_ctx *cx, float *y, const float *x, const float *v, size_t n, double sigma_t,
                                 double sigma_n);
rung_status call_flow_sde_step(const rung_ctx *cx, float *y, float *mean, double *log_prob, double *e, const float *x,
                               const float *v, const float *noise, const float *sample, size_t n, double sigma_t,
                               double sigma_n, double noise_scale);
rung_status call_gemm_nt(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m, size_t n, size_t k,
                         double alpha, double beta);
rung_status call_gemm_nt_bf16(const rung_ctx *cx, float *c, const uint16_t *a, const uint16_t *b, size_t m, size_t n,
                              size_t k, float alpha, float beta);
rung_status call_gemm_nt_f32(const rung_ctx *cx, float *c, const float *a, const float *b, size_t m, size_t n, size_t k,
                             float alpha, float beta);
rung_status call_gemm_tn(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m, size_t n, size_t k,
                         double alpha, double beta);
rung_status call_rbf_factors(const rung_ctx *cx, double *f, double *d, const double *xyz, const double *theta, size_t n,
                             size_t k);
rung_status call_residual_energy(const rung_ctx *cx, double *e, const float *x, const double *f, const double *w,
                                 size_t n, size_t k, size_t t);
rung_status call_ridge_solve(const rung_ctx *cx, double *w, double *chol, const double *gram, const double *rhs,
                             double lambda, size_t k, size_t t);

#endif
