/* SPDX-License-Identifier: Apache-2.0
 *
 * Images of a toolkit that is newer than some drivers of its own major version: here the tables say CUDA 13.2, and the
 * imitated driver takes the PTX to be of that, too.
 */
#include "calls.h"

#define PTX "ptx=13020;"

/* What has machine code runs; what would have to be compiled is passed over, which is known before anything is loaded.
 */
static void test_older(void **state)
{
    (void)state;
    steer(PTX "driver=13000;");
    static const char why[] = "PTX too new: its PTX is of CUDA 13.2, this driver compiles it up to 13.0";
    rung_platform *p = open_gpu(GPU_75);
    assert_string_equal(why_not(p, "which", "ptx"), why);
    assert_string_equal(why_not(p, "some", "ptx"), why);
    assert_string_equal(why_not(p, "which", "sm75"), "available");
    assert_int_equal(calls("cuLibraryLoadData"), 0);
    assert_int_equal(NUMBER(p, which), 75);
    assert_int_equal(NUMBER(p, some), 2); /* generic has machine code for it */
    assert_int_equal(NUMBER(p, by_ptx), 0);
    assert_int_equal(alive("compiled"), 0);
    close_last(p);

    p = open_gpu(GPU_90);
    assert_string_equal(why_not(p, "some", "sm80"), why);
    assert_int_equal(NUMBER(p, which), 901);
    assert_int_equal(NUMBER(p, some), 2);
    close_last(p);

    rung_error err; /* nothing has machine code for this one */
    assert_int_equal(try_open("cuda:11", 0, &p, &err), RUNG_ERR_UNAVAILABLE);
    assert_true(has_text(err.text, "driver too old: the kernels need cuda 13.2, this driver is for 13.0"));
    assert_int_equal(try_open("cuda:11", RUNG_OPEN_INSPECT, &p, &err), RUNG_OK);
    assert_true(has_text(why_not(p, "which", "sm120"), "driver too old"));
    assert_int_equal(NUMBER(p, which), 0);
    assert_int_equal(alive("compiled"), 0);
    close_last(p);
}

static void test_new_enough(void **state)
{
    (void)state;
    static const char *const drivers[] = {PTX "driver=13020;", PTX "driver=14000;"};
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
        steer(drivers[i]);
        rung_platform *p = open_gpu(GPU_130);
        assert_int_equal(NUMBER(p, which), 120);
        assert_int_equal(NUMBER(p, by_ptx), 1);
        close_last(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_older), cmocka_unit_test(test_new_enough)};
    return cmocka_run_group_tests(tests, machine_begin, machine_end);
}
