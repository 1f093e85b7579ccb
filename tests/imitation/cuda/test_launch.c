/* SPDX-License-Identifier: Apache-2.0
 *
 * test_launch.c: launches, and kernels that do what they may not.
 */
#include "imitated_cuda.h"

static void *library, *f_scale, *f_write, *f_diverge, *f_reverse, *f_dynamic;

static int load_functions(void **state)
{
    (void)load_current(state);
    library = loaded(&image_generic);
    f_scale = function(library, WORDS("scale"));
    f_write = function(library, WORDS("write"));
    f_diverge = function(library, WORDS("diverge"));
    f_reverse = function(library, WORDS("reverse"));
    f_dynamic = function(library, WORDS("dynamic"));
    return 0;
}

static int unload_functions(void **state)
{
    assert_ok(cu.cuLibraryUnload(library));
    return unload(state);
}

static void test_parameters_are_copied(void **state)
{
    (void)state;
    const uintptr_t x = alloc(4), y = alloc(4);
    float host = 3.0F, a = 2.0F;
    unsigned n = 1;
    uintptr_t at_y = y, at_x = x;
    assert_ok(cu.cuMemcpyHtoD_v2(x, &host, 4));
    assert_ok(cu.cuLaunchKernel(f_scale, 1, 1, 1, 32, 1, 1, 0, NULL, (void *[]){&at_y, &at_x, &n, &a}, NULL));
    a = 100.0F;
    n = 0;
    at_y = at_x = 0;
    assert_ok(cu.cuMemcpyDtoH_v2(&host, y, 4));
    assert_true(host == 6.0F);
    assert_ok(cu.cuMemFree_v2(x));
    assert_ok(cu.cuMemFree_v2(y));
}

static int launch(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                  unsigned shared)
{
    uintptr_t at = 0;
    unsigned n = 0;
    float a = 0;
    return cu.cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, NULL, (void *[]){&at, &at, &n, &a}, NULL);
}

