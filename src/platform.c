/* SPDX-License-Identifier: Apache-2.0 */
#include "platform.h"
#include "gpu/driver.h"

const rung_position *rung_position_of(const rung_platform *p, uint32_t device)
{
    for (uint32_t i = 0; i < p->positions; i++)
        if (p->position[i].device == device)
            return &p->position[i];
    return NULL;
}

uint32_t rung_memory_position(const rung_platform *p)
{
    for (uint32_t i = 0; i < p->positions; i++)
        if (p->position[i].gpu_driver != NULL)
            return i;
    return 0;
}

rung_reason rung_position_state(const rung_position *position, rung_text *detail)
{
    if (position->state != RUNG_REASON_NONE) {
        if (detail != NULL)
            rung_text_add(detail, position->state_detail);
        return position->state;
    }
    if (position->forked) {
        if (detail != NULL)
            rung_driver_tell(position->of_process, detail);
        return RUNG_REASON_FORKED;
    }
    if (!atomic_load_explicit(&position->lost, memory_order_acquire))
        return RUNG_REASON_NONE;
    if (detail != NULL)
        rung_text_add(detail, position->gpu_driver->lost(atomic_load(&position->gpu)));
    return RUNG_REASON_DEVICE_UNUSABLE;
}

const rung_registry *rung_platform_registry(const rung_platform *platform)
{
    return platform == NULL ? NULL : platform->head.registry;
}

const char *rung_platform_text(const rung_platform *platform)
{
    return platform == NULL ? NULL : platform->text;
}

const char *rung_platform_reason(const rung_platform *platform)
{
    return platform == NULL ? NULL : platform->reason.at;
}

uint32_t rung_platform_devices(const rung_platform *platform)
{
    return platform == NULL ? 0 : platform->positions;
}

static const rung_position *position_at(const rung_platform *platform, uint32_t position)
{
    return position < rung_platform_devices(platform) ? &platform->position[position] : NULL;
}

const char *rung_platform_device(const rung_platform *platform, uint32_t position)
{
    const rung_position *at = position_at(platform, position);
    return at == NULL ? NULL : rung_device_name(platform->head.registry, at->device);
}

const char *rung_platform_arch(const rung_platform *platform, uint32_t position)
{
    const rung_position *at = position_at(platform, position);
    return at == NULL ? NULL : at->arch;
}

const char *rung_platform_detected(const rung_platform *platform, uint32_t position)
{
    const rung_position *at = position_at(platform, position);
    return at == NULL ? NULL : at->detected;
}

uint32_t rung_platform_index(const rung_platform *platform, uint32_t position)
{
    const rung_position *at = position_at(platform, position);
    return at == NULL ? 0 : at->index;
}

const char *rung_platform_arch_step(const rung_platform *platform, uint32_t position, uint32_t step)
{
    const rung_position *at = position_at(platform, position);
    uint32_t id = RUNG_NONE;
    return at == NULL ? NULL : rung_step_arch(platform->head.registry, at, step, &id);
}

rung_ctx rung_ctx_of(rung_platform *platform)
{
    return (rung_ctx){.platform = platform};
}
