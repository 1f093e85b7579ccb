/* SPDX-License-Identifier: Apache-2.0
 *
 * find.c: the choice by the facts of this machine. Apart from select.c, so that a program which makes facts up, as the
 * tests do, brings no probes along.
 */
#include <string.h>

#include "machine.h"
#include "rank.h"
#include "text.h"

static rung_status find_facts(const rung_backend_request *request, bool full, rung_facts *out, rung_error *err)
{
    rung_facts_begin(out, full);
    rung_devices *found = NULL;
    if (request->devices == NULL) {
        rung_status status = rung_devices_detect(NULL, 0, &found, err);
        if (status != RUNG_OK)
            return status;
    }
    const rung_devices *devices = request->devices == NULL ? found : request->devices;
    for (uint32_t i = 0; i < rung_devices_count(devices); i++)
        rung_facts_see(out, rung_devices_at(devices, i));
    rung_host_detect(&out->host);
    if (full)
        rung_python_detect(request->python, &out->python);

    /* By what was found above: nothing is asked twice, and no driver that was not asked there. */
    const rung_device_report *reports[RUNG_ON_COUNT];
    uint32_t count = 0;
    for (uint32_t i = 0; i < rung_devices_count(devices) && count < RUNG_ON_COUNT; i++)
        reports[count++] = rung_devices_at(devices, i);
    rung_world world;
    rung_machine machine;
    rung_machine_detect(&world, &machine);
    machine.reports = reports;
    machine.n_reports = count;
    rung_platform *platform = NULL;
    rung_error why;
    if (rung_platform_open_on(request->registry, NULL, 0, &machine, &platform, &why) == RUNG_OK) {
        rung_facts_native(out, platform, rung_devices_find(devices, rung_platform_device(platform, 0)));
        rung_platform_close(platform);
    } else {
        rung_text text = rung_text_in(out->native.why, sizeof out->native.why);
        rung_text_add(&text, why.text);
    }
    rung_devices_free(found);
    return RUNG_OK;
}

rung_status rung_select_backend(const rung_backend_request *request, const rung_problem *problem, rung_choice *out,
                                rung_error *err)
{
    return rung_select_by(find_facts, request, problem, out, err);
}
