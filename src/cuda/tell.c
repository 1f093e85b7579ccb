/* SPDX-License-Identifier: Apache-2.0
 *
 * tell.c: what the log is told of PTX that the driver compiled: for which image, in what time, and what in the build
 * avoids it without taking machine code from other devices.
 */
#include <string.h>

#include "cuda/state.h"
#include "gpu/native.h"
#include "log.h"
#include "names.h"

/* "0.25 s" */
static void add_seconds(rung_text *t, uint64_t ms)
{
    uint64_t hundredths = ms % 1000 / 10;
    rung_text_uint(t, ms / 1000);
    rung_text_add(t, hundredths < 10 ? ".0" : ".");
    rung_text_uint(t, hundredths);
    rung_text_add(t, " s");
}

static bool has_suffix(const char *arch)
{
    char last = arch[strlen(arch) - 1];
    return last < '0' || last > '9';
}

/* An arch with a rank that images are built for. */
static bool is_built(const rung_registry *registry, uint32_t arch)
{
    for (uint32_t i = 0; i < registry->n_cells; i++)
        if (registry->cells[i].arch == arch && registry->cells[i].entries != 0 &&
            (registry->cells[i].flags & RUNG_CELL_BUILT))
            return true;
    return false;
}

/* The whole value to set, RUNG_CUDA_ARCHS="75 80 90 120 90a": the targets of the build, and one more number. */
static void add_targets(const rung_registry *registry, uint32_t device, uint32_t more, rung_text *t)
{
    const uint16_t *target = registry->toolkits[device]->targets;
    rung_text_add(t, "RUNG_CUDA_ARCHS=\"");
    for (; *target != 0 && *target < more; target++) {
        rung_text_uint(t, *target);
        rung_text_add(t, " ");
    }
    rung_text_uint(t, more);
    target += *target == more;
    for (; *target != 0; target++) {
        rung_text_add(t, " ");
        rung_text_uint(t, *target);
    }
    for (uint32_t i = 0; i < registry->n_arch_names; i++) {
        const rung_arch_row *arch = &registry->arch_names[i];
        const char *name = rung_pool(registry, arch->name);
        if (arch->device == device && arch->rank != 0 && has_suffix(name) && is_built(registry, i))
            rung_text_join(t, (const char *const[]){" ", name + strlen("sm"), NULL});
    }
    rung_text_add(t, "\"");
}

/* The highest arch with machine code for the device that is listed for the op and variant; RUNG_NONE. Images with
 * suffixes do not count: theirs is a matter of what they hold, not of where they run. */
static uint32_t listed(const rung_gpu *gpu, const rung_cell_row *cell, bool *built)
{
    const rung_registry *registry = gpu->registry;
    uint32_t found = RUNG_NONE;
    *built = false;
    for (uint32_t i = 0; i < registry->n_cells; i++) {
        const rung_cell_row *one = &registry->cells[i];
        const rung_arch_row *arch = &registry->arch_names[one->arch];
        if (one->op != cell->op || one->variant != cell->variant || one->entries == 0 || arch->rank == 0 ||
            arch->device != registry->arch_names[cell->arch].device || has_suffix(rung_pool(registry, arch->name)) ||
            !rung_image_is_native(registry, one->arch, gpu->capability))
            continue;
        *built = *built || (one->flags & RUNG_CELL_BUILT);
        if (found == RUNG_NONE || arch->rank > registry->arch_names[found].rank)
            found = one->arch;
    }
    return found;
}

/* A device that is newer than all of the build may be newer than its toolkit. */
static void add_toolkit(const rung_gpu *gpu, uint32_t device, rung_text *t)
{
    const uint16_t *target = gpu->registry->toolkits[device]->targets;
    while (*target != 0 && *target < gpu->capability)
        target++;
    if (*target != 0)
        return;
    rung_text_add(t, ", with an nvcc that can target sm_");
    rung_text_uint(t, gpu->capability);
}

static void add_advice(const rung_gpu *gpu, const rung_cell_row *cell, rung_text *t)
{
    const rung_registry *registry = gpu->registry;
    uint32_t device = registry->arch_names[cell->arch].device;
    if (device >= RUNG_ON_COUNT || registry->toolkits[device] == NULL)
        return;
    if (strcmp(rung_arch_text(registry, cell->arch), "generic") == 0) {
        rung_text_add(t, ". To avoid that, build with ");
        add_targets(registry, device, gpu->capability, t);
        add_toolkit(gpu, device, t);
        return;
    }
    bool built;
    uint32_t arch = listed(gpu, cell, &built);
    if (built)
        return; /* it is there, and was passed over */
    const char *name = rung_device_text(registry, device);
    if (arch != RUNG_NONE) {
        rung_text_join(t, (const char *const[]){". To avoid that, build ", name, "/", rung_arch_text(registry, arch),
                                                " as well: ", NULL});
        add_targets(registry, device, registry->arch_names[arch].rank, t); /* its number, as it has no suffix */
        return;
    }
    rung_text_join(t, (const char *const[]){". To avoid that, list ", name, "/sm", NULL});
    rung_text_uint(t, gpu->capability);
    rung_text_add(t, " for it in the registry");
    add_toolkit(gpu, device, t);
}

void rung_cuda_tell_compiled(const rung_gpu *gpu, const rung_cell_row *cell, uint64_t ms)
{
    const rung_registry *registry = gpu->registry;
    const char *device = rung_device_text(registry, registry->arch_names[cell->arch].device);
    char line[640];
    rung_text t = rung_text_in(line, sizeof line);
    rung_text_join(&t, (const char *const[]){device, ":", NULL});
    rung_text_uint(&t, (unsigned)gpu->ordinal);
    rung_text_add(&t, " (sm");
    rung_text_uint(&t, gpu->capability);
    rung_text_join(&t, (const char *const[]){"): the image of ", rung_pool(registry, cell->source), " for ", device,
                                             "/", rung_arch_text(registry, cell->arch),
                                             " has no machine code for it; the driver took ", NULL});
    add_seconds(&t, ms);
    rung_text_add(&t, " to compile its PTX, or to find it in its cache");
    add_advice(gpu, cell, &t);
    rung_log_line(RUNG_LOG_INFO, line);
}
