/* SPDX-License-Identifier: Apache-2.0 */
#include "rung/dispatch.h"

rung_status rung_no_kernel(const rung_ctx *cx, const rung_registry *registry)
{
    if (cx == NULL || cx->platform == NULL || cx->memory > RUNG_MEMORY_ANY)
        return RUNG_ERR_ARGUMENT;
    const rung_platform_head *head = (const rung_platform_head *)(const void *)cx->platform;
    return head->registry == registry ? RUNG_ERR_NO_KERNEL : RUNG_ERR_ARGUMENT;
}
