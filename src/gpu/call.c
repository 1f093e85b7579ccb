/* SPDX-License-Identifier: Apache-2.0
 *
 * call.c: a call on a device with a driver, from its beginning to its end, and what its launcher asks for in between.
 */
#include "gpu/call.h"

#include "gpu/queue.h"
#include "log.h"
#include "names.h"
#include "rung/launch.h"

/* Its place in the chain; RUNG_NONE. A buffer call has settled it. */
static uint32_t position_of(const rung_ctx *cx, const rung_registry *registry, uint32_t op, unsigned ordinal)
{
    const rung_platform *p = cx->platform;
    if (cx->memory == RUNG_MEMORY_ANY)
        return cx->reserved[RUNG_CTX_POSITION] - 1 < p->positions ? cx->reserved[RUNG_CTX_POSITION] - 1 : RUNG_NONE;
    const rung_cell_row *cell = &registry->cells[registry->ops[op].first_cell + ordinal];
    const rung_position *position = rung_position_of(p, registry->arch_names[cell->arch].device);
    return position == NULL ? RUNG_NONE : (uint32_t)(position - p->position);
}

static bool fits(const rung_queue *queue, const rung_platform *p, uint32_t position)
{
    return queue == NULL || (queue->platform == p && queue->position == position);
}

/* The first array that is not memory of the device; count without one. */
static size_t foreign(const rung_gpu_driver *driver, rung_gpu *gpu, const void *const *arrays, const size_t *bytes,
                      size_t count)
{
    size_t i = 0;
    while (i < count && (arrays[i] == NULL || bytes[i] == 0 || driver->is_own(gpu, arrays[i])))
        i++;
    return i;
}

bool rung_workspace_is_own(const rung_ctx *cx, const rung_cell_row *cell, uint32_t position, rung_gpu *gpu)
{
    return cell->workspace == 0 || cx->workspace == NULL ||
           rung_gpu_driver_of(&cx->platform->position[position])->is_own(gpu, cx->workspace);
}

rung_status rung_call_foreign(rung_platform *p, uint32_t position, uint32_t op, size_t array)
{
    if (rung_gpu_ready(p, position, NULL) == NULL)
        return RUNG_ERR_DEVICE; /* it was lost when it was asked about the memory */
    rung_status status = array == RUNG_WORKSPACE ? RUNG_ERR_WORKSPACE : RUNG_ERR_ARGUMENT;
    if (!rung_log_hears(p, RUNG_LOG_INFO))
        return status;
    const rung_registry *registry = p->head.registry;
    char line[512];
    rung_text t = rung_text_in(line, sizeof line);
    rung_text_join(&t, (const char *const[]){rung_pool(registry, registry->ops[op].name),
                                             array == RUNG_WORKSPACE ? ": the workspace" : ": array ", NULL});
    if (array != RUNG_WORKSPACE)
        rung_text_uint(&t, array + 1);
    rung_text_join(&t, (const char *const[]){" of the call is not memory of ",
                                             rung_device_text(registry, p->position[position].device), NULL});
    rung_log_tell(p, RUNG_LOG_INFO, line);
    return status;
}

rung_status rung_call_workspace(const rung_platform *p, const rung_cell_row *cell, const char *where, size_t size,
                                const char *wrong)
{
    if (!rung_log_hears(p, RUNG_LOG_INFO))
        return RUNG_ERR_WORKSPACE;
    const rung_registry *registry = p->head.registry;
    char line[512];
    rung_text t = rung_text_in(line, sizeof line);
    rung_text_join(&t, (const char *const[]){rung_pool(registry, registry->ops[cell->op].name), ": ",
                                             rung_pool(registry, cell->source), " needs ", NULL});
    rung_text_uint(&t, cell->workspace);
    rung_text_join(&t, (const char *const[]){" bytes of workspace in ", where,
                                             ", aligned to 64: ", wrong == NULL ? "it has " : wrong, NULL});
    if (wrong == NULL)
        rung_text_uint(&t, size);
    rung_log_tell(p, RUNG_LOG_INFO, line);
    return RUNG_ERR_WORKSPACE;
}

rung_status rung_check_workspace(const rung_ctx *cx, const rung_cell_row *cell, const char *where)
{
    if (cell->workspace == 0 || rung_has_workspace(cx, cell->workspace))
        return RUNG_OK;
    const char *wrong = cx->workspace == NULL                   ? "there is none"
                        : cx->workspace_size >= cell->workspace ? "it is not aligned"
                                                                : NULL;
    return rung_call_workspace(cx->platform, cell, where, cx->workspace_size, wrong);
}

