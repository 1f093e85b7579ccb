/* SPDX-License-Identifier: Apache-2.0
 *
 * report.c: filling records.
 */
#include <string.h>

#include "probe.h"

/* C0, DEL, and C1, which UTF-8 has in two bytes. */
static bool is_control(const char *character, size_t n)
{
    const unsigned char *u = (const unsigned char *)character;
    return (n == 1 && (u[0] < 0x20 || u[0] == 0x7F)) || (n == 2 && u[0] == 0xC2 && u[1] < 0xA0);
}

void rung_report_text(char *out, size_t size, const char *text)
{
    rung_text t = rung_text_in(out, size);
    while (*text != '\0') {
        size_t n = rung_text_character(text);
        if (n == 0 || is_control(text, n))
            rung_text_add(&t, "?");
        else
            rung_text_addn(&t, text, n);
        text += n == 0 ? 1 : n;
    }
}

void rung_report_state(rung_device_report *report, rung_device_state state, const char *const *detail)
{
    char text[sizeof report->detail];
    rung_text t = rung_text_in(text, sizeof text);
    rung_text_join(&t, detail);
    report->state = state;
    rung_report_text(report->detail, sizeof report->detail, text);
}

void rung_report_deny(rung_device_report *report, rung_device_state state, const char *detail)
{
    for (uint32_t i = 0; i < report->count && i < RUNG_UNITS_MAX; i++) {
        rung_device_unit *unit = &report->unit[i];
        if (!rung_state_is_open(unit->state))
            continue;
        unit->state = state;
        rung_report_text(unit->detail, sizeof unit->detail, detail);
    }
    if (rung_state_is_open(report->state))
        rung_report_state(report, state, (const char *const[]){detail, NULL});
}

void rung_report_from_units(rung_device_report *report)
{
    const rung_device_unit *unit = &report->unit[0];
    for (uint32_t i = 0; i < report->count; i++) {
        if (report->unit[i].state == RUNG_STATE_USABLE) {
            unit = &report->unit[i];
            break;
        }
    }
    report->state = unit->state;
    memcpy(report->detail, unit->detail, sizeof report->detail);
}
