/* SPDX-License-Identifier: Apache-2.0
 *
 * candidates.c: asks the library for every other platform, and keeps its answer.
 */
#include "candidates.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "rk/rk.h"
#include "rung/table.h"

static bool is_automatic(uint32_t device)
{
    for (uint32_t i = 0; i < rk_registry.n_auto; i++)
        if (rk_registry.auto_devices[i] == device)
            return true;
    return false;
}

static bool in_chain(const rung_platform *platform, const char *device)
{
    for (uint32_t i = 0; rung_platform_device(platform, i) != NULL; i++)
        if (strcmp(rung_platform_device(platform, i), device) == 0)
            return true;
    return false;
}

/* The library's reason, or NULL when the platform could be opened. */
static const char *refusal(const char *name, rung_error *err)
{
    rung_platform *other = NULL;
    if (rung_platform_open(&rk_registry, name, RUNG_OPEN_NO_ENV, &other, err) != RUNG_OK)
        return err->text;
    rung_platform_close(other);
    return NULL;
}

static int offer(candidate *c, const char *usable_reason, candidate_fn *fn, void *user)
{
    rung_error err;
    const char *text = refusal(c->name, &err);
    c->usable = text == NULL;
    if (text == NULL)
        text = usable_reason;
    /* "cuda: not built": the name stands beside it already. */
    size_t length = strlen(c->name);
    if (strncmp(text, c->name, length) == 0 && text[length] == ':')
        text += length + 1 + strspn(text + length + 1, " ");
    snprintf(c->reason, sizeof c->reason, "%s", text);
    return fn(c, user);
}

/* Whether the registry has a kernel on this arch that is more than planned. */
typedef struct arch_seen {
    const char *device, *arch;
    bool seen;
} arch_seen;

static int see_arch(const rung_cell *cell, void *user)
{
    arch_seen *want = user;
    want->seen = !cell->planned && strcmp(cell->device, want->device) == 0 && strcmp(cell->arch, want->arch) == 0;
    return want->seen;
}

/* Whether an arch is part of the first device's chain. */
static bool is_rung(const rung_platform *platform, const char *arch)
{
    const char *step;
    for (uint32_t i = 0; (step = rung_platform_arch_step(platform, 0, i)) != NULL; i++)
        if (strcmp(step, arch) == 0)
            return true;
    return false;
}

static int other_archs(const rung_platform *platform, uint32_t device, candidate_fn *fn, void *user)
{
    const rung_device_row *row = &rk_registry.devices[device];
    const char *in_force = rung_platform_arch(platform, 0);
    for (uint32_t i = 0; i < row->archs; i++) {
        const char *arch = rk_registry.strings + rk_registry.arch_names[row->first_arch + i].name;
        if (strcmp(arch, in_force) == 0)
            continue;
        arch_seen want = {rung_device_name(&rk_registry, device), arch, false};
        rung_matrix(&rk_registry, NULL, see_arch, &want);
        if (!want.seen)
            continue;
        candidate c;
        snprintf(c.name, sizeof c.name, "%s/%s", want.device, arch);
        const char *usable = is_rung(platform, arch) ? "usable: a lower rung of the chain"
                                                     : "usable, but the platform is capped below it";
        int stop = offer(&c, usable, fn, user);
        if (stop)
            return stop;
    }
    return 0;
}

void candidates_rejected(const rung_platform *platform, candidate_fn *fn, void *user)
{
    const char *own = rung_platform_device(platform, 0);
    for (uint32_t d = 0; d < rung_device_count(&rk_registry); d++) {
        const char *name = rung_device_name(&rk_registry, d);
        if (strcmp(name, own) == 0) {
            if (other_archs(platform, d, fn, user) != 0)
                return;
            continue;
        }
        candidate c;
        snprintf(c.name, sizeof c.name, "%s", name);
        const char *usable = in_chain(platform, name) ? "usable: a fallback of the chain"
                             : is_automatic(d)        ? "usable, but not asked for"
                                                      : "usable, but never chosen unless asked for";
        if (offer(&c, usable, fn, user) != 0)
            return;
    }
}
