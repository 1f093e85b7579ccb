/* SPDX-License-Identifier: Apache-2.0
 *
 * tune_ladder.c: the order of R3, and the one that the registry has made of it, as a platform that is only inspected
 * has them: the results may be of another machine.
 */
#include <string.h>

#include "rk/rk.h"
#include "say.h"
#include "tune.h"

/* The platform of a device whose arch chain has all of these; NULL when it is not this one. */
static rung_platform *open_if_all(const char *device, const char *arch, size_t length, const char *const *archs,
                                  size_t count)
{
    rung_platform *platform = NULL;
    char *chain = say_format("%s/%.*s", device, (int)length, arch);
    rung_status status = rung_platform_open(&rk_registry, chain, RUNG_OPEN_INSPECT | RUNG_OPEN_NO_ENV, &platform, NULL);
    free(chain);
    if (status != RUNG_OK)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const char *step = "";
        for (uint32_t s = 0; step != NULL && strcmp(step, archs[i]) != 0; s++)
            step = rung_platform_arch_step(platform, 0, s);
        if (step == NULL) {
            rung_platform_close(platform);
            return NULL;
        }
    }
    return platform;
}

static rung_platform *open_for(const char *device, const char *const *archs, size_t count)
{
    rung_platform *platform = NULL;
    for (size_t i = 0; i < count && platform == NULL; i++) {
        size_t length = strlen(archs[i]);
        platform = open_if_all(device, archs[i], length, archs, count);
        if (platform == NULL && length > 1) /* sm90a is an image for sm90, and no name of a device */
            platform = open_if_all(device, archs[i], length - 1, archs, count);
    }
    return platform;
}

typedef struct walk {
    const rung_platform *platform;
    const char *device, *variant;
    tune_ladder found; /* in the order of now; `place` is that in the arch chain */
} walk;

static int on_rung(const rung_cell *cell, void *user)
{
    walk *w = user;
    if (!cell->declared || strcmp(cell->device, w->device) != 0 || strcmp(cell->variant, w->variant) != 0 ||
        w->found.count == TUNE_RUNGS)
        return 0;
    const char *step;
    for (uint32_t s = 0; (step = rung_platform_arch_step(w->platform, 0, s)) != NULL; s++) {
        if (strcmp(step, cell->arch) == 0) {
            w->found.arch[w->found.count] = cell->arch;
            w->found.place[w->found.count++] = s;
            break;
        }
    }
    return 0;
}

bool tune_ladder_of(const char *op, const char *device, const char *variant, const char *const *archs, size_t count,
                    tune_ladder *out)
{
    *out = (tune_ladder){0};
    rung_platform *platform = open_for(device, archs, count);
    if (platform == NULL) {
        say_error("the results of %s on %s are of no one machine: none has all of these archs", op, device);
        return false;
    }
    walk w = {platform, device, variant, {0}};
    rung_explain(platform, rung_op_find(&rk_registry, op), rung_variant_find(&rk_registry, variant), on_rung, &w);
    bool taken[TUNE_RUNGS] = {false};
    for (size_t n = 0; n < w.found.count; n++) {
        size_t next = TUNE_RUNGS;
        for (size_t i = 0; i < w.found.count; i++)
            if (!taken[i] && (next == TUNE_RUNGS || w.found.place[i] < w.found.place[next]))
                next = i;
        taken[next] = true;
        out->arch[n] = w.found.arch[next];
        out->place[n] = next;
    }
    out->count = w.found.count;
    rung_platform_close(platform);
    return true;
}
