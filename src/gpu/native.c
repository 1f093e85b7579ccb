/* SPDX-License-Identifier: Apache-2.0
 *
 * native.c. Sources: CUDA C++ Programming Guide 13.0, "Binary Compatibility" and "PTX Compatibility": machine code runs
 * on devices of the same major capability and no lower minor one, and not between desktop and Tegra. NVIDIA, "CUDA
 * Compatibility", "Minor Version Compatibility": machine code runs with every driver of the toolkit's major version,
 * PTX needs one of the toolkit's own version.
 */
#include "gpu/native.h"

#include <string.h>

#include "names.h"

static bool is_tegra(uint32_t capability)
{
    static const uint8_t tegra[] = {53, 62, 72, 87, 101, 110};
    for (size_t i = 0; i < sizeof tegra / sizeof *tegra; i++)
        if (tegra[i] == capability)
            return true;
    return false;
}

static bool runs(uint32_t code, uint32_t capability)
{
    return code <= capability && code / 10 == capability / 10 && is_tegra(code) == is_tegra(capability);
}

static const rung_toolkit *toolkit_of(const rung_registry *registry, uint32_t device)
{
    return device < RUNG_ON_COUNT ? registry->toolkits[device] : NULL;
}

static bool is_generic(const rung_registry *registry, const rung_arch_row *arch)
{
    return strcmp(rung_pool(registry, arch->name), "generic") == 0;
}

bool rung_image_is_native(const rung_registry *registry, uint32_t arch, uint32_t capability)
{
    const rung_arch_row *row = &registry->arch_names[arch];
    const char *name = rung_pool(registry, row->name);
    const rung_toolkit *toolkit = toolkit_of(registry, row->device);
    if (row->rank != 0) { /* sm90, and sm90a, which is on the chains of those devices alone that run it */
        char last = name[strlen(name) - 1];
        return last < '0' || last > '9' || runs(row->rank, capability);
    }
    if (toolkit == NULL || !is_generic(registry, row))
        return false;
    for (const uint16_t *target = toolkit->targets; *target != 0; target++)
        if (runs(*target, capability))
            return true;
    return false;
}

static uint32_t least_of(const rung_toolkit *toolkit, bool native)
{
    uint32_t least = native ? RUNG_DRIVER_VERSION(toolkit->version >> 16, 0) : toolkit->version;
    return least < RUNG_IMAGE_OLDEST_DRIVER ? RUNG_IMAGE_OLDEST_DRIVER : least;
}

static void say_versions(const char *what, uint32_t made_with, const char *but, uint32_t driver, rung_text *detail)
{
    if (detail == NULL)
        return;
    rung_text_add(detail, what);
    rung_text_version(detail, made_with);
    rung_text_add(detail, but);
    rung_text_version(detail, driver);
}

rung_reason rung_image_judge_driver(const rung_registry *registry, uint32_t device, uint32_t driver, rung_text *detail)
{
    const rung_toolkit *toolkit = toolkit_of(registry, device);
    if (toolkit == NULL || driver == 0 || driver >= least_of(toolkit, true))
        return RUNG_REASON_NONE;
    say_versions("the images are made with CUDA ", toolkit->version, ", this driver is for ", driver, detail);
    return RUNG_REASON_DRIVER_TOO_OLD;
}

rung_reason rung_image_judge(const rung_registry *registry, uint32_t arch, uint32_t capability, uint32_t driver,
                             rung_text *detail)
{
    const rung_arch_row *row = &registry->arch_names[arch];
    const rung_toolkit *toolkit = toolkit_of(registry, row->device);
    if (toolkit == NULL || rung_image_is_native(registry, arch, capability))
        return RUNG_REASON_NONE;
    if (is_generic(registry, row) && capability != 0 && capability < toolkit->targets[0]) {
        if (detail != NULL) {
            rung_text_add(detail, "built for sm");
            rung_text_uint(detail, toolkit->targets[0]);
            rung_text_add(detail, " and newer, this device is sm");
            rung_text_uint(detail, capability);
        }
        return RUNG_REASON_ARCH_INVALID;
    }
    if (driver == 0 || driver >= least_of(toolkit, false))
        return RUNG_REASON_NONE;
    say_versions("its PTX is of CUDA ", toolkit->version, ", this driver compiles it up to ", driver, detail);
    return RUNG_REASON_PTX_TOO_NEW;
}

uint32_t rung_image_least_driver(const rung_registry *registry, uint32_t arch, uint32_t capability)
{
    const rung_toolkit *toolkit = toolkit_of(registry, registry->arch_names[arch].device);
    if (toolkit == NULL)
        return 0;
    return least_of(toolkit, rung_image_is_native(registry, arch, capability));
}
