/* SPDX-License-Identifier: Apache-2.0
 *
 * Records as text: what is written is read again, and nothing else is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "detect/probe.h"
#include "detect/wire.h"

static rung_device_report report, again;
static char text[RUNG_WIRE_MAX];

static void check_written_and_read(void)
{
    size_t len = rung_wire_write(&report, text);
    assert_true(len < RUNG_WIRE_MAX);
    assert_true(rung_wire_is_whole(text, len));
    memset(&again, 0x5a, sizeof again);
    assert_true(rung_wire_read(text, len, &again));
    assert_memory_equal(&report, &again, sizeof report);
    /* no part of it is one */
    for (size_t part = 0; part < len; part++) {
        assert_false(rung_wire_is_whole(text, part));
        assert_false(rung_wire_read(text, part, &again));
    }
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    memset(&report, 0, sizeof report);
    check_written_and_read();
    rung_report_text(report.device, sizeof report.device, "cuda");
    report.present = 1;
    report.initialised = 1;
    report.state = RUNG_STATE_DRIVER_TOO_OLD;
    rung_report_text(report.detail, sizeof report.detail, "12.4 ~ { wants \"13.0\" }  ");
    rung_report_text(report.driver, sizeof report.driver, "580.65.06");
    rung_report_text(report.library, sizeof report.library, "libcuda.so.1");
    report.driver_version = 12u << 16 | 4;
    report.hidden = UINT32_MAX;
    report.count = 2;
    report.unit[0] = (rung_device_unit){.index = 7, .name = "NVIDIA A100", .memory = UINT64_MAX};
    report.unit[1] = (rung_device_unit){
        .arch = "sm80", .uuid = "GPU-1", .bus = "0000:3b:00.0", .state = RUNG_STATE_EXCLUSIVE, .detail = "end"};
    check_written_and_read();
}

static void fill(char *out, size_t size)
{
    memset(out, 'x', size - 1);
    out[size - 1] = '\0';
}

static void the_largest_record_fits(void **state)
{
    (void)state;
    memset(&report, 0, sizeof report);
    fill(report.device, sizeof report.device);
    fill(report.detail, sizeof report.detail);
    fill(report.driver, sizeof report.driver);
    fill(report.library, sizeof report.library);
    report.present = report.initialised = 1;
    report.state = RUNG_STATE_DRIVER_MISMATCH;
    report.driver_version = report.hidden = UINT32_MAX;
    report.count = RUNG_UNITS_MAX;
    for (int i = 0; i < RUNG_UNITS_MAX; i++) {
        rung_device_unit *unit = &report.unit[i];
        unit->index = UINT32_MAX;
        unit->memory = UINT64_MAX;
        unit->state = RUNG_STATE_LIBRARY_INVALID;
        fill(unit->name, sizeof unit->name);
        fill(unit->arch, sizeof unit->arch);
        fill(unit->uuid, sizeof unit->uuid);
        fill(unit->bus, sizeof unit->bus);
        fill(unit->detail, sizeof unit->detail);
    }
    size_t len = rung_wire_write(&report, text);
    assert_true(len < RUNG_WIRE_MAX);
    assert_true(rung_wire_read(text, len, &again));
    assert_memory_equal(&report, &again, sizeof report);
    /* one unit more than any has */
    static const char more[] = "unit 1\nend\n";
    memcpy(text + len - strlen(RUNG_WIRE_END), more, strlen(more));
    assert_false(rung_wire_read(text, len - strlen(RUNG_WIRE_END) + strlen(more), &again));
}

static void every_state_has_a_word(void **state)
{
    (void)state;
    for (int i = 0; i < RUNG_STATE_COUNT; i++) {
        memset(&report, 0, sizeof report);
        report.state = (rung_device_state)i;
        size_t len = rung_wire_write(&report, text);
        assert_true(rung_wire_read(text, len, &again));
        assert_int_equal(again.state, i);
    }
}

/* Whatever a probe has put into a record is written as one that can be read. */
static void odd_values_are_written_as_text(void **state)
{
    (void)state;
    memset(&report, 0, sizeof report);
    memset(report.detail, 'y', sizeof report.detail); /* without an end */
    memcpy(report.driver, "a\nend\n\xc3\xa4\x7f", 10);
    report.count = 1000;
    size_t len = rung_wire_write(&report, text);
    assert_true(rung_wire_read(text, len, &again));
    assert_int_equal(strlen(again.detail), sizeof again.detail - 1);
    assert_string_equal(again.driver, "a?end????");
    assert_int_equal(again.count, RUNG_UNITS_MAX);
}