rung_status rung_call_captured(const rung_platform *p, uint32_t cell)
{
    if (!rung_log_hears(p, RUNG_LOG_INFO))
        return RUNG_ERR_ARGUMENT;
    const rung_registry *registry = p->head.registry;
    const rung_cell_row *row = &registry->cells[cell];
    char line[512];
    rung_text t = rung_text_in(line, sizeof line);
    rung_text_join(
        &t, (const char *const[]){registry->name_space, ": ", rung_pool(registry, registry->ops[row->op].name),
                                  ": the queue is being captured into a graph, and ", rung_pool(registry, row->symbol),
                                  " has not been used yet: call rung_warm, or the op once, before that", NULL});
    rung_log_tell(p, RUNG_LOG_INFO, line);
    return RUNG_ERR_ARGUMENT;
}

rung_status rung_device_begin(const rung_ctx *cx, const rung_registry *registry, uint32_t op, unsigned ordinal,
                              const void *const *arrays, const size_t *bytes, size_t count, rung_device_call *call)
{
    rung_platform *p = cx->platform;
    uint32_t position = position_of(cx, registry, op, ordinal);
    if (position == RUNG_NONE)
        return RUNG_ERR_DEVICE;
    if (!fits(cx->queue, p, position))
        return RUNG_ERR_ARGUMENT;
    uint32_t id = registry->ops[op].first_cell + ordinal;
    const rung_cell_row *cell = &registry->cells[id];
    if (!rung_use_ready(&p->uses, id, cell->flags))
        return rung_call_captured(p, id);
    rung_gpu *gpu = rung_gpu_enter(p, position, NULL);
    if (gpu == NULL)
        return RUNG_ERR_DEVICE;
    const rung_gpu_driver *driver = rung_gpu_driver_of(&p->position[position]);
    size_t bad = cx->memory == RUNG_MEMORY_ANY ? count : foreign(driver, gpu, arrays, bytes, count);
    if (bad == count && cell->workspace != 0 && !rung_has_workspace(cx, cell->workspace)) {
        driver->leave(gpu);
        return rung_check_workspace(cx, cell, "cx.workspace");
    }
    if (bad == count && !rung_workspace_is_own(cx, cell, position, gpu))
        bad = RUNG_WORKSPACE;
    if (bad != count) {
        driver->leave(gpu);
        return rung_call_foreign(p, position, op, bad);
    }
    call->cx = *cx;
    call->cx.reserved[RUNG_CTX_POSITION] = position + 1;
    return RUNG_OK;
}

rung_status rung_device_end(const rung_device_call *call, rung_status status)
{
    rung_platform *p = call->cx.platform;
    uint32_t position = call->cx.reserved[RUNG_CTX_POSITION] - 1;
    rung_gpu *gpu = rung_gpu_at(&p->position[position]);
    if (gpu == NULL)
        return RUNG_ERR_DEVICE; /* a launcher has forked, and this is the child */
    const rung_gpu_driver *driver = rung_gpu_driver_of(&p->position[position]);
    rung_status waited = RUNG_OK;
    char figures[RUNG_FIGURES_SIZE];
    rung_text detail = rung_text_in(figures, sizeof figures);
    if (call->cx.queue == NULL)
        waited = driver->stream_wait(gpu, NULL, &detail);
    driver->leave(gpu);
    if (waited != RUNG_OK)
        (void)rung_gpu_failed(p, position, waited, "waiting for a kernel", figures, NULL);
    else if (status == RUNG_ERR_DEVICE)
        rung_gpu_check(p, position); /* a library may have met the error */
    return status != RUNG_OK ? status : waited;
}

rung_status rung_launch(const rung_ctx *cx, const rung_launched *cell, uint32_t entry, const rung_grid *grid,
                        void **arguments)
{
    rung_platform *p = cx->platform;
    uint32_t at = cx->reserved[RUNG_CTX_POSITION] - 1;
    const rung_registry *registry = p->head.registry;
    if (at >= p->positions || cell->registry != registry || cell->op >= registry->n_ops ||
        cell->ordinal >= registry->ops[cell->op].cells)
        return RUNG_ERR_ARGUMENT;
    uint32_t id = registry->ops[cell->op].first_cell + cell->ordinal;
    const rung_cell_row *row = &registry->cells[id];
    const rung_position *position = &p->position[at];
    rung_gpu *gpu = rung_gpu_at(position);
    if (entry >= row->entries || gpu == NULL || !rung_use_ready(&p->uses, id, row->flags))
        return RUNG_ERR_ARGUMENT;
    char figures[RUNG_FIGURES_SIZE];
    rung_text detail = rung_text_in(figures, sizeof figures);
    void *stream = cx->queue == NULL ? NULL : cx->queue->stream;
    rung_status status =
        rung_gpu_driver_of(position)->launch(gpu, row->first_entry + entry, grid, stream, arguments, &detail);
    return status == RUNG_OK ? status : rung_gpu_failed(p, at, status, rung_pool(registry, row->symbol), figures, NULL);
}

void *rung_stream(const rung_ctx *cx)
{
    return cx == NULL || cx->queue == NULL ? NULL : cx->queue->stream;
}
