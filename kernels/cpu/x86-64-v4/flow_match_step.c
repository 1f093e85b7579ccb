/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_match_step for cpu/x86-64-v4 and cpu/x86-64-v3: one source, compiled for each. Memory sets the pace, so one
 * vector at a time is enough. Multiply, then add: fused, the bits would differ from the reference.
 */
#include <rk/kernels/flow_match_step.h>

#ifdef __AVX512F__
enum { BYTES = 64 };
#else
enum { BYTES = 32 };
#endif
enum { LANES = BYTES / sizeof(float) };

/* One vector of floats, anywhere in memory. */
typedef float lanes __attribute__((vector_size(BYTES), aligned(4), may_alias));

rung_status RUNG_KERNEL(rk_flow_match_step)(const rung_ctx *cx, float *y, const float *x, const float *v, size_t n,
                                            double sigma_t, double sigma_n)
{
    (void)cx;
    const float dt = (float)(sigma_n - sigma_t);
    size_t i = 0;
    for (; n - i >= LANES; i += LANES) {
        const lanes step = *(const lanes *)(v + i) * dt;
        *(lanes *)(y + i) = *(const lanes *)(x + i) + step;
    }
    for (; i < n; i++) {
        const float step = dt * v[i];
        y[i] = x[i] + step;
    }
    return RUNG_OK;
}
