/* SPDX-License-Identifier: Apache-2.0
 *
 * plan_chain.c: the chain that somebody wrote: in a call, or in RUNG_PLATFORM.
 */
#include "plan.h"

#include <string.h>

#include "cpu.h"
#include "error.h"
#include "names.h"
#include "nearest.h"

/* Begins an error with the part that it is about: "cuda:1/sm90: ". */
static rung_text fail_part(rung_error *err, rung_status status, const rung_part *part)
{
    rung_text t = rung_error_begin(err, status);
    rung_text_addn(&t, part->device, part->device_len);
    if (part->index != 0) {
        rung_text_add(&t, ":");
        rung_text_uint(&t, part->index);
    }
    if (part->arch != NULL) {
        rung_text_add(&t, "/");
        rung_text_addn(&t, part->arch, part->arch_len);
    }
    rung_text_add(&t, ": ");
    return t;
}

static rung_status fail_device(const rung_registry *registry, const rung_part *part, rung_error *err)
{
    rung_nearest nearest;
    rung_nearest_begin(&nearest, part->device, part->device_len);
    for (uint32_t i = 0; i < registry->n_devices; i++)
        rung_nearest_offer(&nearest, rung_device_text(registry, i));
    rung_text t = rung_error_begin(err, RUNG_ERR_UNKNOWN);
    rung_text_add(&t, "unknown device ");
    rung_text_quote(&t, part->device, part->device_len);
    rung_nearest_text(&nearest, &t);
    return RUNG_ERR_UNKNOWN;
}

static rung_status fail_arch(const rung_registry *registry, uint32_t device, const rung_part *part, rung_error *err)
{
    rung_nearest nearest;
    rung_nearest_begin(&nearest, part->arch, part->arch_len);
    for (uint32_t i = 0; i < registry->n_arch_names; i++)
        if (registry->arch_names[i].device == device && registry->arch_names[i].row != RUNG_NO_ROW)
            rung_nearest_offer(&nearest, rung_arch_text(registry, i));
    rung_text t = fail_part(err, RUNG_ERR_UNKNOWN, part);
    rung_text_add(&t, "unknown arch");
    rung_nearest_text(&nearest, &t);
    return RUNG_ERR_UNKNOWN;
}

/* The features or the family that keep a named level out of reach. */
static rung_status check_cpu_arch(const rung_plan *plan, const rung_part *part, const rung_arch *at, rung_error *err)
{
    const rung_cpu *cpu = &plan->cpu;
    rung_model model = (rung_model)at->model;
    if (at->rank == 0)
        return RUNG_OK;
    if (model != rung_cpu_model(cpu)) {
        rung_text t = fail_part(err, RUNG_ERR_UNAVAILABLE, part);
        rung_text_add(&t, model == RUNG_MODEL_X86 ? "for x86, this processor is " : "for aarch64, this processor is ");
        rung_text_add(&t, cpu->family);
        return RUNG_ERR_UNAVAILABLE;
    }
    char feature[96];
    rung_text missing = rung_text_in(feature, sizeof feature);
    rung_reason reason = rung_cpu_misses(cpu, model, rung_level_features(model, at->rank), &missing);
    if (reason == RUNG_REASON_NONE)
        return RUNG_OK;
    rung_text t = fail_part(err, RUNG_ERR_UNAVAILABLE, part);
    rung_text_add(&t, reason == RUNG_REASON_CPU_LACKS ? "this CPU lacks " : "this system does not enable ");
    rung_text_add(&t, feature);
    return RUNG_ERR_UNAVAILABLE;
}

static rung_status check_device(const rung_plan *plan, const rung_position *position, const rung_part *part,
                                rung_error *err)
{
    const rung_registry *registry = plan->registry;
    if (!rung_plan_has_built(registry, position->device)) {
        rung_text t = fail_part(err, RUNG_ERR_UNAVAILABLE, part);
        rung_text_add(&t, "not built: no kernels for ");
        rung_text_add(&t, rung_device_text(registry, position->device));
        rung_text_add(&t, " in this build");
        return RUNG_ERR_UNAVAILABLE;
    }
    char figures[sizeof err->text];
    rung_text detail = rung_text_in(figures, sizeof figures);
    rung_reason state = rung_position_state(position, &detail);
    if (state == RUNG_REASON_NONE)
        return RUNG_OK;
    rung_text t = fail_part(err, RUNG_ERR_UNAVAILABLE, part);
    rung_text_join(&t, (const char *const[]){rung_reason_text(state), detail.len == 0 ? "" : ": ", figures, NULL});
    return RUNG_ERR_UNAVAILABLE;
}

