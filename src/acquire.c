/* SPDX-License-Identifier: Apache-2.0 */
#include "acquire.h"

#include "cpu.h"
#include "gpu/gpu.h"
#include "names.h"

static rung_reason open_libraries(const rung_registry *registry, uint32_t first, uint32_t n, rung_text *detail)
{
    for (uint32_t i = 0; i < n; i++) {
        const rung_requirement_row *row = &registry->requirements[registry->cell_requirements[first + i]];
        if (row->kind != RUNG_REQUIREMENT_LIBRARY)
            continue;
        char figures[160] = "";
        rung_reason reason = registry->open_library(rung_pool(registry, row->library), figures, sizeof figures);
        if (reason != RUNG_REASON_NONE) {
            rung_text_add(detail, figures);
            return reason;
        }
    }
    return RUNG_REASON_NONE;
}

/* The device opened, and the cell's image, if it has one, loaded. */
static rung_reason use_device(rung_platform *p, uint32_t cell, rung_text *detail)
{
    const rung_registry *registry = p->head.registry;
    const rung_cell_row *row = &registry->cells[cell];
    const rung_position *position = rung_position_of(p, registry->arch_names[row->arch].device);
    const uint32_t index = (uint32_t)(position - p->position);
    rung_reason reason = RUNG_REASON_NONE;
    rung_gpu *gpu = rung_gpu_open(p, index, &reason, detail);
    if (gpu == NULL || row->entries == 0)
        return reason;
    const rung_gpu_driver *driver = rung_gpu_driver_of(position);
    reason = RUNG_REASON_LOAD_FAILED;
    if (driver->enter(gpu, detail) == RUNG_OK) {
        reason = driver->load(gpu, cell, detail);
        if (rung_gpu_at(position) == NULL)
            return reason; /* who was told of it has forked, and this is the child */
        driver->leave(gpu);
    }
    if (reason == RUNG_REASON_NONE || driver->lost(gpu) == NULL)
        return reason;
    rung_gpu_check(p, index);
    return RUNG_REASON_DEVICE_UNUSABLE;
}

rung_reason rung_acquire(rung_platform *p, uint32_t cell, uint32_t builder, rung_text *detail)
{
    const rung_registry *registry = p->head.registry;
    if (cell == RUNG_NONE) {
        const rung_builder_row *row = &registry->builders[builder];
        rung_reason reason = open_libraries(registry, row->first_requirement, row->requirements, detail);
        if (reason == RUNG_REASON_NONE && row->model == RUNG_MODEL_X86 && (row->features & RUNG_CPU_TILES))
            reason = rung_amx_request(detail);
        return reason;
    }
    const rung_cell_row *row = &registry->cells[cell];
    const rung_arch_row *arch = &registry->arch_names[row->arch];
    rung_reason reason = open_libraries(registry, row->first_requirement, row->requirements, detail);
    if (reason != RUNG_REASON_NONE)
        return reason;
    if (!rung_is_cpu(registry, arch->device) && !rung_is_accel(registry, arch->device))
        return use_device(p, cell, detail);
    rung_model model = (rung_model)arch->model;
    bool tiles = model == RUNG_MODEL_X86 && (rung_level_features(model, arch->rank) & RUNG_CPU_TILES);
    /* the features of an arch that serves both families are the running one's */
    tiles = tiles || (model != RUNG_MODEL_AARCH64 && (row->features & RUNG_CPU_TILES));
    return tiles ? rung_amx_request(detail) : RUNG_REASON_NONE;
}
