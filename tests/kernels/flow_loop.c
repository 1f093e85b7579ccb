/* SPDX-License-Identifier: Apache-2.0 */
#include "flow_loop.h"

double flow_sigma(size_t i)
{
    const double shift = 3.0;
    const double time = 1.0 - (double)i / FLOW_STEPS;
    return shift * time / (1.0 + (shift - 1.0) * time);
}

void flow_velocity(float *v, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float u = x[(7 * i + 3) % n];
        v[i] = 4.0F * (u / (1.0F + u * u)) - x[i];
    }
}
