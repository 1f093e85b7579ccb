/* SPDX-License-Identifier: Apache-2.0
 *
 * test_memory.c: allocations, what may touch them, and copies.
 */
#include <stdbool.h>
#include <unistd.h>

#include "imitated_cuda.h"

/* Whether the host may read an address. */
static bool is_readable(uintptr_t at)
{
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    const bool readable = write(pipes[1], (const void *)at, 1) == 1;
    (void)close(pipes[0]);
    (void)close(pipes[1]);
    return readable;
}

static void test_host_may_not_touch_it(void **state)
{
    (void)state;
    const uintptr_t at = alloc(10000);
    uintptr_t managed = 0;
    void *pinned = NULL;
    assert_false(is_readable(at));
    char x[4] = "abc", y[4] = "";
    assert_ok(cu.cuMemcpyHtoD_v2(at, x, 4));
    assert_false(is_readable(at));
    assert_ok(cu.cuMemcpyDtoH_v2(y, at, 4));
    assert_string_equal(y, "abc");
    assert_ok(cu.cuMemAllocManaged(&managed, 100, 1));
    assert_true(is_readable(managed));
    assert_ok(cu.cuMemHostAlloc(&pinned, 100, 0));
    assert_true(is_readable((uintptr_t)pinned));
    assert_ok(cu.cuMemFree_v2(managed));
    assert_ok(cu.cuMemFree_v2(at));
    assert_ok(cu.cuMemFreeHost(pinned));
    assert_false(is_readable((uintptr_t)pinned));
}

static void test_fresh_memory_is_no_number(void **state)
{
    (void)state;
    const uintptr_t at = alloc(8);
    double x = 0;
    assert_ok(cu.cuMemcpyDtoH_v2(&x, at, 8));
    assert_true(x != x);
    assert_ok(cu.cuMemFree_v2(at));
}

static void test_amount(void **state)
{
    (void)state;
    size_t free_bytes = 0, total = 0;
    uintptr_t at = 0;
    const uintptr_t most = alloc(60U << 20);
    assert_ok(cu.cuMemGetInfo_v2(&free_bytes, &total));
    assert_int_equal(total, 64 << 20);
    assert_int_equal(free_bytes, 4 << 20);
    assert_int_equal(cu.cuMemAlloc_v2(&at, (4U << 20) + 1), 2);
    assert_int_equal(cu.cuMemAlloc_v2(&at, SIZE_MAX), 2);
    assert_int_equal(live("memory"), 1);
    assert_int_equal(live("kilobytes"), 60 << 10);
    assert_ok(cu.cuMemFree_v2(most));
    const uintptr_t all = alloc(64U << 20);
    assert_ok(cu.cuMemFree_v2(all));
    assert_breaks(1, "0 bytes", cu.cuMemAlloc_v2(&at, 0));
}

static void test_bounds(void **state)
{
    (void)state;
    const uintptr_t at = alloc(100), other = alloc(100);
    char host[200] = "";
    void *pinned = NULL;
    assert_ok(cu.cuMemHostAlloc(&pinned, 50, 0));
    assert_ok(cu.cuMemcpyHtoD_v2(at + 10, host, 90));
    assert_breaks(1, "90 bytes left, not 91", cu.cuMemcpyHtoD_v2(at + 10, host, 91));
    assert_breaks(1, "no memory of a device", cu.cuMemcpyHtoD_v2((uintptr_t)host, host, 1));
    assert_breaks(1, "no memory of a device", cu.cuMemcpyHtoD_v2(at + 100, host, 1));
    assert_breaks(1, "is memory of a device", cu.cuMemcpyHtoD_v2(at, (void *)other, 1));
    assert_breaks(1, "50 pinned bytes left", cu.cuMemcpyDtoH_v2(pinned, at, 51));
    assert_breaks(1, "100 bytes left", cu.cuMemcpyDtoD_v2(at, other, 101));
    assert_breaks(1, "100 bytes left", cu.cuMemsetD8_v2(at, 0, 101));
    assert_ok(cu.cuMemcpyHtoD_v2(0, host, 0));
    assert_ok(cu.cuMemFree_v2(other));
    assert_breaks(1, "freed memory", cu.cuMemcpyDtoH_v2(host, other, 1));
    assert_breaks(1, "freed already", cu.cuMemFree_v2(other));
    assert_breaks(1, "no allocation", cu.cuMemFree_v2(at + 1));
    assert_breaks(1, "no pinned allocation", cu.cuMemFreeHost(host));
    assert_ok(cu.cuMemFree_v2(0));
    assert_ok(cu.cuMemFree_v2(at));
    assert_ok(cu.cuMemFreeHost(pinned));
}

static void test_memory_is_of_a_context(void **state)
{
    (void)state;
    char host[8] = "";
    const uintptr_t at = alloc(8);
    assert_ok(cu.cuCtxPushCurrent_v2(context_of(1)));
    assert_breaks(1, "another context", cu.cuMemcpyHtoD_v2(at, host, 8));
    assert_breaks(201, "another context", cu.cuMemFree_v2(at));
    assert_ok(cu.cuCtxPopCurrent_v2(NULL));
    assert_ok(cu.cuDevicePrimaryCtxRelease_v2(1));
    assert_ok(cu.cuMemFree_v2(at));
}

