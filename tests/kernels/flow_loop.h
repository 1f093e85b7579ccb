/* SPDX-License-Identifier: Apache-2.0
 *
 * flow_loop.h: what a denoising loop needs around the solver ops: a schedule and a stand-in for the model.
 */
#ifndef TESTS_KERNELS_FLOW_LOOP_H
#define TESTS_KERNELS_FLOW_LOOP_H

#include <stddef.h>

enum { FLOW_STEPS = 28, FLOW_LARGE = 10007 };

/* Noise level i of 0 .. FLOW_STEPS, from 1 to 0, evenly spaced and shifted by 3: Esser et al. 2024, arXiv:2403.03206,
 * section 5.3.2. */
double flow_sigma(size_t i);

/* v[i] = 4 u / (1 + u^2) - x[i] with u = x[(7 i + 3) mod n], in float: nonlinear, and every element soon depends on
 * many others, so that one different bit spreads. No derivative is above 4. */
void flow_velocity(float *v, const float *x, size_t n);

#endif
