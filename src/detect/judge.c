/* SPDX-License-Identifier: Apache-2.0
 *
 * judge.c: what the kernels of a build make of a device that can be used.
 */
#include <string.h>

#include "arch.h"
#include "devices.h"
#include "gpu/native.h"
#include "names.h"
#include "platform.h"

/* What the built kernels of a device have to say of one arch. */
typedef struct verdict {
    bool any, fits, fitting_driver;
    bool newer, older;     /* there are kernels for newer archs, for older ones */
    uint32_t least_driver; /* of those that fit */
} verdict;

static uint32_t least_driver(const rung_registry *registry, const rung_cell_row *cell, uint32_t capability)
{
    uint32_t least = cell->entries != 0 ? rung_image_least_driver(registry, cell->arch, capability) : 0;
    for (uint32_t i = 0; i < cell->requirements; i++) {
        const rung_requirement_row *row =
            &registry->requirements[registry->cell_requirements[cell->first_requirement + i]];
        if (row->kind == RUNG_REQUIREMENT_DRIVER && row->minimum > least)
            least = row->minimum;
    }
    return least;
}

/* One on `generic` is for the devices that the build has targets for. */
static bool image_fits(const rung_registry *registry, const rung_cell_row *cell, uint32_t capability)
{
    return cell->entries == 0 || rung_image_judge(registry, cell->arch, capability, 0, NULL) == RUNG_REASON_NONE;
}

/* Archs without a rank have no order; but PTX, which every device from its target on can run, is for newer ones where
 * this one cannot. */
static bool is_newer(const rung_arch_row *arch, const rung_arch *at)
{
    bool ptx = arch->model == RUNG_MODEL_CUDA && arch->portable;
    return at->rank != 0 && (ptx || arch->rank > at->rank);
}

static bool is_older(const rung_arch_row *arch, const rung_arch *at)
{
    return at->rank != 0 && arch->rank != 0 && arch->rank <= at->rank;
}

static bool has_images(const rung_registry *registry, uint32_t device)
{
    for (uint32_t i = 0; i < registry->n_cells; i++)
        if ((registry->cells[i].flags & RUNG_CELL_BUILT) && registry->cells[i].entries != 0 &&
            registry->arch_names[registry->cells[i].arch].device == device)
            return true;
    return false;
}

/* Beside kernels that come in images, those that call a library say nothing of a device: what it takes is known when
 * the library is opened. */
static verdict ask_cells(const rung_registry *registry, uint32_t device, const rung_arch *at, uint32_t driver)
{
    verdict v = {.least_driver = UINT32_MAX};
    bool images = has_images(registry, device);
    for (uint32_t i = 0; i < registry->n_cells; i++) {
        const rung_cell_row *cell = &registry->cells[i];
        const rung_arch_row *arch = &registry->arch_names[cell->arch];
        if (!(cell->flags & RUNG_CELL_BUILT) || arch->device != device || (images && cell->entries == 0))
            continue;
        v.any = true;
        if (rung_is_step(registry, at->row, cell->arch) && image_fits(registry, cell, at->rank)) {
            uint32_t least = least_driver(registry, cell, at->rank);
            v.fits = true;
            v.fitting_driver = v.fitting_driver || least == 0 || (driver != 0 && driver >= least);
            v.least_driver = least < v.least_driver ? least : v.least_driver;
        } else {
            v.newer = v.newer || is_newer(arch, at);
            v.older = v.older || is_older(arch, at);
        }
    }
    return v;
}

static bool has_builders(const rung_registry *registry, uint32_t device)
{
    for (uint32_t i = 0; i < registry->n_builders; i++)
        if ((registry->builders[i].flags & RUNG_CELL_BUILT) && registry->builders[i].device == device)
            return true;
    return false;
}

/* Whether there is a kernel or a builder for the device that a build could have. */
static bool could_have(const rung_registry *registry, uint32_t device)
{
    for (uint32_t i = 0; i < registry->n_cells; i++)
        if (!(registry->cells[i].flags & RUNG_CELL_PLANNED) &&
            registry->arch_names[registry->cells[i].arch].device == device)
            return true;
    for (uint32_t i = 0; i < registry->n_builders; i++)
        if (!(registry->builders[i].flags & RUNG_CELL_PLANNED) && registry->builders[i].device == device)
            return true;
    return false;
}

/* Neither older nor newer are all kernels where they are for other archs on both sides, and where archs have no order.
 */
static void say_no_image(const verdict *v, rung_device_unit *unit, rung_text *t)
{
    const char *why = " can run none of the kernels of this build";
    unit->state = RUNG_STATE_NO_KERNELS;
    if (v->newer && !v->older) {
        unit->state = RUNG_STATE_ARCH_TOO_OLD;
        why = " is older than all that this build has kernels for";
    } else if (v->older && !v->newer) {
        unit->state = RUNG_STATE_ARCH_TOO_NEW;
        why = " is newer than all that this build has kernels for";
    }
    rung_text_join(t, (const char *const[]){unit->arch[0] != '\0' ? unit->arch : "an unknown arch", why, NULL});
}

static void judge_unit(const rung_registry *registry, uint32_t device, uint32_t driver, rung_device_unit *unit)
{
    const char *name = rung_device_text(registry, device);
    rung_arch at;
    if (rung_arch_find(registry, device, unit->arch, strlen(unit->arch), &at) != RUNG_ARCH_KNOWN)
        at = (rung_arch){.id = RUNG_NONE, .row = registry->devices[device].portable_row};
    verdict v = ask_cells(registry, device, &at, driver);
    if ((v.fits && v.fitting_driver) || (!v.any && has_builders(registry, device)))
        return; /* with the detail that it has */
    rung_text t = rung_text_in(unit->detail, sizeof unit->detail);
    if (v.fits) {
        unit->state = RUNG_STATE_DRIVER_TOO_OLD;
        rung_text_join(&t, (const char *const[]){"the kernels need ", name, " ", NULL});
        rung_text_version(&t, v.least_driver);
        rung_text_add(&t, driver == 0 ? ", this driver's version is not known" : ", this driver is for ");
        if (driver != 0)
            rung_text_version(&t, driver);
    } else if (v.any) {
        say_no_image(&v, unit, &t);
    } else {
        unit->state = RUNG_STATE_NO_KERNELS;
        if (could_have(registry, device))
            rung_text_join(&t, (const char *const[]){"no kernels for ", name, " in this build", NULL});
        else
            rung_text_join(&t, (const char *const[]){"this version has none for ", name, " yet", NULL});
    }
}

void rung_report_judge(const rung_registry *registry, rung_device_report *report)
{
    if (report->state != RUNG_STATE_USABLE || report->count == 0)
        return;
    uint32_t device = rung_device_find(registry, report->device);
    for (uint32_t i = 0; i < report->count && i < RUNG_UNITS_MAX; i++) {
        rung_device_unit *unit = &report->unit[i];
        if (unit->state != RUNG_STATE_USABLE)
            continue;
        if (device != RUNG_NONE) {
            judge_unit(registry, device, report->driver_version, unit);
        } else {
            rung_text t = rung_text_in(unit->detail, sizeof unit->detail);
            unit->state = RUNG_STATE_NO_KERNELS;
            rung_text_join(&t, (const char *const[]){"the registry has no device ", report->device, NULL});
        }
    }
    rung_report_from_units(report);
}
