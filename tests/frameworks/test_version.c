/* SPDX-License-Identifier: Apache-2.0
 *
 * test_version.c: PEP 440 against the vectors of pep440.txt, and what is no version.
 */
#include <stdio.h>
#include <string.h>

#include "pythons.h"

enum { ROWS = 128, TEXT = 16384 };

typedef struct vectors {
    char text[TEXT];
    const char *version[4 * ROWS];
    unsigned row[4 * ROWS];
    unsigned count, rows;
} vectors;

static void read_vectors(vectors *v)
{
    FILE *f = fopen(PEP440_VECTORS, "rb");
    assert_non_null(f);
    size_t len = fread(v->text, 1, sizeof v->text - 1, f);
    assert_int_equal(fclose(f), 0);
    assert_true(len < sizeof v->text - 1);
    v->text[len] = '\0';
    v->count = v->rows = 0;
    char *next_line = NULL;
    for (char *line = v->text; line != NULL && *line != '\0'; line = next_line) {
        next_line = strchr(line, '\n');
        if (next_line != NULL)
            *next_line++ = '\0';
        if (line[0] == '#')
            continue;
        for (char *at = line; *at != '\0';) {
            char *end = at + strcspn(at, " ");
            char *next = end + (*end == ' ' ? 1 : 0);
            *end = '\0';
            assert_true(v->count < sizeof v->version / sizeof *v->version);
            v->version[v->count] = at;
            v->row[v->count++] = v->rows;
            at = next;
        }
        v->rows++;
    }
}

static void versions_are_in_the_order_of_the_specification(void **state)
{
    (void)state;
    static vectors v;
    read_vectors(&v);
    assert_true(v.rows > 60);
    for (unsigned i = 0; i < v.count; i++)
        for (unsigned k = 0; k < v.count; k++) {
            int order = 77;
            int expected = (v.row[i] > v.row[k]) - (v.row[i] < v.row[k]);
            assert_int_equal(rung_version_compare(v.version[i], v.version[k], &order), 1);
            if ((order > 0) - (order < 0) != expected)
                fail_msg("%s and %s: %d, not %d", v.version[i], v.version[k], order, expected);
        }
}

static void blanks_around_a_version_do_not_count(void **state)
{
    (void)state;
    static const char *const same[] = {" 1.0a1", "1.0a1\n", "\t\r\n\v\f 1.0a1 \t", "V1.0A1 "};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        int order = 77;
        assert_int_equal(rung_version_compare(same[i], "1.0a1", &order), 1);
        assert_int_equal(order, 0);
    }
}

static void what_is_no_version_is_refused(void **state)
{
    (void)state;
    static const char *const none[] = {"",
                                       " ",
                                       "v",
                                       "vv1",
                                       "french toast",
                                       "1.",
                                       ".1",
                                       "1..2",
                                       "!1",
                                       "1!",
                                       "1!2!3",
                                       "1.0+",
                                       "1.0+a+",
                                       "1.0++",
                                       "1.0+_foobar",
                                       "1.0+foo&asd",
                                       "1.0+1+1",
                                       "1.0+a..b",
                                       "1.0+a.",
                                       "1.0 a1",
                                       "1 .0",
                                       "1.0-",
                                       "1.0.x",
                                       "1.0dev1a",
                                       "1.0.dev1.post2",
                                       "1.0rc1a1",
                                       "1.0-x",
                                       "-1",
                                       "+1",
                                       "1.0\x80",
                                       "\357\273\2771.0",
                                       "1,0",
                                       "0x10",
                                       "1e5",
                                       "1.0.post1.post2"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        int order = 77;
        if (rung_version_compare(none[i], "1", &order) || rung_version_compare("1", none[i], &order))
            fail_msg("\"%s\" was taken for a version", none[i]);
        assert_int_equal(order, 77);
    }
    int order = 77;
    assert_int_equal(rung_version_compare(NULL, "1", &order), 0);
    assert_int_equal(rung_version_compare("1", NULL, &order), 0);
    assert_int_equal(order, 77);
}

