/* SPDX-License-Identifier: Apache-2.0
 *
 * Variant cublas, on an imitated GPU with an imitated cuBLAS, which checks how it is called: what its answers become,
 * and one handle for all ops and threads of a device. That the products are right, the proof tells.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cells.h"
#include "testbed.h"

enum { LINE = 256 };

static rung_platform *platform;

static rung_ctx context(void)
{
    rung_ctx cx = rung_ctx_of(platform);
    cx.variant = RK_VARIANT_CUBLAS;
    const uint64_t bytes = rung_workspace(platform, RK_OP_GEMM_NT, RK_VARIANT_CUBLAS, RUNG_MEMORY_ANY);
    assert_int_equal(rung_buffer_create(platform, (size_t)bytes + 4096, &cx.workspace_buffer, NULL), RUNG_OK);
    return cx;
}

/* The buffers of a product of 1 by 1. */
typedef struct product {
    rung_buffer *c, *a, *b;
} product;

static product begin(const rung_ctx *cx, void *c, const void *a, const void *b, size_t result, size_t factor)
{
    return (product){held(cx, c, result), held(cx, a, factor), held(cx, b, factor)};
}

static rung_status end(product *p, rung_status status)
{
    held_end(p->c);
    held_end(p->a);
    held_end(p->b);
    return status;
}

/* 3 times 5, and what there was. */
static rung_status call(const rung_ctx *cx, double *c)
{
    const double three = 3.0, five = 5.0;
    product p = begin(cx, c, &three, &five, sizeof *c, sizeof three);
    return end(&p, rk_gemm_nt_buf(cx, p.c, p.a, p.b, 1, 1, 1, 1.0, 1.0));
}

static int open_gpu(void **state)
{
    (void)state;
    return testbed_open("cuda/sm80", RUNG_OPEN_NO_ENV, &platform, NULL) == RUNG_OK ? 0 : -1;
}

static int close_gpu(void **state)
{
    (void)state;
    rung_platform_close(platform);
    return unsetenv("RUNG_FAKE_CUBLAS");
}

static void expect_answer(const rung_ctx *cx, const char *steer, rung_status expected)
{
    double c = 1.0;
    assert_int_equal(setenv("RUNG_FAKE_CUBLAS", steer, 1), 0);
    assert_int_equal(call(cx, &c), expected);
    assert_true(c == (expected == RUNG_OK ? 16.0 : 1.0));
}

static void keep(rung_log_level level, const char *line, void *user)
{
    (void)level;
    (void)snprintf(user, LINE, "%s", line);
}

/* What ends the making of the handle is told. */
static void expect_said(const rung_ctx *cx, const char *steer, rung_status expected, const char *what)
{
    char line[LINE] = "";
    rung_log_set(keep, line, RUNG_LOG_INFO);
    expect_answer(cx, steer, expected);
    rung_log_set(NULL, NULL, 0);
    if (strstr(line, "rk: cuda: making what a kernel keeps for the device: ") != line || strstr(line, what) == NULL)
        fail_msg("said: %s", line);
    assert_int_equal(testbed_cublas_handles(), 0);
}

static void answers_of_the_library(void **state)
{
    (void)state;
    rung_ctx cx = context();
    expect_said(&cx, "cublasCreate_v2=3", RUNG_ERR_MEMORY, "cublasCreate returned 3");
    expect_said(&cx, "cublasCreate_v2=1", RUNG_ERR_UNAVAILABLE, "cublasCreate returned 1");
    expect_said(&cx, "cublasSetMathMode=7", RUNG_ERR_UNAVAILABLE, "cublasSetMathMode returned 7");
    expect_answer(&cx, "", RUNG_OK); /* what failed before is tried again */
    expect_answer(&cx, "cublasCreate_v2=3", RUNG_OK);
    expect_answer(&cx, "cublasSetStream_v2=14", RUNG_ERR_DEVICE);
    expect_answer(&cx, "cublasSetWorkspace_v2=7", RUNG_ERR_ARGUMENT);
    expect_answer(&cx, "cublasGemmEx_64=3", RUNG_ERR_MEMORY);
    expect_answer(&cx, "cublasGemmEx_64=8", RUNG_ERR_UNAVAILABLE);
    expect_answer(&cx, "cublasGemmEx_64=15", RUNG_ERR_UNAVAILABLE);
    expect_answer(&cx, "cublasGemmEx_64=13", RUNG_ERR_DEVICE);
    expect_answer(&cx, "", RUNG_OK); /* the device is still of use */
    rung_buffer_destroy(cx.workspace_buffer);
}

