/* SPDX-License-Identifier: Apache-2.0
 *
 * buffer_call.c: the beginning of a generated buffer call, who is called, and the data brought there; and its end.
 *
 * What the beginning does leaves the buffers with what they held and at most with more copies of it. What is marked as
 * held by the device that was called alone is what has been written, once that is known.
 */
#include "error.h"
#include "gpu/buffer.h"
#include "gpu/call.h"
#include "names.h"

static bool are_good(const rung_platform *p, const rung_buffer_use *uses, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const rung_buffer *buffer = uses[i].buffer;
        if (uses[i].access < RUNG_ACCESS_READ || uses[i].access > RUNG_ACCESS_READ_WRITE ||
            (buffer != NULL && (buffer->root->platform != p || uses[i].bytes > buffer->size)))
            return false;
    }
    return true;
}

static rung_segment_range range_of(const rung_buffer_use *use)
{
    size_t at = use->buffer->offset;
    return rung_segments_of(use->buffer->root, at, at + use->bytes);
}

/* Memory for all, before anything is copied, and room for the cuts that are made of any one of them. */
static rung_status allocate(rung_mover *m, const rung_buffer_use *uses, size_t count, size_t cuts)
{
    for (size_t i = 0; i < count; i++) {
        if (uses[i].buffer == NULL)
            continue;
        if (!rung_segments_reserve(uses[i].buffer->root, cuts))
            return RUNG_FAIL(m->err, RUNG_ERR_MEMORY, "out of memory");
        rung_status status = rung_mover_allocate(m, uses[i].buffer->root);
        if (status != RUNG_OK)
            return status;
    }
    return RUNG_OK;
}

static rung_status bring(rung_mover *m, const rung_buffer_use *uses, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (uses[i].buffer == NULL)
            continue;
        rung_memory_root *root = uses[i].buffer->root;
        rung_status status = m->place == RUNG_PLACE_HOST ? RUNG_OK : rung_mover_order(m, root);
        if (status == RUNG_OK && (uses[i].access & RUNG_ACCESS_READ))
            status = rung_mover_bring(m, root, range_of(&uses[i]));
        if (status != RUNG_OK)
            return status;
    }
    return RUNG_OK;
}

static void *data_at(const rung_mover *m, const rung_buffer *buffer)
{
    char *copy = buffer == NULL ? NULL : buffer->root->copy[m->place];
    return copy == NULL ? NULL : copy + buffer->offset;
}

/* A buffer for it has to lie so in memory that the kernel finds it aligned, wherever that is. */
static rung_status check_workspace(const rung_ctx *cx, const rung_cell_row *cell)
{
    const char *where = "cx.workspace_buffer";
    const rung_buffer *buffer = cx->workspace_buffer;
    if (cell->workspace == 0)
        return RUNG_OK;
    if (buffer == NULL)
        return rung_check_workspace(cx, cell, cx->workspace == NULL ? where : "cx.workspace");
    const rung_memory_root *root = buffer->root;
    bool aligned = buffer->offset % 64 == 0 && !(root->wrapped && (uintptr_t)root->copy[RUNG_PLACE_HOST] % 64 != 0);
    const bool enough = buffer->size >= cell->workspace;
    if (root->platform == cx->platform && enough && aligned)
        return RUNG_OK;
    const char *wrong = root->platform != cx->platform ? "it is of another platform"
                        : enough                       ? "it is not aligned"
                                                       : NULL;
    return rung_call_workspace(cx->platform, cell, where, buffer->size, wrong);
}

/* One that is not a buffer, before anything is marked as written. */
static rung_status check_plain_workspace(const rung_ctx *cx, const rung_cell_row *cell, uint32_t op, uint32_t position)
{
    if (cell->workspace == 0 || cx->workspace_buffer != NULL)
        return RUNG_OK;
    rung_gpu *gpu = rung_gpu_enter(cx->platform, position, NULL);
    if (gpu == NULL)
        return RUNG_ERR_DEVICE;
    bool own = rung_workspace_is_own(cx, cell, position, gpu);
    rung_gpu_driver_of(&cx->platform->position[position])->leave(gpu);
    return own ? RUNG_OK : rung_call_foreign(cx->platform, position, op, RUNG_WORKSPACE);
}