static void numbers_of_any_length_are_compared(void **state)
{
    (void)state;
    static char a[100001], b[100001];
    memset(a, '9', sizeof a - 1);
    memset(b, '9', sizeof b - 1);
    int order = 77;
    assert_int_equal(rung_version_compare(a, b, &order), 1);
    assert_int_equal(order, 0);
    b[sizeof b - 2] = '8';
    assert_int_equal(rung_version_compare(a, b, &order), 1);
    assert_true(order > 0);
    memset(b, '0', 50000);
    assert_int_equal(rung_version_compare(a, b, &order), 1);
    assert_true(order > 0);
}

static rung_framework framework(rung_framework_state state, const char *version)
{
    rung_framework f = {.name = "pytorch", .state = state};
    assert_true(strlen(version) < sizeof f.version);
    memcpy(f.version, version, strlen(version) + 1);
    return f;
}

static void bounds_are_those_of_pep_440(void **state)
{
    (void)state;
    static const struct {
        const char *version, *minimum, *before;
        int within;
    } cases[] = {
        {"2.9.0", NULL, NULL, 1},
        {"2.9.0", "", "", 1},
        {"2.9.0", "2.9", NULL, 1},
        {"2.9.0", "2.9.0.1", NULL, 0},
        {"2.9.0", NULL, "2.9", 0},
        {"2.9.0", "2.9", "2.9.1", 1},
        {"2.10.0", "2.9", "3", 1},
        {"2.9.0+cu130", "2.9.0", "", 1},
        {"2.9.0a0+git1", "2.9", "", 0},
        {"2.9.0rc1", NULL, "2.9.0", 1},
        {"1!1.0", "2024", NULL, 1},
        {"2.9.0", "two", NULL, 0},
        {"2.9.0", NULL, "three", 0},
        {"nonsense", NULL, NULL, 0},
        {"", NULL, NULL, 0},
        {"2.9.0", "2.9.0+cu130", NULL, 0},
        {"2.0.0", "2.0.0rc1", "2.0.0.post1", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rung_framework f = framework(RUNG_FRAMEWORK_INSTALLED, cases[i].version);
        if (rung_framework_within(&f, cases[i].minimum, cases[i].before) != cases[i].within)
            fail_msg("%s: not %d", cases[i].version, cases[i].within);
    }
    for (int s = RUNG_FRAMEWORK_INSTALLED + 1; s < RUNG_FRAMEWORK_STATE_COUNT; s++) {
        rung_framework f = framework((rung_framework_state)s, "2.9.0");
        assert_int_equal(rung_framework_within(&f, NULL, NULL), 0);
    }
    assert_int_equal(rung_framework_within(NULL, NULL, NULL), 0);
}

static void states_have_words(void **state)
{
    (void)state;
    for (int i = 0; i < RUNG_FRAMEWORK_STATE_COUNT; i++)
        for (int k = 0; k < RUNG_FRAMEWORK_STATE_COUNT; k++) {
            assert_string_not_equal(rung_framework_state_text((rung_framework_state)i), "");
            if (i != k)
                assert_string_not_equal(rung_framework_state_name((rung_framework_state)i),
                                        rung_framework_state_name((rung_framework_state)k));
        }
    assert_string_equal(rung_framework_state_name((rung_framework_state)99), "unknown");
    assert_string_equal(rung_framework_state_text((rung_framework_state)-1), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_are_in_the_order_of_the_specification),
        cmocka_unit_test(blanks_around_a_version_do_not_count),
        cmocka_unit_test(what_is_no_version_is_refused),
        cmocka_unit_test(numbers_of_any_length_are_compared),
        cmocka_unit_test(bounds_are_those_of_pep_440),
        cmocka_unit_test(states_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
