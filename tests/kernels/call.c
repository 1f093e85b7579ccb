/* SPDX-License-Identifier: Apache-2.0 */
#include "call.h"

#include <stdbool.h>
#include <stdint.h>

/* The buffers of one call. */
enum { MOST_ARRAYS = 8, BOUNDARY = 64 };
typedef struct buffers {
    rung_ctx cx; /* for the buffer call */
    rung_buffer *wholes[MOST_ARRAYS], *parts[MOST_ARRAYS];
    size_t count;
    rung_status status;
} buffers;

static buffers begin(const rung_ctx *cx)
{
    buffers b = {.cx = *cx};
    b.cx.memory = RUNG_MEMORY_HOST;
    return b;
}

/* The part of a buffer that starts at a boundary: its copies on devices start as far from one as the array. */
static rung_buffer *of(buffers *b, const void *array, size_t bytes)
{
    if (array == NULL || b->status != RUNG_OK)
        return NULL;
    const size_t offset = (uintptr_t)array % BOUNDARY;
    rung_buffer **whole = &b->wholes[b->count], **part = &b->parts[b->count];
    b->count++;
    b->status =
        rung_buffer_wrap(b->cx.platform, (unsigned char *)(uintptr_t)array - offset, bytes + offset, whole, NULL);
    if (b->status == RUNG_OK)
        b->status = rung_buffer_slice(*whole, offset, bytes, part, NULL);
    return *part;
}

/* Brings back what the call has written. */
static rung_status end(buffers *b, rung_status status)
{
    for (size_t i = 0; i < b->count; i++)
        if (rung_buffer_size(b->parts[i]) > 0 && rung_buffer_host(b->parts[i]) == NULL && b->status == RUNG_OK)
            b->status = RUNG_ERR_DEVICE;
    for (size_t i = 0; i < b->count; i++) {
        rung_buffer_destroy(b->parts[i]);
        rung_buffer_destroy(b->wholes[i]);
    }
    return b->status != RUNG_OK ? b->status : status;
}

static bool on_host(const rung_ctx *cx)
{
    return cx->memory == RUNG_MEMORY_HOST;
}

static const size_t float_size = sizeof(float), double_size = sizeof(double);

rung_status call_factor_gradient(const rung_ctx *cx, double *g, const double *d, const double *e, size_t n, size_t k)
{
    if (on_host(cx))
        return rk_factor_gradient(cx, g, d, e, n, k);
    buffers b = begin(cx);
    rung_buffer *to = of(&b, g, 4 * k * double_size), *derivatives = of(&b, d, 4 * n * k * double_size);
    rung_buffer *residuals = of(&b, e, n * k * double_size);
    return end(&b, rk_factor_gradient_buf(&b.cx, to, derivatives, residuals, n, k));
}

rung_status call_flow_match_step(const rung_ctx *cx, float *y, const float *x, const float *v, size_t n, double sigma_t,
                                 double sigma_n)
{
    if (on_host(cx))
        return rk_flow_match_step(cx, y, x, v, n, sigma_t, sigma_n);
    const size_t bytes = n * float_size;
    buffers b = begin(cx);
    rung_buffer *to = of(&b, y, bytes), *at = of(&b, x, bytes), *velocity = of(&b, v, bytes);
    return end(&b, rk_flow_match_step_buf(&b.cx, to, at, velocity, n, sigma_t, sigma_n));
}

rung_status call_flow_sde_step(const rung_ctx *cx, float *y, float *mean, double *log_prob, double *e, const float *x,
                               const float *v, const float *noise, const float *sample, size_t n, double sigma_t,
                               double sigma_n, double noise_scale)
{
    if (on_host(cx))
        return rk_flow_sde_step(cx, y, mean, log_prob, e, x, v, noise, sample, n, sigma_t, sigma_n, noise_scale);
    const size_t bytes = n * float_size;
    buffers b = begin(cx);
    rung_buffer *to = of(&b, y, bytes), *expected = of(&b, mean, bytes), *density = of(&b, log_prob, double_size);
    rung_buffer *deviation = of(&b, e, double_size), *at = of(&b, x, bytes), *velocity = of(&b, v, bytes);
    rung_buffer *normal = of(&b, noise, bytes), *given = of(&b, sample, bytes);
    return end(&b, rk_flow_sde_step_buf(&b.cx, to, expected, density, deviation, at, velocity, normal, given, n,
                                        sigma_t, sigma_n, noise_scale));
}

