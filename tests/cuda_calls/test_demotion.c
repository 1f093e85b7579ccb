/* SPDX-License-Identifier: Apache-2.0
 *
 * First uses that fail: only that cell is given up, the next candidate is called in its place, and for good.
 */
#include "calls.h"

/* Makes `how` happen at the first use of `which` on an 8.0; what takes over stays when it would work again. */
static void demotes(const char *how, const char *why)
{
    steer(how);
    rung_platform *p = open_gpu(GPU_80);
    heard_nothing();
    assert_int_equal(NUMBER(p, which), 75); /* by its PTX */
    assert_string_equal(why_not(p, "which", "sm80"), why);
    char line[192];
    (void)snprintf(line, sizeof line, "cu: cu_which__cuda_sm80 is given up: load failed (%s)",
                   why + strlen("load failed: "));
    assert_heard(line);

    steer("");
    assert_int_equal(NUMBER(p, some), 80); /* of the same image */
    uint32_t demoted = 99;
    assert_int_equal(rung_warm(p, &demoted, NULL), RUNG_OK);
    assert_int_equal(demoted, 0);
    assert_int_equal(NUMBER(p, which), 75);
    assert_string_equal(why_not(p, "which", "sm80"), why);
    close_last(p);

    p = open_gpu(GPU_80);
    assert_int_equal(NUMBER(p, which), 80);
    close_last(p);
}

static void test_image(void **state)
{
    (void)state;
    demotes("cuLibraryLoadData#1=200;", "load failed: cuLibraryLoadData returned 200 (CUDA_ERROR_INVALID_IMAGE)");
    demotes(
        "cuKernelGetFunction#1=209;",
        "load failed: cuKernelGetFunction returned 209 (CUDA_ERROR_NO_BINARY_FOR_GPU): it has no code for this device");
}

static void test_entry(void **state)
{
    (void)state;
    demotes("cuLibraryGetKernel#1=500;",
            "load failed: cuLibraryGetKernel returned 500 (CUDA_ERROR_NOT_FOUND): it has no such function");
}

/* The second of two entries. */
static void test_second_entry(void **state)
{
    (void)state;
    steer("cuLibraryGetKernel#2=500;");
    rung_platform *p = open_gpu(GPU_75);
    rung_ctx cx = rung_ctx_of(p);
    rung_buffer *x = buffer_of(p, 1, 100);
    rung_buffer *s = buffer_of(p, 0, 1);
    assert_int_equal(cu_total_buf(&cx, s, x, 100), RUNG_OK);
    assert_holds(s, 5050, 0, 1);
    assert_true(has_text(why_not(p, "total", "sm75"), "load failed: cuLibraryGetKernel returned 500"));
    assert_int_equal(calls("cuLaunchKernel"), 0);
    assert_int_equal(NUMBER(p, which), 75); /* of the same image */
    rung_buffer_destroy(x);
    rung_buffer_destroy(s);
    close_last(p);
}

/* PTX that may not be compiled, as the program's environment says. */
static void test_no_compiling(void **state)
{
    (void)state;
    steer("");
    assert_int_equal(setenv("CUDA_DISABLE_PTX_JIT", "1", 1), 0);
    rung_platform *p = open_gpu(GPU_75);
    assert_int_equal(NUMBER(p, some), 2);
    assert_true(has_text(why_not(p, "some", "ptx"),
                         "its PTX may not be compiled (CUDA_DISABLE_PTX_JIT or CUDA_DISABLE_JIT is set)"));
    assert_int_equal(NUMBER(p, by_ptx), 0);
    assert_int_equal(unsetenv("CUDA_DISABLE_PTX_JIT"), 0);
    close_last(p);
}

/* All first uses at once: every candidate with an image of an 8.0 is tried, and counted. */
static void test_warm(void **state)
{
    (void)state;
    uint32_t demoted = 99;
    steer("");
    rung_platform *p = open_gpu(GPU_80);
    assert_int_equal(rung_warm(p, &demoted, NULL), RUNG_OK);
    assert_int_equal(demoted, 0);
    int loaded = calls("cuLibraryLoadData");
    int fetched = calls("cuKernelGetFunction");
    assert_int_equal(loaded, 4);  /* sm80 sm75 ptx generic */
    assert_int_equal(fetched, 7); /* which some axpy, total 2, by_ptx, by_generic */
    assert_int_equal(NUMBER(p, which), 80);
    assert_int_equal(NUMBER(p, by_ptx), 1);
    assert_int_equal(calls("cuLibraryLoadData"), loaded);
    assert_int_equal(calls("cuKernelGetFunction"), fetched);
    close_last(p);

    steer("cuKernelGetFunction=209;");
    p = open_gpu(GPU_80);
    assert_int_equal(rung_warm(p, &demoted, NULL), RUNG_OK);
    assert_int_equal(demoted, 12); /* which 4, some 3, axpy 2, total 1, by_ptx 1, by_generic 1 */
    steer("");
    assert_int_equal(NUMBER(p, which), 0);
    assert_int_equal(rung_warm(p, &demoted, NULL), RUNG_OK);
    assert_int_equal(demoted, 0);
    close_last(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_second_entry), cmocka_unit_test(test_image), cmocka_unit_test(test_entry),
        cmocka_unit_test(test_no_compiling), cmocka_unit_test(test_warm),
    };
    return cmocka_run_group_tests(tests, machine_begin, machine_end);
}