rung_status rung_buffer_call(const rung_ctx *cx, const rung_registry *registry, uint32_t op, rung_buffer_use *uses,
                             size_t count, rung_ctx *plain)
{
    if (cx == NULL || cx->platform == NULL || registry == NULL || cx->platform->head.registry != registry ||
        op >= registry->n_ops || plain == NULL || (uses == NULL && count > 0))
        return RUNG_ERR_ARGUMENT;
    rung_platform *p = cx->platform;
    if ((cx->queue != NULL && cx->queue->platform != p) || !are_good(p, uses, count))
        return RUNG_ERR_ARGUMENT;
    unsigned ordinal = rung_ordinal_in(p, op, cx->variant, RUNG_MEMORY_ANY, cx->queue);
    if (ordinal == RUNG_NO_CHOICE)
        return RUNG_ERR_NO_KERNEL;
    const rung_cell_row *cell = &registry->cells[registry->ops[op].first_cell + ordinal];
    const rung_position *position = rung_position_of(p, registry->arch_names[cell->arch].device);
    if (position == NULL)
        return RUNG_ERR_DEVICE;
    uint32_t index = (uint32_t)(position - p->position);
    uint32_t id = registry->ops[op].first_cell + ordinal;
    if (!rung_use_ready(&p->uses, id, cell->flags))
        return rung_call_captured(p, id);
    rung_buffer_use scratch = {.buffer = cell->workspace == 0 ? NULL : cx->workspace_buffer,
                               .bytes = cell->workspace,
                               .access = RUNG_ACCESS_WRITE};
    rung_status status = check_workspace(cx, cell);
    if (status != RUNG_OK)
        return status;
    rung_error err;
    if (!position->host && rung_gpu_ready(p, index, &err) == NULL)
        return RUNG_ERR_DEVICE;
    status = position->host ? RUNG_OK : check_plain_workspace(cx, cell, op, index);
    if (status != RUNG_OK)
        return status;
    rung_mover m = {.platform = p,
                    .place = position->host ? RUNG_PLACE_HOST : 1 + index,
                    .queue = cx->queue != NULL && cx->queue->position == index ? cx->queue : NULL,
                    .to_what = rung_pool(registry, registry->ops[op].name),
                    .err = &err};
    const size_t cuts = 2 * (count + 1); /* all may be parts of one buffer */
    status = allocate(&m, uses, count, cuts);
    if (status == RUNG_OK)
        status = allocate(&m, &scratch, 1, cuts);
    if (status == RUNG_OK)
        status = bring(&m, uses, count);
    if (status == RUNG_OK)
        status = bring(&m, &scratch, 1);
    rung_mover_end(&m);
    if (status != RUNG_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        uses[i].data = data_at(&m, uses[i].buffer);
    *plain = *cx;
    if (scratch.buffer != NULL) {
        rung_segments_write(scratch.buffer->root, range_of(&scratch), m.place);
        plain->workspace = data_at(&m, scratch.buffer);
        plain->workspace_size = scratch.buffer->size;
    }
    plain->memory = position->host ? RUNG_MEMORY_HOST : RUNG_MEMORY_ANY;
    plain->reserved[RUNG_CTX_ORDINAL] = position->host ? 0 : 1 + ordinal;
    plain->reserved[RUNG_CTX_POSITION] = position->host ? 0 : 1 + index;
    if (!position->host)
        plain->queue = m.queue;
    return RUNG_OK;
}

/* A kernel that has failed may have written some of the bytes, and may write some yet. */
static void unwritten(rung_memory_root *root, rung_segment_range range, unsigned place)
{
    for (size_t i = range.first; i < range.end; i++)
        if ((root->segments[i].held & ~RUNG_PLACE_BIT(place)) != 0)
            root->segments[i].held &= ~RUNG_PLACE_BIT(place);
}

rung_status rung_buffer_done(const rung_ctx *plain, const rung_buffer_use *uses, size_t count, rung_status status)
{
    const unsigned place = plain->reserved[RUNG_CTX_POSITION]; /* 0 is the host */
    for (size_t i = 0; i < count; i++) {
        if (uses[i].buffer == NULL || !(uses[i].access & RUNG_ACCESS_WRITE))
            continue;
        if (status == RUNG_OK)
            rung_segments_write(uses[i].buffer->root, range_of(&uses[i]), place);
        else
            unwritten(uses[i].buffer->root, range_of(&uses[i]), place);
    }
    return status;
}
