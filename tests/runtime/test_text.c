/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime_test.h"

#include <string.h>

#include "error.h"
#include "nearest.h"
#include "text.h"

static void text_is_cut_and_terminated(void **state)
{
    (void)state;
    char at[8];
    memset(at, 'x', sizeof at);
    rung_text t = rung_text_in(at, sizeof at);
    assert_string_equal(at, "");
    rung_text_add(&t, "abc");
    rung_text_uint(&t, 0);
    assert_string_equal(at, "abc0");
    rung_text_uint(&t, UINT64_MAX);
    assert_string_equal(at, "abc0184");
    rung_text_add(&t, "more");
    assert_string_equal(at, "abc0184");
    assert_int_equal(t.len, 7);
}

static void hexadecimal_has_leading_zeros_where_they_are_wanted(void **state)
{
    (void)state;
    char at[64];
    rung_text t = rung_text_in(at, sizeof at);
    rung_text_hex(&t, 0, 0);
    rung_text_hex(&t, 0, 2);
    rung_text_hex(&t, 0xab1, 2);
    rung_text_hex(&t, UINT64_MAX, 1);
    rung_text_hex(&t, 10, 16);
    assert_string_equal(at, "000ab1ffffffffffffffff000000000000000a");
}

static void text_is_cut_at_a_whole_character(void **state)
{
    (void)state;
    static const struct {
        const char *text, *cut;
    } cases[] = {
        {"abcdefg\xc3\xa9", "abcdefg"},
        {"abcdef\xc3\xa9x", "abcdef"},
        {"abcde\xc3\xa9x", "abcde\xc3\xa9"},
        {"abcdef\xe2\x82\xac", "abcdef"},
        {"abcde\xe2\x82\xac", "abcde"},
        {"abcd\xe2\x82\xac", "abcd\xe2\x82\xac"},
        {"abcd\xf0\x9f\x98\x80", "abcd"},
        {"abc\xf0\x9f\x98\x80y", "abc\xf0\x9f\x98\x80"},
        /* what is no UTF-8 is cut anywhere */
        {"abc\x80\x80\x80\x80\x80", "abc\x80\x80\x80\x80"},
        {"\x80\x80\x80\x80\x80\x80\x80\x80", "\x80\x80\x80\x80\x80\x80\x80"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char at[8];
        rung_text t = rung_text_in(at, sizeof at);
        assert_false(rung_text_full(&t));
        rung_text_add(&t, cases[i].text);
        bool cut = strcmp(cases[i].text, cases[i].cut) != 0;
        assert_string_equal(at, cases[i].cut);
        assert_int_equal(rung_text_full(&t), cut || strlen(at) == 7);
        rung_text_add(&t, "z"); /* is not put where a character was left out */
        assert_string_equal(at, cases[i].cut);
    }
}

static void characters_are_counted_in_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t bytes;
    } cases[] = {
        {"", 0},
        {"a", 1},
        {"\x7f", 1},
        {"\xc2\x80", 2},
        {"\xc3\xa9z", 2},
        {"\xe2\x82\xac", 3},
        {"\xf0\x9f\x98\x80", 4},
        {"\xf4\x8f\xbf\xbf", 4},
        {"\x80", 0}, /* the middle of one */
        {"\xc3", 0}, /* its beginning alone */
        {"\xe2\x82", 0},
        {"\xf0\x9f\x98", 0},
        {"\xc3z", 0},
        {"\xc0\xaf", 0}, /* overlong */
        {"\xe0\x9f\xbf", 0},
        {"\xf0\x8f\xbf\xbf", 0},
        {"\xed\xa0\x80", 0},     /* a surrogate */
        {"\xf4\x90\x80\x80", 0}, /* too large */
        {"\xff", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(rung_text_character(cases[i].text), cases[i].bytes);
}

static void text_without_room_is_dropped(void **state)
{
    (void)state;
    char at = 'x';
    rung_text none = rung_text_in(NULL, 0);
    rung_text_add(&none, "abc");
    assert_int_equal(none.len, 0);
    rung_text zero = rung_text_in(&at, 0);
    rung_text_add(&zero, "abc");
    assert_int_equal(at, 'x');
    rung_text one = rung_text_in(&at, 1);
    rung_text_add(&one, "abc");
    assert_int_equal(at, '\0');
}

static void quotes_hide_what_cannot_be_printed(void **state)
{
    (void)state;
    char at[128];
    rung_text t = rung_text_in(at, sizeof at);
    rung_text_quote(&t, "a\n\x01\xff b", 6);
    assert_string_equal(at, "\"a??? b\"");
    char *longest = test_malloc(100);
    memset(longest, 'y', 100);
    t = rung_text_in(at, sizeof at);
    rung_text_quote(&t, longest, 100);
    assert_int_equal(strlen(at), 64 + 5);
    assert_string_equal(at + 63, "yy...\"");
    test_free(longest);
}

static void errors_may_have_no_place(void **state)
{
    (void)state;
    assert_int_equal(RUNG_FAIL(NULL, RUNG_ERR_SYNTAX, "a"), RUNG_ERR_SYNTAX);
    rung_error_prefix(NULL, "b");
    assert_int_equal(rung_succeed(NULL), RUNG_OK);
    rung_error err;
    assert_int_equal(RUNG_FAIL(&err, RUNG_ERR_SYNTAX, "a", "b"), RUNG_ERR_SYNTAX);
    rung_error_prefix(&err, "pre: ");
    assert_string_equal(err.text, "pre: ab");
    assert_int_equal(err.status, RUNG_ERR_SYNTAX);
}

static void a_prefix_of_a_full_text_cuts_it(void **state)
{
    (void)state;
    rung_error err = {RUNG_ERR_SYNTAX, ""};
    memset(err.text, 'z', sizeof err.text - 1);
    err.text[sizeof err.text - 1] = '\0';
    rung_error_prefix(&err, "pre: ");
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_memory_equal(err.text, "pre: zz", 7);
}

static void every_status_and_reason_has_a_text(void **state)
{
    (void)state;
    for (int a = 0; a <= RUNG_ERR_ABI; a++)
        for (int b = 0; b < a; b++)
            assert_string_not_equal(rung_status_text((rung_status)a), rung_status_text((rung_status)b));
    assert_string_equal(rung_status_text((rung_status)99), "unknown status");
    for (int a = 0; a < RUNG_REASON_COUNT; a++)
        for (int b = 0; b < a; b++)
            assert_string_not_equal(rung_reason_text((rung_reason)a), rung_reason_text((rung_reason)b));
    assert_string_equal(rung_reason_text(RUNG_REASON_COUNT), "unknown reason");
    assert_string_equal(rung_reason_text((rung_reason)-1), "unknown reason");
    assert_string_equal(rung_reason_text(RUNG_REASON_NONE), "available");
    assert_string_equal(rung_reason_text(RUNG_REASON_STATIC_PROGRAM), "static program cannot load drivers");
}

static unsigned distance(const char *a, const char *b)
{
    return rung_edit_distance(a, strlen(a), b, strlen(b));
}

static void edit_distances(void **state)
{
    (void)state;
    assert_int_equal(distance("", ""), 0);
    assert_int_equal(distance("", "abc"), 3);
    assert_int_equal(distance("abc", ""), 3);
    assert_int_equal(distance("abc", "abc"), 0);
    assert_int_equal(distance("abc", "abd"), 1);
    assert_int_equal(distance("abc", "ab"), 1);
    assert_int_equal(distance("abc", "acb"), 1);
    assert_int_equal(distance("gemm_tn", "gemm_nt"), 1);
    assert_int_equal(distance("kitten", "sitting"), 3);
    char a[200];
    char b[200];
    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    assert_int_equal(rung_edit_distance(a, sizeof a, b, sizeof b), 63);
}

static void the_three_nearest_in_order(void **state)
{
    (void)state;
    rung_nearest nearest;
    char at[128];
    rung_nearest_begin(&nearest, "gemm", 4);
    rung_text t = rung_text_in(at, sizeof at);
    rung_nearest_text(&nearest, &t);
    assert_string_equal(at, "");
    rung_nearest_offer(&nearest, "ridge_solve");
    rung_nearest_offer(&nearest, "gemm_tn");
    rung_nearest_offer(&nearest, "gem");
    rung_nearest_offer(&nearest, "gemm_nt");
    rung_nearest_offer(&nearest, "rbf");
    rung_nearest_text(&nearest, &t);
    assert_string_equal(at, "; nearest: gem, gemm_tn, gemm_nt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_cut_and_terminated),
        cmocka_unit_test(hexadecimal_has_leading_zeros_where_they_are_wanted),
        cmocka_unit_test(text_is_cut_at_a_whole_character),
        cmocka_unit_test(characters_are_counted_in_bytes),
        cmocka_unit_test(text_without_room_is_dropped),
        cmocka_unit_test(quotes_hide_what_cannot_be_printed),
        cmocka_unit_test(errors_may_have_no_place),
        cmocka_unit_test(a_prefix_of_a_full_text_cuts_it),
        cmocka_unit_test(every_status_and_reason_has_a_text),
        cmocka_unit_test(edit_distances),
        cmocka_unit_test(the_three_nearest_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
