/* SPDX-License-Identifier: Apache-2.0 */
#include "facts.h"

#include <string.h>

#include "text.h"

static const char *const names[RUNG_ON_COUNT] = {"accel", "cpu", "cuda", "metal", "opencl", "rocm", "tpu"};

unsigned rung_on_of(const char *kind)
{
    unsigned on = 0;
    while (on < RUNG_ON_COUNT && strcmp(names[on], kind) != 0)
        on++;
    return on;
}

const char *rung_on_name(unsigned on)
{
    return on < RUNG_ON_COUNT ? names[on] : "";
}

bool rung_on_is_apart(unsigned on)
{
    return on < RUNG_ON_COUNT && !((RUNG_ON_ACCEL | RUNG_ON_CPU) & 1u << on);
}

void rung_facts_begin(rung_facts *facts, bool full)
{
    *facts = (rung_facts){.full = full};
    for (unsigned on = 0; on < RUNG_ON_COUNT; on++)
        facts->seen[on].state = RUNG_STATE_ABSENT;
}

bool rung_state_is_nothing(rung_device_state state)
{
    return state == RUNG_STATE_ABSENT || state == RUNG_STATE_NO_DEVICES || state == RUNG_STATE_SKIPPED;
}

static bool is_usable(rung_device_state state)
{
    switch (state) {
    case RUNG_STATE_USABLE:
    case RUNG_STATE_DRIVER_TOO_OLD:
    case RUNG_STATE_ARCH_TOO_NEW:
    case RUNG_STATE_ARCH_TOO_OLD:
    case RUNG_STATE_NO_KERNELS:
        return true;
    default:
        return false;
    }
}

void rung_facts_see(rung_facts *facts, const rung_device_report *report)
{
    unsigned on = rung_on_of(report->device);
    if (on == RUNG_ON_COUNT)
        return;
    rung_seen *seen = &facts->seen[on];
    *seen = (rung_seen){.state = is_usable(report->state) ? RUNG_STATE_USABLE : report->state,
                        .driver_version = report->driver_version};
    rung_text detail = rung_text_in(seen->detail, sizeof seen->detail);
    rung_text_add(&detail, report->detail);
    if (seen->state != RUNG_STATE_USABLE)
        return;
    for (uint32_t i = 0; i < report->count && i < RUNG_UNITS_MAX; i++) {
        const rung_device_unit *unit = &report->unit[i];
        if (!is_usable(unit->state))
            continue;
        if (seen->count++ == 0) {
            seen->index = unit->index;
            seen->memory = unit->memory;
        }
    }
    if (seen->count == 0)
        seen->count = 1;
}

/* "a,b,c" without those at its end that do not fit: what opens "a" falls back along the registry's own list. */
static void keep_platform(char *out, size_t size, const char *text)
{
    size_t len = strlen(text);
    while (len >= size) {
        do
            len--;
        while (len > 0 && text[len] != ',');
    }
    memcpy(out, text, len);
    out[len] = '\0';
}

void rung_facts_native(rung_facts *facts, const rung_platform *platform, const rung_device_report *report)
{
    rung_native *native = &facts->native;
    *native = (rung_native){0};
    keep_platform(native->platform, sizeof native->platform, rung_platform_text(platform));
    rung_text device = rung_text_in(native->device, sizeof native->device);
    rung_text_add(&device, rung_platform_device(platform, 0));
    for (uint32_t i = 0; report != NULL && i < report->count && i < RUNG_UNITS_MAX; i++)
        if (report->unit[i].index == rung_platform_index(platform, 0))
            native->memory = report->unit[i].memory;
}
