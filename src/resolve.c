/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "error.h"
#include "names.h"
#include "nearest.h"
#include "platform.h"

typedef struct find {
    const rung_platform *p;
    uint32_t op, cell, memory;
    uint32_t rung;   /* of the cell */
    rung_text *text; /* of the error, when there is no cell */
    bool told;
} find;

static int find_rung(const rung_step *step, void *user)
{
    find *f = user;
    if (step->cell != f->cell)
        return 0;
    f->rung = step->rung;
    return 1;
}

static int tell_rung(const rung_step *step, void *user)
{
    find *f = user;
    if (step->cell == RUNG_NONE)
        return 0;
    rung_cell cell;
    rung_step_cell(f->p, f->op, step, f->memory, &cell);
    rung_text_join(f->text, (const char *const[]){f->told ? "; " : ": ", cell.device, "/", cell.arch, " ", cell.variant,
                                                  " ", NULL});
    rung_why(cell.reason, cell.detail, f->text);
    f->told = true;
    return 0;
}

static rung_status fail_no_kernel(const rung_platform *p, uint32_t op, uint32_t variant, uint32_t memory,
                                  rung_error *err)
{
    const rung_registry *registry = p->head.registry;
    rung_text t = rung_error_begin(err, RUNG_ERR_NO_KERNEL);
    rung_text_join(&t,
                   (const char *const[]){rung_op_name(registry, op), ", variant ", rung_variant_name(registry, variant),
                                         ": no kernel along ", p->text, NULL});
    find f = {.p = p, .op = op, .memory = memory, .text = &t};
    rung_walk(p, op, variant, tell_rung, &f);
    if (!f.told)
        rung_text_add(&t, ": none is declared");
    return RUNG_ERR_NO_KERNEL;
}

rung_status rung_resolve(const rung_platform *platform, uint32_t op, uint32_t variant, rung_memory memory,
                         rung_resolution *out, rung_error *err)
{
    if (platform == NULL || out == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, platform == NULL ? "no platform given" : "no place given");
    const rung_registry *registry = platform->head.registry;
    if (op >= registry->n_ops)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no op has this id");
    if ((uint32_t)memory > RUNG_MEMORY_ANY)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "unknown kind of memory");
    bool declared = variant < registry->n_variants;
    if (!declared)
        variant = 0;
    uint32_t cell = rung_chosen(platform, op, variant, (uint32_t)memory);
    if (cell == RUNG_NONE)
        return fail_no_kernel(platform, op, variant, (uint32_t)memory, err);
    find f = {.p = platform, .cell = cell};
    rung_walk(platform, op, variant, find_rung, &f);
    *out = (rung_resolution){.variant_not_declared = !declared, .rung = f.rung};
    rung_cell_fill(registry, cell, &out->cell);
    out->cell.chosen = 1;
    return rung_succeed(err);
}

rung_status rung_resolve_name(const rung_platform *platform, const char *op, const char *variant, rung_memory memory,
                              rung_resolution *out, rung_error *err)
{
    if (platform == NULL || op == NULL || out == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no platform, op or place given");
    const rung_registry *registry = platform->head.registry;
    uint32_t op_id = rung_op_find(registry, op);
    if (op_id == RUNG_NONE)
        return rung_fail_name(registry, "unknown op ", op, rung_op_name, err);
    return rung_resolve(platform, op_id, rung_variant_named(registry, variant), memory, out, err);
}

rung_status rung_resolved_source(const rung_platform *platform, uint32_t op, uint32_t variant, rung_memory memory,
                                 char *text, size_t size, rung_error *err)
{
    if (text == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no place given");
    rung_resolution found = {.rung = 0};
    rung_status status = rung_resolve(platform, op, variant, memory, &found, err);
    if (status != RUNG_OK)
        return status;
    const rung_cell *c = &found.cell;
    const char *const parts[] = {c->op, "/", c->device, "/", c->arch, "/", c->variant, "@", c->source, NULL};
    size_t needed = 1;
    for (size_t i = 0; parts[i] != NULL; i++)
        needed += strlen(parts[i]);
    if (needed > size)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "the place given is too small for ", c->source);
    rung_text t = rung_text_in(text, size);
    rung_text_join(&t, parts);
    return rung_succeed(err);
}

/* ---- exact look-up ----------------------------------------------------------------------------------------------- */

static rung_status fail_arch_name(const rung_registry *registry, uint32_t device, const char *name, rung_error *err)
{
    const rung_device_row *row = &registry->devices[device];
    rung_nearest nearest;
    rung_nearest_begin(&nearest, name, strlen(name));
    for (uint32_t i = 0; i < row->archs; i++)
        rung_nearest_offer(&nearest, rung_arch_text(registry, row->first_arch + i));
    rung_text t = rung_error_begin(err, RUNG_ERR_UNKNOWN);
    rung_text_add(&t, rung_device_text(registry, device));
    rung_text_add(&t, " has no arch ");
    rung_text_quote(&t, name, strlen(name));
    rung_nearest_text(&nearest, &t);
    return RUNG_ERR_UNKNOWN;
}

rung_status rung_cell_find(const rung_registry *registry, const char *op, const char *device, const char *arch,
                           const char *variant, rung_cell *out, rung_error *err)
{
    rung_status status = rung_registry_check(registry, err);
    if (status != RUNG_OK)
        return status;
    if (op == NULL || device == NULL || arch == NULL || out == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no op, device, arch or place given");
    if (variant == NULL)
        variant = rung_variant_name(registry, 0);
    uint32_t op_id = rung_op_find(registry, op);
    if (op_id == RUNG_NONE)
        return rung_fail_name(registry, "unknown op ", op, rung_op_name, err);
    uint32_t device_id = rung_device_find(registry, device);
    if (device_id == RUNG_NONE)
        return rung_fail_name(registry, "unknown device ", device, rung_device_name, err);
    uint32_t arch_id = rung_arch_listed(registry, device_id, arch, strlen(arch));
    if (arch_id == RUNG_NONE)
        return fail_arch_name(registry, device_id, arch, err);
    uint32_t variant_id = rung_variant_find(registry, variant);
    if (variant_id == RUNG_NONE)
        return rung_fail_name(registry, "unknown variant ", variant, rung_variant_name, err);
    uint32_t cell = rung_cell_of(registry, op_id, arch_id, variant_id);
    if (cell == RUNG_NONE)
        return RUNG_FAIL(err, RUNG_ERR_UNKNOWN, op, " has no cell ", device, "/", arch, ", variant ", variant);
    rung_cell_judge(registry, NULL, cell, RUNG_MEMORY_ANY, out);
    return rung_succeed(err);
}