/* AMD's archs have no order: a device is held at its own, or at one of those that its chain has (a generic target). */
static bool is_another(const rung_registry *registry, const rung_position *position, const rung_part *part,
                       const rung_arch *at)
{
    if (at->model != RUNG_MODEL_AMDGCN || position->found.model != RUNG_MODEL_AMDGCN)
        return false;
    const char *named = memchr(part->arch, ':', part->arch_len);
    size_t target = named == NULL ? part->arch_len : (size_t)(named - part->arch);
    bool same = strcspn(position->detected, ":") == target && memcmp(position->detected, part->arch, target) == 0;
    return !same && (at->id == RUNG_NONE || !rung_is_step(registry, position->found.row, at->id));
}

static rung_status check_part(const rung_plan *plan, const rung_position *position, const rung_part *part,
                              const rung_arch *at, rung_error *err)
{
    if (plan->flags & RUNG_OPEN_INSPECT)
        return RUNG_OK;
    if (position->is_cpu)
        return at == NULL ? RUNG_OK : check_cpu_arch(plan, part, at, err);
    if (position->host)
        return RUNG_OK;
    rung_status status = check_device(plan, position, part, err);
    if (status != RUNG_OK || at == NULL)
        return status;
    bool newer = at->model == position->found.model && at->rank > position->found.rank;
    if (newer || is_another(plan->registry, position, part, at)) {
        rung_text t = fail_part(err, RUNG_ERR_UNAVAILABLE, part);
        rung_text_add(&t, "this device is ");
        rung_text_add(&t, position->detected);
        return RUNG_ERR_UNAVAILABLE;
    }
    return status;
}

static rung_status add_part(rung_plan *plan, const rung_part *part, rung_error *err)
{
    const rung_registry *registry = plan->registry;
    uint32_t device = rung_device_findn(registry, part->device, part->device_len);
    if (device == RUNG_NONE)
        return fail_device(registry, part, err);
    rung_position *position = rung_plan_add(plan, device, part->index);
    if (position->host && part->index != 0) {
        rung_text t = fail_part(err, RUNG_ERR_UNKNOWN, part);
        rung_text_add(&t, "the only index of ");
        rung_text_add(&t, rung_device_text(registry, device));
        rung_text_add(&t, " is 0");
        return RUNG_ERR_UNKNOWN;
    }
    rung_arch at;
    if (part->arch != NULL) {
        rung_arch_kind kind = rung_arch_find(registry, device, part->arch, part->arch_len, &at);
        if (kind == RUNG_ARCH_UNKNOWN)
            return fail_arch(registry, device, part, err);
        if (kind == RUNG_ARCH_IMAGE) {
            rung_text t = fail_part(err, RUNG_ERR_UNKNOWN, part);
            rung_text_add(&t, "kernels are built for this arch, but no device is called so: name the device's own");
            return RUNG_ERR_UNKNOWN;
        }
    }
    rung_status status = check_part(plan, position, part, part->arch == NULL ? NULL : &at, err);
    if (status != RUNG_OK)
        return status;
    if (part->arch != NULL) {
        rung_plan_use_arch(plan, position, part->arch, part->arch_len, &at);
        position->asked = true;
    }
    plan->count++;
    return RUNG_OK;
}

rung_status rung_plan_chain(rung_plan *plan, const char *chain, rung_error *err)
{
    rung_part parts[RUNG_CHAIN_MAX];
    uint32_t count = 0;
    rung_status status = rung_chain_parse(chain, parts, &count, err);
    for (uint32_t i = 0; status == RUNG_OK && i < count; i++)
        status = add_part(plan, &parts[i], err);
    if (status != RUNG_OK)
        return status;
    rung_plan_add_cpu(plan);
    rung_text t = rung_text_in(plan->reason, sizeof plan->reason);
    rung_text_add(&t, plan->from_env ? "RUNG_PLATFORM=" : "asked for ");
    rung_text_add(&t, chain);
    return RUNG_OK;
}
