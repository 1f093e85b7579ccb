/* SPDX-License-Identifier: Apache-2.0
 *
 * test_context.c: contexts, processes, steering and the way to the entry points.
 */
#include <pthread.h>
#include <sys/wait.h>

#include "imitated_cuda.h"

static void test_current(void **state)
{
    (void)state;
    void *a = context_of(0), *b = context_of(1), *got = NULL;
    int device = -1;
    assert_ok(cu.cuCtxGetCurrent(&got));
    assert_null(got);
    assert_breaks(201, "no context is current", cu.cuCtxSynchronize());
    assert_breaks(201, "no context is current", cu.cuCtxPopCurrent_v2(&got));
    assert_ok(cu.cuCtxPushCurrent_v2(a));
    assert_ok(cu.cuCtxPushCurrent_v2(b));
    assert_ok(cu.cuCtxGetDevice(&device));
    assert_int_equal(device, 1);
    assert_ok(cu.cuCtxPopCurrent_v2(&got));
    assert_ptr_equal(got, b);
    assert_ok(cu.cuCtxGetDevice(&device));
    assert_int_equal(device, 0);
    assert_ok(cu.cuCtxSetCurrent(b));
    assert_ok(cu.cuCtxGetCurrent(&got));
    assert_ptr_equal(got, b);
    assert_ok(cu.cuCtxSetCurrent(NULL));
    assert_breaks(201, "is no context", cu.cuCtxPushCurrent_v2(&device));
    assert_ok(cu.cuDevicePrimaryCtxRelease_v2(0));
    assert_ok(cu.cuDevicePrimaryCtxRelease_v2(1));
    assert_breaks(709, "was destroyed", cu.cuCtxPushCurrent_v2(a));
    assert_breaks(201, "is not retained", cu.cuDevicePrimaryCtxRelease_v2(0));
}

static void *ask(void *context)
{
    void *got = context;
    assert_ok(cu.cuCtxGetCurrent(&got));
    return got;
}

static void test_current_is_of_a_thread(void **state)
{
    (void)state;
    pthread_t other;
    int mark = 0;
    void *got = &mark;
    assert_ok(pthread_create(&other, NULL, ask, &mark));
    assert_ok(pthread_join(other, &got));
    assert_null(got);
}

static void test_retained_twice(void **state)
{
    (void)state;
    unsigned flags = 9;
    int active = -1;
    assert_ok(cu.cuDevicePrimaryCtxGetState(0, &flags, &active));
    assert_int_equal(active, 0);
    void *a = context_of(0);
    assert_ptr_equal(context_of(0), a);
    assert_int_equal(live("contexts"), 2);
    assert_ok(cu.cuDevicePrimaryCtxRelease_v2(0));
    assert_ok(cu.cuDevicePrimaryCtxGetState(0, &flags, &active));
    assert_int_equal(active, 1);
    assert_ok(cu.cuDevicePrimaryCtxRelease_v2(0));
    assert_ok(cu.cuDevicePrimaryCtxGetState(0, &flags, &active));
    assert_int_equal(active, 0);
}

/* What is left of a context is of no use in the next one, and is counted. */
static void test_left_behind(void **state)
{
    (void)state;
    void *s = stream(0), *e = event(0);
    const uintptr_t at = alloc(100);
    assert_ok(cu.cuDevicePrimaryCtxRelease_v2(0));
    assert_breaks(709, "the current context was destroyed", cu.cuCtxSynchronize());
    (void)context_of(0);
    assert_ok(cu.cuCtxSynchronize());
    assert_breaks(709, "of a context that was destroyed", cu.cuStreamSynchronize(s));
    assert_breaks(709, "of a context that was destroyed", cu.cuEventDestroy_v2(e));
    assert_breaks(1, "no allocation", cu.cuMemFree_v2(at));
    assert_int_equal(live("streams"), 1);
    assert_int_equal(live("events"), 1);
    assert_int_equal(live("memory"), 1);
    reload("device=A100|8.0|67108864"); /* for what follows every test */
}

