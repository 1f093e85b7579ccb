/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/gpu.h"

#include "log.h"
#include "names.h"

uint32_t rung_gpu_first(const rung_platform *p)
{
    for (uint32_t i = 0; i < p->positions; i++)
        if (p->position[i].gpu_driver != NULL && rung_position_state(&p->position[i], NULL) == RUNG_REASON_NONE)
            return i;
    return RUNG_NONE;
}

static rung_gpu *fail(rung_reason why, rung_reason *reason)
{
    *reason = why;
    return NULL;
}

rung_gpu *rung_gpu_open(rung_platform *p, uint32_t at, rung_reason *reason, rung_text *detail)
{
    const rung_registry *registry = p->head.registry;
    rung_position *position = &p->position[at];
    const rung_gpu_driver *driver = position->gpu_driver;
    (void)rung_gpu_here(position); /* in a child, whoever asks first has the position given up */
    rung_reason state = rung_position_state(position, detail);
    if (state != RUNG_REASON_NONE)
        return fail(state, reason);
    if (driver == NULL || position->of_process == NULL) {
        rung_text_join(detail, (const char *const[]){"this build loads no images for ",
                                                     rung_device_text(registry, position->device), NULL});
        return fail(RUNG_REASON_LOAD_FAILED, reason);
    }
    rung_gpu *gpu = atomic_load_explicit(&position->gpu, memory_order_acquire);
    if (gpu != NULL)
        return gpu;
    rung_driver_use(position->of_process);
    rung_driver_ask_begin(position->of_process);
    state = driver->open(&p->world, position->index, registry, &gpu, detail);
    rung_driver_ask_end(position->of_process);
    if (state != RUNG_REASON_NONE)
        return fail(state, reason);
    rung_gpu *first = NULL;
    if (atomic_compare_exchange_strong(&position->gpu, &first, gpu))
        return gpu;
    driver->close(gpu, false);
    return first;
}

void rung_gpu_check(rung_platform *p, uint32_t at)
{
    rung_position *position = &p->position[at];
    rung_gpu *gpu = rung_gpu_at(position);
    const char *why = gpu == NULL ? NULL : position->gpu_driver->lost(gpu);
    if (why == NULL || atomic_exchange(&position->lost, true))
        return;
    atomic_thread_fence(memory_order_seq_cst); /* with that of rung_choose_op */
    for (uint32_t op = 0; op < p->head.registry->n_ops; op++)
        rung_choose_op(p, op);
    char line[RUNG_ERROR_TEXT];
    rung_text t = rung_text_in(line, sizeof line);
    const char *device = rung_device_text(p->head.registry, position->device);
    rung_text_join(&t, (const char *const[]){device, " is lost: ", why, NULL});
    rung_log_tell(p, RUNG_LOG_INFO, line);
}

void rung_gpu_close_all(rung_platform *p)
{
    rung_buffers_end(p);
    rung_queues_end(p);
    for (uint32_t i = 0; i < p->positions; i++) {
        rung_position *position = &p->position[i];
        rung_gpu *gpu = atomic_load(&position->gpu);
        if (gpu == NULL)
            continue;
        rung_kept_end(p, i);
        position->gpu_driver->close(gpu, rung_driver_is_forked(position->of_process));
    }
}