static void test_limits(void **state)
{
    (void)state;
    assert_ok(launch(f_scale, 1, 1, 1, 1024, 1, 1, 48 << 10));
    assert_ok(cu.cuCtxSynchronize());
    assert_breaks(1, "grid", launch(f_scale, 0, 1, 1, 32, 1, 1, 0));
    assert_breaks(1, "grid", launch(f_scale, 0x80000000U, 1, 1, 32, 1, 1, 0));
    assert_breaks(1, "grid", launch(f_scale, 1, 65536, 1, 32, 1, 1, 0));
    assert_breaks(1, "grid", launch(f_scale, 1, 1, 65536, 32, 1, 1, 0));
    assert_breaks(1, "block", launch(f_scale, 1, 1, 1, 1025, 1, 1, 0));
    assert_breaks(1, "block", launch(f_scale, 1, 1, 1, 32, 33, 1, 0));
    assert_breaks(1, "block", launch(f_scale, 1, 1, 1, 1, 1, 65, 0));
    assert_breaks(1, "block", launch(f_scale, 1, 1, 1, 0, 1, 1, 0));
    assert_breaks(1, "49153 bytes of shared memory", launch(f_scale, 1, 1, 1, 32, 1, 1, (48 << 10) + 1));
    assert_breaks(1, "attribute 8", cu.cuFuncSetAttribute(f_scale, 8, (163 << 10) + 1));
    assert_ok(cu.cuFuncSetAttribute(f_scale, 8, 16));
    assert_breaks(1, "16 are allowed", launch(f_scale, 1, 1, 1, 32, 1, 1, 17));
    assert_breaks(1, "parameter 0 of 4 is missing", cu.cuLaunchKernel(f_scale, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    assert_breaks(400, "no function", launch(library, 1, 1, 1, 32, 1, 1, 0));
    assert_ok(cu.cuCtxPushCurrent_v2(context_of(1)));
    assert_breaks(201, "another context", launch(f_scale, 1, 1, 1, 32, 1, 1, 0));
    assert_ok(cu.cuCtxPopCurrent_v2(NULL));
    assert_ok(cu.cuDevicePrimaryCtxRelease_v2(1));
}

/* What a kernel does wrong ends the use of the context, when it has run. */
static void ends_with(int code, const char *text, int launched)
{
    const int before = violations();
    void *s = NULL;
    assert_int_equal(launched, 0);
    assert_int_equal(cu.cuCtxSynchronize(), code);
    if (text != NULL) {
        assert_int_equal(violations(), before + 1);
        broken++;
        if (strstr(violation(), text) == NULL)
            fail_msg("`%s` is not in `%s`", text, violation());
    }
    assert_int_equal(cu.cuStreamCreate(&s, 0), code);
}

static int write_at(uintptr_t at, unsigned threads)
{
    return cu.cuLaunchKernel(f_write, 1, 1, 1, 64, 1, 1, 0, NULL, (void *[]){&at, &threads}, NULL);
}

static void test_writes_behind_its_memory(void **state)
{
    (void)state;
    const uintptr_t at = alloc(10 * sizeof(int)); /* 216 bytes are watched, then nothing may be touched */
    assert_ok(write_at(at, 10));
    assert_ok(cu.cuCtxSynchronize());
    ends_with(700, "wrote beside the 40 bytes", write_at(at, 11));
    assert_int_equal(cu.cuMemFree_v2(at), 700);
}

static void test_writes_far_behind(void **state)
{
    (void)state;
    const uintptr_t at = alloc(64 * sizeof(int));
    ends_with(700, "thread (0, 0, 0) touched", write_at(at + 64 * sizeof(int), 64));
    assert_int_equal(cu.cuMemFree_v2(at), 700);
}

static void test_memory_of_another_device(void **state)
{
    (void)state;
    void *other = context_of(1);
    assert_ok(cu.cuCtxPushCurrent_v2(other));
    const uintptr_t at = alloc(256);
    assert_ok(cu.cuCtxPopCurrent_v2(NULL));
    ends_with(700, "touched", write_at(at, 64));
    assert_ok(cu.cuCtxPushCurrent_v2(other)); /* which has come to no harm */
    assert_ok(cu.cuMemFree_v2(at));
    assert_ok(cu.cuCtxPopCurrent_v2(NULL));
    assert_ok(cu.cuDevicePrimaryCtxRelease_v2(1));
}

static void test_host_memory(void **state)
{
    (void)state;
    int here[64] = {0};
    ends_with(700, "that no device can reach", write_at((uintptr_t)here, 64));
    assert_int_equal(here[0], 0);
}

static void test_diverges(void **state)
{
    (void)state;
    const uintptr_t at = alloc(64 * sizeof(int));
    uintptr_t out = at;
    int how = 0;
    ends_with(719, "threads wait at the barrier",
              cu.cuLaunchKernel(f_diverge, 1, 1, 1, 64, 1, 1, 0, NULL, (void *[]){&out, &how}, NULL));
    assert_int_equal(cu.cuMemFree_v2(at), 719);
}

static void test_steered(void **state)
{
    (void)state;
    const uintptr_t at = alloc(256);
    steer("kernel:" WORDS("write") "=716");
    ends_with(716, NULL, write_at(at, 1));
    assert_int_equal(cu.cuMemFree_v2(at), 716);
}

static void test_unloaded_too_early(void **state)
{
    (void)state;
    const uintptr_t at = alloc(256);
    void *mine = loaded(&image_sm80), *f = function(mine, WORDS("write")), *s = stream(1);
    uintptr_t to = at;
    unsigned threads = 1;
    assert_ok(cu.cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, (void *[]){&to, &threads}, NULL));
    assert_breaks(1, "has not run", cu.cuLibraryUnload(mine));
    assert_ok(cu.cuStreamDestroy_v2(s));
    assert_ok(cu.cuMemFree_v2(at));
}

/* A kernel without its barrier gives something wrong in every order. */
static void test_order(void **state)
{
    (void)state;
    static const char *const orders[] = {"forward", "backward", "17", ""};
    const uintptr_t x = alloc(256 * sizeof(float)), y = alloc(256 * sizeof(float));
    float in[256], got[256];
    for (int i = 0; i < 256; i++)
        in[i] = (float)i;
    assert_ok(cu.cuMemcpyHtoD_v2(x, in, sizeof in));
    for (int i = 0; i < 4; i++)
        for (int wait = 0; wait < 2; wait++) {
            uintptr_t out = y, from = x;
            assert_ok(setenv("RUNG_FAKE_CUDA_SEED", orders[i], 1));
            assert_ok(cu.cuLaunchKernel(f_reverse, 1, 1, 1, 256, 1, 1, 0, NULL, (void *[]){&out, &from, &wait}, NULL));
            assert_ok(cu.cuMemcpyDtoH_v2(got, y, sizeof got));
            int right = 0;
            for (int k = 0; k < 256; k++)
                right += got[k] == in[255 - k];
            if (wait)
                assert_int_equal(right, 256);
            else
                assert_in_range(right, 1, 255);
        }
    assert_ok(unsetenv("RUNG_FAKE_CUDA_SEED"));
    assert_ok(cu.cuMemFree_v2(x));
    assert_ok(cu.cuMemFree_v2(y));
}

static void test_shared_memory(void **state)
{
    (void)state;
    const uintptr_t x = alloc(32 * sizeof(float)), y = alloc(32 * sizeof(float));
    uintptr_t out = y, from = x;
    unsigned past = 0;
    void *parameters[] = {&out, &from, &past};
    assert_ok(cu.cuMemsetD8_v2(x, 0, 32 * sizeof(float)));
    assert_ok(cu.cuLaunchKernel(f_dynamic, 1, 1, 1, 32, 1, 1, 128, NULL, parameters, NULL));
    assert_ok(cu.cuCtxSynchronize());
    ends_with(700, "behind its 120 bytes of shared memory",
              cu.cuLaunchKernel(f_dynamic, 1, 1, 1, 32, 1, 1, 120, NULL, parameters, NULL));
    assert_int_equal(cu.cuMemFree_v2(x), 700);
    assert_int_equal(cu.cuMemFree_v2(y), 700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_parameters_are_copied, load_functions, unload_functions),
        cmocka_unit_test_setup_teardown(test_limits, load_functions, unload_functions),
        cmocka_unit_test_setup_teardown(test_writes_behind_its_memory, load_functions, unload_functions),
        cmocka_unit_test_setup_teardown(test_writes_far_behind, load_functions, unload_functions),
        cmocka_unit_test_setup_teardown(test_memory_of_another_device, load_functions, unload_functions),
        cmocka_unit_test_setup_teardown(test_host_memory, load_functions, unload_functions),
        cmocka_unit_test_setup_teardown(test_diverges, load_functions, unload_functions),
        cmocka_unit_test_setup_teardown(test_steered, load_functions, unload_functions),
        cmocka_unit_test_setup_teardown(test_unloaded_too_early, load_functions, unload_functions),
        cmocka_unit_test_setup_teardown(test_order, load_functions, unload_functions),
        cmocka_unit_test_setup_teardown(test_shared_memory, load_functions, unload_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