static bool reads(const char *lines)
{
    memset(&again, 0x5a, sizeof again);
    bool good = rung_wire_read(lines, strlen(lines), &again);
    static const rung_device_report zero;
    if (!good)
        assert_memory_equal(&again, &zero, sizeof zero);
    return good;
}

static void keys_of_other_versions_are_passed_over(void **state)
{
    (void)state;
    assert_true(reads("rung-record 1\ncolour blue\nunit.weight 3\nfuture.key  \ndevice cuda\nunit 3\nunit.x y\nend\n"));
    assert_string_equal(again.device, "cuda");
    assert_int_equal(again.count, 1);
    assert_int_equal(again.unit[0].index, 3);
    assert_true(reads("rung-record 1\nend\n"));
    assert_true(reads("rung-record 1\ndetail \nend\n"));
}

static void what_is_no_record_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "\n",
        "end\n",
        "rung-record 1",
        "rung-record 1\n",
        "rung-record 2\nend\n",
        "rung-record 1 \nend\n",
        " rung-record 1\nend\n",
        "rung-record 1\nend",
        "rung-record 1\nend \n",
        "rung-record 1\nend\n\n",
        "rung-record 1\nend\nend\n",
        "rung-record 1\n\nend\n",
        "rung-record 1\ndevice\nend\n",
        "rung-record 1\n cuda\nend\n",
        "rung-record 1\r\nend\r\n",
        "rung-record 1\ndetail a\tb\nend\n",
        "rung-record 1\ndetail \xc3\xa4\nend\n",
        "rung-record 1\ndetail \x7f\nend\n",
        "rung-record 1\ndevice cuda\ndevice cuda\nend\n",
        "rung-record 1\ndevice 0123456789abcdef\nend\n",
        "rung-record 1\nstate \nend\n",
        "rung-record 1\nstate Usable\nend\n",
        "rung-record 1\nstate usable \nend\n",
        "rung-record 1\nstate 0\nend\n",
        "rung-record 1\npresent 2\nend\n",
        "rung-record 1\npresent 5\nend\n",
        "rung-record 1\npresent 10\nend\n",
        "rung-record 1\npresent yes\nend\n",
        "rung-record 1\npresent \nend\n",
        "rung-record 1\nhidden -1\nend\n",
        "rung-record 1\nhidden +1\nend\n",
        "rung-record 1\nhidden 0x1\nend\n",
        "rung-record 1\nhidden 1 \nend\n",
        "rung-record 1\nhidden 4294967296\nend\n",
        "rung-record 1\nhidden 99999999999999999999999999999999\nend\n",
        "rung-record 1\nunit.name x\nend\n",
        "rung-record 1\nunit\nend\n",
        "rung-record 1\nunit x\nend\n",
        "rung-record 1\nunit 0\nunit.memory 18446744073709551616\nend\n",
        "rung-record 1\nunit 0\nunit.name a\nunit.name a\nend\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (reads(bad[i]))
            fail_msg("read: %s", bad[i]);
    assert_true(reads("rung-record 1\nunit 0\nunit.name a\nunit 0\nunit.name a\nunit.memory 18446744073709551615\n"
                      "hidden 4294967295\npresent 1\nend\n"));
    static const char zero[] = "rung-record 1\ndetail a\0b\nend\n";
    assert_false(rung_wire_read(zero, sizeof zero - 1, &again));
}

static void the_end_is_a_line(void **state)
{
    (void)state;
    assert_false(rung_wire_is_whole("", 0));
    assert_false(rung_wire_is_whole("nd\n", 3));
    assert_true(rung_wire_is_whole("end\n", 4));
    assert_false(rung_wire_is_whole("detail end\n", 11));
    assert_true(rung_wire_is_whole("x\nend\n", 6));
    assert_false(rung_wire_is_whole("x\nend\nx", 7));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(the_largest_record_fits),
        cmocka_unit_test(every_state_has_a_word),
        cmocka_unit_test(odd_values_are_written_as_text),
        cmocka_unit_test(keys_of_other_versions_are_passed_over),
        cmocka_unit_test(what_is_no_record_is_refused),
        cmocka_unit_test(the_end_is_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
