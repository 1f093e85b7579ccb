/* SPDX-License-Identifier: Apache-2.0
 *
 * steps.c: parts of probes.
 */
#include "steps.h"

#include <string.h>

#include "numbers.h"

bool rung_step_exists(const rung_world *world, const char *device, const char *path)
{
    uint64_t start = rung_probe_start(world);
    int failed = rung_world_exists(world, path);
    rung_probe_told(world, start, device, path, failed == 0 ? "is there" : "is not there");
    return failed == 0;
}

void *rung_step_library(const rung_world *world, const char *device, const char *name, rung_device_state *state,
                        rung_text *detail)
{
    char what[160];
    uint64_t start = rung_probe_start(world);
    void *library = rung_world_library(world, name, state, detail);
    rung_text t = rung_text_in(what, sizeof what);
    rung_text_join(&t, (const char *const[]){"open ", name, NULL});
    rung_probe_told(world, start, device, what, library != NULL ? "opened" : rung_device_state_name(*state));
    return library;
}

void rung_say_code(rung_text *t, const char *function, int code)
{
    rung_text_join(t, (const char *const[]){function, code < 0 ? " returned -" : " returned ", NULL});
    rung_text_uint(t, code < 0 ? 0u - (unsigned)code : (unsigned)code);
}

void rung_report_hidden(const rung_world *world, rung_device_report *report, const char *variable, const char *how)
{
    char value[80];
    const char *set = rung_world_env(world, variable);
    rung_text t = rung_text_in(value, sizeof value);
    rung_text_quote(&t, set, strlen(set));
    rung_report_state(report, RUNG_STATE_HIDDEN, (const char *const[]){variable, "=", value, " ", how, NULL});
}

static int take_number(const char *name, void *user)
{
    rung_numbers *n = user;
    uint64_t value;
    if (!rung_decimal(name, strlen(name), &value) || value > INT32_MAX || n->count == RUNG_NUMBERS_MAX)
        return 0;
    uint32_t at = n->count++;
    for (; at > 0 && n->at[at - 1] > value; at--)
        n->at[at] = n->at[at - 1];
    n->at[at] = (uint32_t)value;
    return 0;
}

int rung_world_numbers(const rung_world *world, const char *folder, rung_numbers *out)
{
    out->count = 0;
    return rung_world_list(world, folder, take_number, out);
}