static void workspace_is_needed(void **state)
{
    (void)state;
    double c = 1.0;
    rung_ctx cx = context(), without = cx;
    without.workspace_buffer = NULL;
    assert_int_equal(call(&without, &c), RUNG_ERR_WORKSPACE);
    assert_int_equal(call(&cx, &c), RUNG_OK);
    rung_buffer_destroy(cx.workspace_buffer);
}

/* The imitation sees a handle that two threads use, and a product on what another thread has set. */
enum { THREADS = 2, CALLS = 10 };

static void *calls_of_thread(void *user)
{
    const rung_ctx *cx = user;
    double c = 0.0;
    for (unsigned i = 0; i < CALLS; i++)
        if (call(cx, &c) != RUNG_OK)
            return user;
    return c == 15.0 * CALLS ? NULL : user;
}

static void handle_of_several_threads(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    rung_ctx contexts[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        contexts[i] = context();
        assert_int_equal(pthread_create(&threads[i], NULL, calls_of_thread, &contexts[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
        rung_buffer_destroy(contexts[i].workspace_buffer);
    }
    assert_int_equal(testbed_cublas_handles(), 1);
}

static void handle_of_several_ops(void **state)
{
    (void)state;
    const double a = 3.0, b = 5.0;
    const float narrow_a = 3.0F, narrow_b = 5.0F;
    const uint16_t bits_a = 0x4040, bits_b = 0x40a0;
    double c = 0.0;
    float narrow_c = 0.0F;
    rung_ctx cx = context();
    product p = begin(&cx, &c, &a, &b, sizeof c, sizeof a);
    assert_int_equal(rk_gemm_nt_buf(&cx, p.c, p.a, p.b, 1, 1, 1, 1.0, 0.0), RUNG_OK);
    assert_int_equal(end(&p, rk_gemm_tn_buf(&cx, p.c, p.a, p.b, 1, 1, 1, 1.0, 1.0)), RUNG_OK);
    p = begin(&cx, &narrow_c, &narrow_a, &narrow_b, sizeof narrow_c, sizeof narrow_a);
    assert_int_equal(end(&p, rk_gemm_nt_f32_buf(&cx, p.c, p.a, p.b, 1, 1, 1, 1.0F, 0.0F)), RUNG_OK);
    p = begin(&cx, &narrow_c, &bits_a, &bits_b, sizeof narrow_c, sizeof bits_a);
    assert_int_equal(end(&p, rk_gemm_nt_bf16_buf(&cx, p.c, p.a, p.b, 1, 1, 1, 1.0F, 1.0F)), RUNG_OK);
    assert_true(c == 30.0 && narrow_c == 30.0F);
    assert_int_equal(testbed_cublas_handles(), 1);
    rung_buffer_destroy(cx.workspace_buffer);
}

static void nothing_is_left(void **state)
{
    (void)state;
    const char *said = testbed_end();
    if (said != NULL)
        fail_msg("%s", said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_of_the_library, open_gpu, close_gpu),
        cmocka_unit_test_setup_teardown(workspace_is_needed, open_gpu, close_gpu),
        cmocka_unit_test_setup_teardown(handle_of_several_threads, open_gpu, close_gpu),
        cmocka_unit_test_setup_teardown(handle_of_several_ops, open_gpu, close_gpu),
        cmocka_unit_test(nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
