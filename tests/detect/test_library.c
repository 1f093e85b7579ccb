/* SPDX-License-Identifier: Apache-2.0
 *
 * test_library.c: why a library was not opened, and with whose rights a node would be.
 */
#include "detect_test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "librung-of-no-machine.so.1"

/* ---- a library that the loader passes over ----------------------------------------------------------------------- */

/* LD_LIBRARY_PATH names the tree's libraries; the loader has read its own when this program was started. */
static rung_device_state open_in(const tree *t, char detail[512])
{
    static char path[600];
    static const char *environment[] = {path, NULL};
    (void)snprintf(path, sizeof path, "LD_LIBRARY_PATH=/nowhere::%s", t->libraries);
    rung_world world = rung_this_world();
    world.environment = environment;
    rung_device_state state = RUNG_STATE_USABLE;
    rung_text text = rung_text_in(detail, 512);
    errno = 77;
    assert_null(rung_world_library(&world, NAME, &state, &text));
    assert_int_equal(errno, 77);
    return state;
}

static void put_byte(const tree *t, long at, int change)
{
    char path[600];
    (void)snprintf(path, sizeof path, "%s/" NAME, t->libraries);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_equal(fputc(byte ^ change, file), byte ^ change);
    assert_int_equal(fclose(file), 0);
}

static void one_that_is_elsewhere(void **state)
{
    (void)state;
    tree *t = tree_new();
    char detail[512];
    char expected[640];
    assert_int_equal(open_in(t, detail), RUNG_STATE_NO_LIBRARY);
    assert_contains(detail, NAME);
    assert_null(strstr(detail, "does not look"));

    tree_library(t, NAME, "libamdhip64.so.6");
    assert_int_equal(open_in(t, detail), RUNG_STATE_NO_LIBRARY);
    (void)snprintf(expected, sizeof expected, NAME " is in %s, where this process's loader does not look",
                   t->libraries);
    assert_string_equal(detail, expected);
    tree_free(t);
}

static void one_that_cannot_be_read(void **state)
{
    (void)state;
    tree *t = tree_new();
    char detail[512];
    char path[600];
    (void)snprintf(path, sizeof path, "%s/" NAME, t->libraries);
    assert_int_equal(mkdir(path, 0755), 0);
    assert_int_equal(open_in(t, detail), RUNG_STATE_NO_LIBRARY);
    assert_contains(detail, ", and cannot be read");
    tree_free(t);
}

static void one_of_another_architecture(void **state)
{
    (void)state;
    /* class, data encoding, and both bytes of the machine */
    static const struct {
        long at;
        int change;
    } table[] = {{4, 3}, {5, 3}, {18, 0x15}, {19, 0x80}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        tree *t = tree_new();
        char detail[512];
        tree_library(t, NAME, "libamdhip64.so.6");
        put_byte(t, table[i].at, table[i].change);
        assert_int_equal(open_in(t, detail), RUNG_STATE_LIBRARY_INVALID);
        assert_string_equal(detail, NAME " is there, for another architecture");
        put_byte(t, table[i].at, table[i].change);
        assert_int_equal(open_in(t, detail), RUNG_STATE_NO_LIBRARY);
        tree_free(t);
    }
}

static void one_that_is_none(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "INPUT(libcuda.so)\n", "\177ELF", "\177ELG-------------------------"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        tree *t = tree_new();
        char detail[512];
        tree_library_text(t, NAME, texts[i]);
        assert_int_equal(open_in(t, detail), RUNG_STATE_LIBRARY_INVALID);
        assert_string_equal(detail, NAME " is there, and is no library");
        tree_free(t);
    }
}

/* ---- a process that has no room ---------------------------------------------------------------------------------- */

static void no_descriptor_is_left(void **state)
{
    (void)state;
    tree *t = tree_new();
    char detail[512];
    tree_library(t, NAME, "libamdhip64.so.6");
    rung_world world = tree_world(t);
    rung_device_state opened = RUNG_STATE_USABLE;
    rung_text text = rung_text_in(detail, sizeof detail);
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    struct rlimit none = {0, limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    const void *library = rung_world_library(&world, NAME, &opened, &text);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_null(library);
    assert_state((rung_device_report){.state = opened}, RUNG_STATE_FAILED);
    assert_contains(detail, NAME);
    assert_contains(detail, strerror(EMFILE));
    assert_int_equal(detail[0], 'l'); /* without the folder */
    tree_free(t);
}

/* ---- rights ------------------------------------------------------------------------------------------------------ */

static int other_user, asked_flags;

/* In the place of the C library's. */
uid_t geteuid(void)
{
    return getuid() + (uid_t)other_user;
}

int faccessat(int folder, const char *path, int mode, int flags)
{
    assert_int_equal(folder, AT_FDCWD);
    assert_string_equal(path, "/dev/null");
    assert_int_equal(mode, R_OK | W_OK);
    asked_flags = flags;
    errno = EACCES;
    return -1;
}

static void of_whom(void **state)
{
    (void)state;
    rung_world world = rung_this_world();
    other_user = 0;
    asked_flags = -1;
    assert_int_equal(rung_world_may_open(&world, "/dev/null"), 0);
    assert_int_equal(asked_flags, -1);
    other_user = 1;
    errno = 77;
    assert_int_equal(rung_world_may_open(&world, "/dev/null"), EACCES);
    assert_int_equal(asked_flags, AT_EACCESS);
    assert_int_equal(errno, 77);
    other_user = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_is_elsewhere),       cmocka_unit_test(one_that_cannot_be_read),
        cmocka_unit_test(one_of_another_architecture), cmocka_unit_test(one_that_is_none),
        cmocka_unit_test(no_descriptor_is_left),       cmocka_unit_test(of_whom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
