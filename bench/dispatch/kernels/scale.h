/* SPDX-License-Identifier: Apache-2.0
 *
 * scale.h: the body of all sixteen kernels, small enough that the way to it is what is timed.
 */
#ifndef BENCH_SCALE_H
#define BENCH_SCALE_H

#define RUNG_BENCH_SCALE(name)                                                                                         \
    rung_status name(const rung_ctx *cx, float *y, const float *x, size_t n, float a)                                  \
    {                                                                                                                  \
        (void)cx;                                                                                                      \
        for (size_t i = 0; i < n; i++)                                                                                 \
            y[i] = a * x[i];                                                                                           \
        return RUNG_OK;                                                                                                \
    }

#endif