rung_status call_gemm_nt(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m, size_t n, size_t k,
                         double alpha, double beta)
{
    if (on_host(cx))
        return rk_gemm_nt(cx, c, a, b, m, n, k, alpha, beta);
    buffers all = begin(cx);
    rung_buffer *to = of(&all, c, m * n * double_size), *left = of(&all, a, m * k * double_size);
    rung_buffer *right = of(&all, b, n * k * double_size);
    return end(&all, rk_gemm_nt_buf(&all.cx, to, left, right, m, n, k, alpha, beta));
}

rung_status call_gemm_nt_bf16(const rung_ctx *cx, float *c, const uint16_t *a, const uint16_t *b, size_t m, size_t n,
                              size_t k, float alpha, float beta)
{
    if (on_host(cx))
        return rk_gemm_nt_bf16(cx, c, a, b, m, n, k, alpha, beta);
    buffers all = begin(cx);
    rung_buffer *to = of(&all, c, m * n * float_size), *left = of(&all, a, m * k * sizeof *a);
    rung_buffer *right = of(&all, b, n * k * sizeof *b);
    return end(&all, rk_gemm_nt_bf16_buf(&all.cx, to, left, right, m, n, k, alpha, beta));
}

rung_status call_gemm_nt_f32(const rung_ctx *cx, float *c, const float *a, const float *b, size_t m, size_t n, size_t k,
                             float alpha, float beta)
{
    if (on_host(cx))
        return rk_gemm_nt_f32(cx, c, a, b, m, n, k, alpha, beta);
    buffers all = begin(cx);
    rung_buffer *to = of(&all, c, m * n * float_size), *left = of(&all, a, m * k * float_size);
    rung_buffer *right = of(&all, b, n * k * float_size);
    return end(&all, rk_gemm_nt_f32_buf(&all.cx, to, left, right, m, n, k, alpha, beta));
}

rung_status call_gemm_tn(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m, size_t n, size_t k,
                         double alpha, double beta)
{
    if (on_host(cx))
        return rk_gemm_tn(cx, c, a, b, m, n, k, alpha, beta);
    buffers all = begin(cx);
    rung_buffer *to = of(&all, c, m * n * double_size), *left = of(&all, a, m * k * double_size);
    rung_buffer *right = of(&all, b, n * k * double_size);
    return end(&all, rk_gemm_tn_buf(&all.cx, to, left, right, m, n, k, alpha, beta));
}

rung_status call_rbf_factors(const rung_ctx *cx, double *f, double *d, const double *xyz, const double *theta, size_t n,
                             size_t k)
{
    if (on_host(cx))
        return rk_rbf_factors(cx, f, d, xyz, theta, n, k);
    buffers b = begin(cx);
    rung_buffer *to = of(&b, f, n * k * double_size), *derivatives = of(&b, d, 4 * n * k * double_size);
    rung_buffer *at = of(&b, xyz, 3 * n * double_size), *factors = of(&b, theta, 4 * k * double_size);
    return end(&b, rk_rbf_factors_buf(&b.cx, to, derivatives, at, factors, n, k));
}

rung_status call_residual_energy(const rung_ctx *cx, double *e, const float *x, const double *f, const double *w,
                                 size_t n, size_t k, size_t t)
{
    if (on_host(cx))
        return rk_residual_energy(cx, e, x, f, w, n, k, t);
    buffers b = begin(cx);
    rung_buffer *to = of(&b, e, n * double_size), *data = of(&b, x, n * t * float_size);
    rung_buffer *factors = of(&b, f, n * k * double_size), *weights = of(&b, w, k * t * double_size);
    return end(&b, rk_residual_energy_buf(&b.cx, to, data, factors, weights, n, k, t));
}

rung_status call_ridge_solve(const rung_ctx *cx, double *w, double *chol, const double *gram, const double *rhs,
                             double lambda, size_t k, size_t t)
{
    if (on_host(cx))
        return rk_ridge_solve(cx, w, chol, gram, rhs, lambda, k, t);
    buffers b = begin(cx);
    rung_buffer *to = of(&b, w, k * t * double_size), *factor = of(&b, chol, k * k * double_size);
    rung_buffer *matrix = of(&b, gram, k * k * double_size), *right = of(&b, rhs, k * t * double_size);
    return end(&b, rk_ridge_solve_buf(&b.cx, to, factor, matrix, right, lambda, k, t));
}
