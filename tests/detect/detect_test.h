/* SPDX-License-Identifier: Apache-2.0
 *
 * detect_test.h: what tests of probes share: cmocka, machines, and reports of probes.
 */
#ifndef DETECT_TEST_H
#define DETECT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "detect/probe.h"
#include "tree.h"

/* The report of a probe on a machine, checked for what holds for every report. */
static inline rung_device_report probe_world(rung_probe_fn *probe, const rung_world *world, rung_depth depth)
{
    rung_device_report report = {.device = "x"};
    probe(world, depth, &report);
    assert_in_range(report.state, 0, RUNG_STATE_COUNT - 1);
    assert_in_range(report.count, 0, RUNG_UNITS_MAX);
    assert_string_equal(report.device, "x");
    int usable = 0;
    for (uint32_t i = 0; i < report.count; i++) {
        assert_int_equal(report.unit[i].index, i);
        usable |= report.unit[i].state == RUNG_STATE_USABLE;
    }
    assert_int_equal(usable, report.state == RUNG_STATE_USABLE);
    if (!report.present)
        assert_int_equal(report.state, RUNG_STATE_ABSENT);
    return report;
}

static inline rung_device_report probe_tree(rung_probe_fn *probe, tree *t, rung_depth depth)
{
    const rung_world world = tree_world(t);
    return probe_world(probe, &world, depth);
}

#define assert_state(report, expected)                                                                                 \
    assert_string_equal(rung_device_state_name((report).state), rung_device_state_name(expected))
#define assert_contains(text, part)                                                                                    \
    do {                                                                                                               \
        if (strstr(text, part) == NULL)                                                                                \
            fail_msg("`%s` is not in `%s`", part, text);                                                               \
    } while (0)

#endif