static void test_registered(void **state)
{
    (void)state;
    char host[64];
    assert_ok(cu.cuMemHostRegister_v2(host, 32, 0));
    assert_breaks(712, "pinned already", cu.cuMemHostRegister_v2(host + 16, 32, 0));
    assert_breaks(713, "not registered", cu.cuMemHostUnregister(host + 16));
    assert_ok(cu.cuMemHostUnregister(host));
    assert_breaks(713, "not registered", cu.cuMemHostUnregister(host));
}

static void test_what_an_address_is(void **state)
{
    (void)state;
    enum { TYPE = 2, MANAGED = 8, ORDINAL = 9 };
    char host = 0;
    const uintptr_t at = alloc(100);
    uintptr_t managed = 0;
    void *pinned = NULL;
    assert_ok(cu.cuMemAllocManaged(&managed, 100, 1));
    assert_ok(cu.cuMemHostAlloc(&pinned, 100, 0));
    const struct {
        uintptr_t at;
        unsigned type, managed;
        int ordinal;
    } expected[] = {{at + 99, 2, 0, 0}, {managed, 2, 1, 0}, {(uintptr_t)pinned, 1, 0, 0}, {(uintptr_t)&host, 0, 0, -2}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        unsigned type = 9, is_managed = 9;
        int ordinal = 9, attributes[] = {TYPE, MANAGED, ORDINAL};
        void *values[] = {&type, &is_managed, &ordinal};
        assert_ok(cu.cuPointerGetAttributes(3, attributes, values, expected[i].at));
        assert_int_equal(type, expected[i].type);
        assert_int_equal(is_managed, expected[i].managed);
        assert_int_equal(ordinal, expected[i].ordinal);
        assert_int_equal(cu.cuPointerGetAttribute(&type, TYPE, expected[i].at), expected[i].type == 0 ? 1 : 0);
    }
    assert_ok(cu.cuMemFree_v2(at));
    assert_ok(cu.cuMemFree_v2(managed));
    assert_ok(cu.cuMemFreeHost(pinned));
}

/* ---- when copies happen ------------------------------------------------------------------------------------------ */

static void test_plain_memory_is_read_at_once(void **state)
{
    (void)state;
    void *s = stream(1);
    const uintptr_t at = alloc(4);
    int x = 1, y = 0;
    assert_ok(cu.cuMemcpyHtoDAsync_v2(at, &x, 4, s));
    x = 2;
    assert_ok(cu.cuMemcpyDtoHAsync_v2(&y, at, 4, s)); /* to plain memory: has run */
    assert_int_equal(y, 1);
    steer("pageable=1");
    assert_ok(cu.cuMemcpyHtoDAsync_v2(at, &x, 4, s));
    x = 3;
    assert_ok(cu.cuMemcpyDtoHAsync_v2(&y, at, 4, s));
    assert_int_equal(y, 1);
    assert_ok(cu.cuStreamSynchronize(s));
    assert_int_equal(y, 3);
    assert_ok(cu.cuMemFree_v2(at));
    assert_ok(cu.cuStreamDestroy_v2(s));
}

static void test_pinned_memory_is_read_later(void **state)
{
    (void)state;
    void *s = stream(1), *memory = NULL;
    const uintptr_t at = alloc(4);
    assert_ok(cu.cuMemHostAlloc(&memory, 8, 0));
    int *pinned = memory;
    pinned[0] = 1;
    pinned[1] = 0;
    assert_ok(cu.cuMemcpyHtoDAsync_v2(at, &pinned[0], 4, s));
    assert_ok(cu.cuMemcpyDtoHAsync_v2(&pinned[1], at, 4, s));
    pinned[0] = 2; /* too early */
    assert_int_equal(pinned[1], 0);
    assert_int_equal(live("work"), 2);
    assert_ok(cu.cuStreamSynchronize(s));
    assert_int_equal(pinned[1], 2);
    assert_ok(cu.cuMemsetD8Async(at, 7, 4, s));
    assert_ok(cu.cuMemcpyDtoDAsync_v2(at, at, 4, s));
    assert_ok(cu.cuMemFreeHost(memory)); /* waits */
    assert_int_equal(live("work"), 0);
    assert_ok(cu.cuMemFree_v2(at));
    assert_ok(cu.cuStreamDestroy_v2(s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_host_may_not_touch_it, load_current, unload),
        cmocka_unit_test_setup_teardown(test_fresh_memory_is_no_number, load_current, unload),
        cmocka_unit_test_setup_teardown(test_amount, load_current, unload),
        cmocka_unit_test_setup_teardown(test_bounds, load_current, unload),
        cmocka_unit_test_setup_teardown(test_memory_is_of_a_context, load_current, unload),
        cmocka_unit_test_setup_teardown(test_registered, load_current, unload),
        cmocka_unit_test_setup_teardown(test_what_an_address_is, load_current, unload),
        cmocka_unit_test_setup_teardown(test_plain_memory_is_read_at_once, load_current, unload),
        cmocka_unit_test_setup_teardown(test_pinned_memory_is_read_later, load_current, unload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
