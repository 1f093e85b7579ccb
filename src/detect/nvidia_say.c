/* SPDX-License-Identifier: Apache-2.0 */
#include "nvidia_say.h"

#include "nvidia_api.h"
#include "steps.h"

void rung_nvidia_say_code(rung_text *out, const char *call, int code, const char *name)
{
    rung_say_code(out, call, code);
    if (name != NULL && name[0] != '\0')
        rung_text_join(out, (const char *const[]){" (", name, ")", NULL});
}

void rung_nvidia_say_arch(char *out, size_t size, int major, int minor)
{
    rung_text t = rung_text_in(out, size);
    if (major < 1 || major > 999 || minor < 0 || minor > 9)
        return;
    rung_text_add(&t, "sm");
    rung_text_uint(&t, (unsigned)major * 10u + (unsigned)minor);
}

void rung_nvidia_say_mode(rung_device_unit *unit, int mode)
{
    unit->state = mode == RUNG_NVIDIA_MODE_PROHIBITED ? RUNG_STATE_PROHIBITED : RUNG_STATE_USABLE;
    const char *text = mode == RUNG_NVIDIA_MODE_PROHIBITED          ? "compute mode Prohibited"
                       : mode == RUNG_NVIDIA_MODE_EXCLUSIVE_PROCESS ? "compute mode Exclusive_Process"
                                                                    : "";
    rung_report_text(unit->detail, sizeof unit->detail, text);
}
