/* SPDX-License-Identifier: Apache-2.0
 *
 * machine_devices.c: which devices a machine has, written, read, told and compared.
 */
#include "machine_devices.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "say.h"

/* ---- written ----------------------------------------------------------------------------------------------------- */

static json_t *unit_json(const rung_device_report *report, const rung_device_unit *unit)
{
    const uint32_t version = report->driver_version;
    char *driver = version != 0 ? say_format("%u.%u", (unsigned)(version >> 16), (unsigned)(version & 0xffff))
                                : say_format("%s", report->driver);
    json_t *one = json_object();
    json_put(one, "device", json_text(report->device));
    json_put(one, "name", json_text(unit->name));
    json_put(one, "arch", json_text(unit->arch));
    json_put(one, "driver", json_text(driver));
    free(driver);
    return one;
}

static bool is_there(const json_t *list, const json_t *one)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), one))
            return true;
    return false;
}

/* The processor has words of its own, and OpenCL shows the devices of other kinds once more. */
static bool is_told(const char *device)
{
    return strcmp(device, "cpu") != 0 && strcmp(device, "opencl") != 0;
}

json_t *machine_devices_of(const rung_devices *found)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < rung_devices_count(found); i++) {
        const rung_device_report *report = rung_devices_at(found, i);
        for (uint32_t u = 0; is_told(report->device) && u < report->count && u < RUNG_UNITS_MAX; u++) {
            if (report->unit[u].state != RUNG_STATE_USABLE)
                continue;
            json_t *one = unit_json(report, &report->unit[u]);
            if (is_there(list, one))
                json_decref(one);
            else
                json_add(list, one);
        }
    }
    return list;
}

/* ---- read -------------------------------------------------------------------------------------------------------- */

static const char *const words[] = {"device", "name", "arch", "driver", NULL};

bool machine_devices_good(const json_t *machine)
{
    const json_t *list = json_object_get(machine, "devices");
    bool good = list == NULL || json_is_array(list);
    for (size_t i = 0; good && i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        for (const char *const *word = words; good && *word != NULL; word++)
            good = json_is_string(json_object_get(one, *word));
        good = good && json_word(one, "device")[0] != '\0';
    }
    return good;
}

void machine_devices_copy(json_t *to, const json_t *machine)
{
    const json_t *list = json_object_get(machine, "devices");
    if (list == NULL)
        return;
    json_t *copy = json_array();
    for (size_t i = 0; i < json_array_size(list); i++)
        json_add(copy, json_members(json_array_get(list, i), words));
    json_put(to, "devices", copy);
}

/* ---- told and compared ------------------------------------------------------------------------------------------- */

char *machine_devices_text(const json_t *machine)
{
    const json_t *list = json_object_get(machine, "devices");
    char *text = say_format("%s", "");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const char *driver = json_word(one, "driver");
        char *longer = say_format("%s, %s (%s/%s%s%s)", text, json_word(one, "name"), json_word(one, "device"),
                                  json_word(one, "arch"), driver[0] != '\0' ? ", driver " : "", driver);
        free(text);
        text = longer;
    }
    return text;
}

/* The next of this kind, from *at on; NULL after the last. */
static const json_t *next_of(const json_t *list, const char *device, size_t *at)
{
    while (*at < json_array_size(list)) {
        const json_t *one = json_array_get(list, (*at)++);
        if (strcmp(json_word(one, "device"), device) == 0)
            return one;
    }
    return NULL;
}

static bool same_word(const json_t *a, const json_t *b, const char *word)
{
    return strcmp(json_word(a, word), json_word(b, word)) == 0;
}

bool machine_devices_same(const json_t *a, const json_t *b, const char *device, bool drivers)
{
    if (strcmp(device, "cpu") == 0)
        return true;
    const json_t *first = json_object_get(a, "devices"), *second = json_object_get(b, "devices");
    size_t at = 0, beside = 0, count = 0;
    const json_t *one = next_of(first, device, &at), *other = next_of(second, device, &beside);
    for (; one != NULL && other != NULL; count++) {
        if (json_word(one, "name")[0] == '\0' || !same_word(one, other, "name") || !same_word(one, other, "arch") ||
            (drivers && !same_word(one, other, "driver")))
            return false;
        one = next_of(first, device, &at);
        other = next_of(second, device, &beside);
    }
    return one == other && count != 0; /* both are NULL */
}
