/* SPDX-License-Identifier: Apache-2.0
 *
 * skip.c: RUNG_SKIP, a list of devices that nobody shall look for.
 */
#include <string.h>

#include "probe.h"

static const char blanks[] = " \t";

bool rung_probe_skipped(const rung_world *world, rung_device_report *out)
{
    const char *list = world->ignore_env ? NULL : rung_world_env(world, "RUNG_SKIP");
    while (list != NULL && *list != '\0') {
        size_t part = strcspn(list, ",");
        size_t blank = strspn(list, blanks);
        const char *name = list + (blank < part ? blank : part);
        size_t len = part - (size_t)(name - list);
        while (len > 0 && strchr(blanks, name[len - 1]) != NULL)
            len--;
        if ((len == strlen(out->device) && memcmp(name, out->device, len) == 0) ||
            (len == strlen("all") && memcmp(name, "all", len) == 0)) {
            rung_report_state(out, RUNG_STATE_SKIPPED,
                              (const char *const[]){"RUNG_SKIP=", rung_world_env(world, "RUNG_SKIP"), NULL});
            return true;
        }
        list += part + (list[part] == ',');
    }
    return false;
}
