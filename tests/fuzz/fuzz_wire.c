/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a record. What is read is written and read again as the same; what is not leaves nothing.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "detect/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static rung_device_report report, again;
static char text[RUNG_WIRE_MAX];

/* Texts end within their arrays, and hold printable ASCII. */
static void check_text(const char *array, size_t size)
{
    const char *end = memchr(array, '\0', size);
    if (end == NULL)
        abort();
    for (const char *at = array; at < end; at++)
        if (*at < ' ' || *at > '~')
            abort();
}

static void check(const rung_device_report *r)
{
    check_text(r->device, sizeof r->device);
    check_text(r->detail, sizeof r->detail);
    check_text(r->driver, sizeof r->driver);
    check_text(r->library, sizeof r->library);
    if (r->count > RUNG_UNITS_MAX || (unsigned)r->state >= RUNG_STATE_COUNT || (unsigned)r->present > 1)
        abort();
    for (uint32_t i = 0; i < r->count; i++) {
        const rung_device_unit *unit = &r->unit[i];
        check_text(unit->name, sizeof unit->name);
        check_text(unit->arch, sizeof unit->arch);
        check_text(unit->uuid, sizeof unit->uuid);
        check_text(unit->bus, sizeof unit->bus);
        check_text(unit->detail, sizeof unit->detail);
        if ((unsigned)unit->state >= RUNG_STATE_COUNT)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const rung_device_report zero;
    (void)rung_wire_is_whole((const char *)data, size);
    if (!rung_wire_read((const char *)data, size, &report)) {
        if (memcmp(&report, &zero, sizeof zero) != 0)
            abort();
        return 0;
    }
    check(&report);
    size_t len = rung_wire_write(&report, text);
    if (!rung_wire_is_whole((const char *)data, size) || !rung_wire_read(text, len, &again) ||
        memcmp(&report, &again, sizeof report) != 0)
        abort();
    return 0;
}
