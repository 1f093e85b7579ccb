/* SPDX-License-Identifier: Apache-2.0
 *
 * The library works before main, after it, and leaves the program around it as it was.
 */
#include "fixture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int32_t call_number(const char *chain)
{
    rung_platform *p;
    int32_t number = 0;
    if (rung_platform_open(&fx_registry, chain, RUNG_OPEN_NO_ENV, &p, NULL) != RUNG_OK)
        return -1;
    rung_ctx cx = rung_ctx_of(p);
    if (fx_which(&cx, &number) != RUNG_OK)
        number = -2;
    rung_platform_close(p);
    return number;
}

static int32_t before_main;

/* Earlier than constructors without a number. */
__attribute__((constructor(101))) static void early(void)
{
    before_main = call_number("accel/sm90");
}

static void before_main_it_works(void **state)
{
    (void)state;
    assert_int_equal(before_main, 11);
}

static void at_exit(void)
{
    if (call_number("accel/sm80") != 10)
        _exit(3);
}

__attribute__((destructor(101))) static void late(void)
{
    if (call_number("accel/generic") != 9)
        _exit(4);
}

static void a_forked_child_uses_the_parent_s_platform(void **state)
{
    (void)state;
    rung_platform *p;
    assert_int_equal(rung_platform_open(&fx_registry, "accel/sm90", 0, &p, NULL), RUNG_OK);
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        rung_ctx cx = rung_ctx_of(p);
        int32_t number = 0;
        _exit(fx_which(&cx, &number) == RUNG_OK && number == 11 && call_number("cpu") > 0 ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    rung_platform_close(p);
}

static void errno_and_the_environment_stay(void **state)
{
    (void)state;
    extern char **environ;
    size_t count = 0;
    for (char **variable = environ; *variable != NULL; variable++)
        count++;
    errno = 4711;
    assert_true(call_number(NULL) > 0);
    assert_int_equal(errno, 4711);
    size_t after = 0;
    for (char **variable = environ; *variable != NULL; variable++)
        after++;
    assert_int_equal(after, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_main_it_works),
        cmocka_unit_test(a_forked_child_uses_the_parent_s_platform),
        cmocka_unit_test(errno_and_the_environment_stay),
    };
    if (atexit(at_exit) != 0)
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