static void test_forked(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        int count;
        _exit(cu.cuInit(0) == 3 && cu.cuDeviceGetCount(&count) == 3 && violations() == 0 &&
                      cu.cuCtxSynchronize() == 3 && violations() == 1
                  ? 0
                  : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* ---- entry points ------------------------------------------------------------------------------------------------ */

static void test_way_to_the_entry_points(void **state)
{
    (void)state;
    void *found = NULL, *wanted;
    int status = -1;
    assert_ok(cu.cuGetProcAddress_v2("cuMemAlloc", &found, 3020, 1, &status));
    memcpy(&wanted, &cu.cuMemAlloc_v2, sizeof wanted);
    assert_ptr_equal(found, wanted);
    assert_int_equal(status, 0);
    assert_ok(cu.cuGetProcAddress_v2("cuEventElapsedTime", &found, 2000, 1, NULL));
    memcpy(&wanted, &cu.cuEventElapsedTime, sizeof wanted);
    assert_ptr_equal(found, wanted);
    assert_ok(cu.cuGetProcAddress_v2("cuEventElapsedTime", &found, 12080, 1, NULL));
    memcpy(&wanted, &cu.cuEventElapsedTime_v2, sizeof wanted);
    assert_ptr_equal(found, wanted);
    /* not the version of a form: the newest that is not newer, and said so */
    assert_breaks(0, "no form of version 12000", cu.cuGetProcAddress_v2("cuMemAlloc", &found, 12000, 1, &status));
    assert_non_null(found);
    assert_breaks(0, "no form of version 3000", cu.cuGetProcAddress_v2("cuMemAlloc", &found, 3000, 1, &status));
    assert_null(found);
    assert_int_equal(status, 2);
    assert_breaks(0, "no entry point", cu.cuGetProcAddress_v2("cuMemAlloc_v2", &found, 3020, 1, &status));
    assert_null(found);
    assert_int_equal(status, 1);
    steer("driver=11040");
    assert_int_equal(cu.cuGetProcAddress_v2("cuLibraryLoadData", &found, 12000, 1, &status), 1);
}

static void test_names_of_errors(void **state)
{
    (void)state;
    const char *name = NULL;
    assert_ok(cu.cuGetErrorName(700, &name));
    assert_string_equal(name, "CUDA_ERROR_ILLEGAL_ADDRESS");
    assert_ok(cu.cuGetErrorString(2, &name));
    assert_string_equal(name, "out of memory");
    assert_int_equal(cu.cuGetErrorName(12345, &name), 1);
}

/* ---- steering ---------------------------------------------------------------------------------------------------- */

static void test_steered(void **state)
{
    (void)state;
    uintptr_t at = 0, again = 0;
    const int before = calls("cuMemAlloc_v2");
    steer("cuMemAlloc=2");
    assert_int_equal(cu.cuMemAlloc_v2(&at, 16), 2);
    steer("cuMemAlloc_v2#3=999;cuMemFree_v2#1=999");
    assert_ok(cu.cuMemAlloc_v2(&at, 16));
    assert_int_equal(cu.cuMemAlloc_v2(&again, 16), 999);
    assert_ok(cu.cuMemAlloc_v2(&again, 16));
    assert_int_equal(calls("cuMemAlloc_v2"), before + 4);
    assert_int_equal(cu.cuMemFree_v2(at), 999);
    assert_int_equal(live("memory"), 2);
    assert_ok(cu.cuMemFree_v2(at));
    assert_ok(cu.cuMemFree_v2(again));
}

static void test_sticky_errors(void **state)
{
    (void)state;
    const uintptr_t at = alloc(16);
    void *s = stream(0);
    uintptr_t more;
    steer("cuStreamSynchronize=700");
    assert_int_equal(cu.cuStreamSynchronize(s), 700);
    steer("");
    assert_int_equal(cu.cuMemAlloc_v2(&more, 16), 700);
    assert_int_equal(cu.cuCtxSynchronize(), 700);
    /* what is given back is given back, and the error told */
    assert_int_equal(cu.cuMemFree_v2(at), 700);
    assert_int_equal(cu.cuStreamDestroy_v2(s), 700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_current, load, unload),
        cmocka_unit_test_setup_teardown(test_current_is_of_a_thread, load_current, unload),
        cmocka_unit_test_setup_teardown(test_retained_twice, load, unload),
        cmocka_unit_test_setup_teardown(test_left_behind, load_current, unload),
        cmocka_unit_test_setup_teardown(test_forked, load_current, unload),
        cmocka_unit_test_setup_teardown(test_way_to_the_entry_points, load, unload),
        cmocka_unit_test_setup_teardown(test_names_of_errors, load, unload),
        cmocka_unit_test_setup_teardown(test_steered, load_current, unload),
        cmocka_unit_test_setup_teardown(test_sticky_errors, load_current, unload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
