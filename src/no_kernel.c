/* SPDX-License-Identifier: Apache-2.0 */
#include "platform.h"

rung_status rung_no_kernel(const rung_ctx *cx, const rung_registry *registry)
{
    if (cx == NULL || cx->platform == NULL || cx->memory > RUNG_MEMORY_DEVICE ||
        cx->platform->head.registry != registry)
        return RUNG_ERR_ARGUMENT;
    const rung_position *position = &cx->platform->position[rung_memory_position(cx->platform)];
    bool lost = cx->memory == RUNG_MEMORY_DEVICE && atomic_load_explicit(&position->lost, memory_order_acquire);
    return lost ? RUNG_ERR_DEVICE : RUNG_ERR_NO_KERNEL;
}
