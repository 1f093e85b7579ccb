/* SPDX-License-Identifier: Apache-2.0
 *
 * What the proof of the kernels (rung/proof.h) does not try of them, on every cell that the testbed runs: a whole loop
 * of steps, an infinite scale of noise, and systems that have no solution.
 *
 *     test_beyond [DEVICE/ARCH]    of that arch alone, which has to have cells
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cells.h"
#include "flow_loop.h"
#include "kernels/expected/flow_loop.h"
#include "testbed.h"

static const char *place;

/* ---- flow_match_step --------------------------------------------------------------------------------------------- */

enum { NUMPY = sizeof flow_loop_start / sizeof flow_loop_start[0] };

/* x after the loop, each step of what the one before has made. */
static void flow_loop(const rung_ctx *cx, float *x, size_t n)
{
    static float v[FLOW_LARGE], y[FLOW_LARGE];
    for (size_t i = 0; i < FLOW_STEPS; i++) {
        flow_velocity(v, x, n);
        rung_buffer *to = held(cx, y, n * sizeof *y), *from = held(cx, x, n * sizeof *x);
        rung_buffer *velocity = held(cx, v, n * sizeof *v);
        assert_int_equal(rk_flow_match_step_buf(cx, to, from, velocity, n, flow_sigma(i), flow_sigma(i + 1)), RUNG_OK);
        held_end(to);
        held_end(from);
        held_end(velocity);
        memcpy(x, y, n * sizeof *x);
    }
}

static float reference_end[FLOW_LARGE];

static void start(float x[FLOW_LARGE])
{
    for (uint32_t i = 0; i < FLOW_LARGE; i++)
        x[i] = (float)(i * 2654435761U) * 0x1p-31F - 1.0F; /* Fibonacci hashing: Knuth 1998, section 6.4 */
}

static void ends_as_the_reference(const rung_ctx *cx, const rung_cell *cell)
{
    (void)cell;
    static float x[FLOW_LARGE];
    start(x);
    flow_loop(cx, x, FLOW_LARGE);
    assert_memory_equal(x, reference_end, sizeof x);
    memcpy(x, flow_loop_start, sizeof flow_loop_start);
    flow_loop(cx, x, NUMPY);
    assert_memory_equal(x, flow_loop_end, sizeof flow_loop_end);
}

static void flow_match_loop(void **state)
{
    (void)state;
    rung_platform *platform;
    assert_int_equal(rung_platform_open(&rk_registry, "cpu/generic", RUNG_OPEN_NO_ENV, &platform, NULL), RUNG_OK);
    rung_ctx cx = rung_ctx_of(platform);
    start(reference_end);
    flow_loop(&cx, reference_end, FLOW_LARGE);
    rung_platform_close(platform);
    for (size_t i = 1; i < FLOW_LARGE; i++) /* nothing that would not tell cells apart */
        assert_true(isfinite(reference_end[i]) && reference_end[i] != reference_end[i - 1]);
    assert_int_not_equal(cells_run("flow_match_step", place, ends_as_the_reference), 0);
}

/* ---- flow_sde_step ----------------------------------------------------------------------------------------------- */

static void has_no_finite_mean(const rung_ctx *cx, const rung_cell *cell)
{
    (void)cell;
    enum { N = 61 };
    float y[N] = {0.0F}, mean[N] = {0.0F}, x[N], v[N];
    double log_prob = 0.0, e = 0.0;
    for (int i = 0; i < N; i++) {
        x[i] = 1.0F / (float)(i + 1);
        v[i] = 1.0F - x[i];
    }
    rung_buffer *arrays[] = {held(cx, y, sizeof y),  held(cx, mean, sizeof mean), held(cx, &log_prob, sizeof log_prob),
                             held(cx, &e, sizeof e), held(cx, x, sizeof x),       held(cx, v, sizeof v)};
    assert_int_equal(rk_flow_sde_step_buf(cx, arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], arrays[5], NULL,
                                          NULL, N, 0.5, 0.4, INFINITY),
                     RUNG_OK);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        held_end(arrays[i]);
    for (int i = 0; i < N; i++)
        assert_false(isfinite(mean[i]));
}

static void flow_sde_infinite_scale(void **state)
{
    (void)state;
    assert_int_not_equal(cells_run("flow_sde_step", place, has_no_finite_mean), 0);
}

/* ---- ridge_solve ------------------------------------------------------------------------------------------------- */

enum { K = 41, T = 3 }; /* beyond any tile of the kernels */

/* A kernel that is launched cannot answer: what it has for a solution is not a number, throughout. */
static void refuses(const rung_ctx *cx, const rung_cell *cell, const double *gram)
{
    static double rhs[K * T], w[K * T], chol[K * K];
    for (size_t i = 0; i < (size_t)K * T; i++)
        rhs[i] = w[i] = 1.0 + (double)i;
    rung_buffer *solution = held(cx, w, sizeof w), *factor = held(cx, chol, sizeof chol);
    rung_buffer *system = held(cx, gram, sizeof(double) * K * K), *right = held(cx, rhs, sizeof rhs);
    const rung_status status = rk_ridge_solve_buf(cx, solution, factor, system, right, 0.0, K, T);
    held_end(solution);
    held_end(factor);
    held_end(system);
    held_end(right);
    if (strcmp(cell->device, "cuda") != 0) {
        assert_int_equal(status, RUNG_ERR_NUMERIC);
        return;
    }
    assert_int_equal(status, RUNG_OK);
    for (size_t i = 0; i < (size_t)K * T; i++)
        assert_true(isnan(w[i]));
    assert_true(isnan(chol[K * K - 1]));
}

static void refuses_bad_pivots(const rung_ctx *cx, const rung_cell *cell)
{
    static double gram[K * K];
    static const double pivots[] = {-1.0, 0.0, NAN, INFINITY};
    static const size_t places[] = {0, 4, 15, 16, K - 1};
    for (size_t q = 0; q < sizeof pivots / sizeof pivots[0]; q++) {
        for (size_t at = 0; at < sizeof places / sizeof places[0]; at++) {
            for (size_t i = 0; i < (size_t)K * K; i++)
                gram[i] = i % (K + 1) == 0 ? 3.0 : 1.0 / (double)K;
            gram[places[at] * (K + 1)] = pivots[q];
            refuses(cx, cell, gram);
        }
    }
}

static void ridge_refused(void **state)
{
    (void)state;
    assert_int_not_equal(cells_run("ridge_solve", place, refuses_bad_pivots), 0);
}

/* ------------------------------------------------------------------------------------------------------------------ */

static void testbed_was_used_well(void **state)
{
    (void)state;
    const char *said = testbed_end();
    if (said != NULL)
        fail_msg("%s", said);
}

int main(int argc, char **argv)
{
    place = argc > 1 ? argv[1] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flow_match_loop),
        cmocka_unit_test(flow_sde_infinite_scale),
        cmocka_unit_test(ridge_refused),
        cmocka_unit_test(testbed_was_used_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
