/* SPDX-License-Identifier: Apache-2.0
 *
 * buffer.c: memory that follows the device, as its owner sees it.
 */
#include "gpu/buffer.h"

#include <stdlib.h>

#include "error.h"

enum { SEGMENTS = 24, SEGMENTS_OF_A_PART = 2 };

/* ---- making them ------------------------------------------------------------------------------------------------- */

static rung_status make(rung_platform *p, void *host, bool wrapped, size_t bytes, rung_buffer **out, rung_error *err)
{
    rung_memory_root *root = malloc(sizeof *root + (1 + (size_t)p->positions) * sizeof *root->copy);
    rung_segment *segments = malloc(SEGMENTS * sizeof *segments);
    if (root == NULL || segments == NULL) {
        free(root);
        free(segments);
        return RUNG_FAIL(err, RUNG_ERR_MEMORY, "out of memory");
    }
    *root = (rung_memory_root){.whole = {.root = root, .size = bytes},
                               .platform = p,
                               .segments = segments,
                               .n_segments = 1,
                               .room = SEGMENTS,
                               .wrapped = wrapped};
    segments[0] = (rung_segment){0, wrapped ? RUNG_PLACE_BIT(RUNG_PLACE_HOST) : 0};
    root->copy[RUNG_PLACE_HOST] = host;
    for (uint32_t i = 0; i < p->positions; i++)
        root->copy[1 + i] = NULL;
    *out = &root->whole;
    return rung_succeed(err);
}

static rung_status check(const rung_platform *platform, rung_buffer **out, size_t bytes, rung_error *err)
{
    if (platform == NULL || out == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, platform == NULL ? "no platform given" : "no place given");
    enum { LINE = 64 };
    if (bytes > (size_t)PTRDIFF_MAX - LINE)
        return RUNG_FAIL(err, RUNG_ERR_MEMORY, "out of memory: no object is that large");
    return RUNG_OK;
}

rung_status rung_buffer_create(rung_platform *platform, size_t bytes, rung_buffer **out, rung_error *err)
{
    rung_status status = check(platform, out, bytes, err);
    return status == RUNG_OK ? make(platform, NULL, false, bytes, out, err) : status;
}

rung_status rung_buffer_wrap(rung_platform *platform, void *host, size_t bytes, rung_buffer **out, rung_error *err)
{
    rung_status status = check(platform, out, bytes, err);
    if (status != RUNG_OK)
        return status;
    if (host == NULL && bytes > 0)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no memory given");
    return make(platform, host, true, bytes, out, err);
}

rung_status rung_buffer_slice(rung_buffer *buffer, size_t offset, size_t bytes, rung_buffer **out, rung_error *err)
{
    if (buffer == NULL || out == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, buffer == NULL ? "no buffer given" : "no place given");
    if (offset > buffer->size || bytes > buffer->size - offset)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "the part is not inside of the buffer");
    rung_buffer *part = malloc(sizeof *part);
    if (part == NULL || !rung_segments_reserve(buffer->root, SEGMENTS_OF_A_PART)) {
        free(part);
        return RUNG_FAIL(err, RUNG_ERR_MEMORY, "out of memory");
    }
    *part = (rung_buffer){buffer->root, buffer->offset + offset, bytes};
    *out = part;
    return rung_succeed(err);
}

/* ---- their end --------------------------------------------------------------------------------------------------- */

static const rung_gpu_driver *driver_at(const rung_platform *p, uint32_t position)
{
    return rung_gpu_driver_of(&p->position[position]);
}

/* False: the queue is being captured into a graph, of which the buffer's memory may be part. */
static bool wait_for_last(const rung_memory_root *root)
{
    rung_queue *last = root->last;
    if (last == NULL || rung_gpu_here(&root->platform->position[last->position]) == NULL || !rung_queue_visit(last))
        return true;
    bool captured = rung_queue_captured(last);
    if (!captured)
        (void)rung_queue_wait(last, NULL);
    rung_queue_leave(last);
    return !captured;
}

/* Whether nothing of it is left there that can be given back. */
static bool free_on_device(rung_memory_root *root, uint32_t position)
{
    rung_gpu *gpu = root->copy[1 + position] == NULL ? NULL : rung_gpu_here(&root->platform->position[position]);
    if (gpu == NULL)
        return true;
    const rung_gpu_driver *driver = driver_at(root->platform, position);
    rung_status status = driver->enter(gpu, &(rung_text){.at = NULL});
    if (status == RUNG_OK) {
        status = driver->free(gpu, root->copy[1 + position]);
        driver->leave(gpu);
    }
    if (status != RUNG_OK && driver->lost(gpu) == NULL)
        return false;
    root->copy[1 + position] = NULL;
    return true;
}

static bool free_on_devices(rung_memory_root *root)
{
    bool freed = wait_for_last(root);
    for (uint32_t i = 0; freed && i < root->platform->positions; i++)
        freed = free_on_device(root, i);
    return freed;
}

static void forget(rung_memory_root *root)
{
    rung_queue_release(root->last);
    free(root->segments);
    free(root);
}

void rung_buffer_destroy(rung_buffer *buffer)
{
    if (buffer == NULL)
        return;
    rung_memory_root *root = buffer->root;
    if (buffer != &root->whole) {
        free(buffer);
        return;
    }
    bool freed = free_on_devices(root);
    if (!root->wrapped)
        free(root->copy[RUNG_PLACE_HOST]);
    if (freed) {
        forget(root);
        return;
    }
    _Atomic(rung_memory_root *) *all = &root->platform->unfreed;
    root->next_unfreed = atomic_load(all);
    while (!atomic_compare_exchange_weak(all, &root->next_unfreed, root)) {
    }
}

void rung_buffers_end(rung_platform *p)
{
    rung_memory_root *root = atomic_exchange(&p->unfreed, NULL);
    while (root != NULL) {
        rung_memory_root *next = root->next_unfreed;
        (void)free_on_devices(root); /* else the end of the device has to do */
        forget(root);
        root = next;
    }
}

/* ---- what is in them --------------------------------------------------------------------------------------------- */

/* The copy of the mover's place, made valid for reading, or for writing as well. NULL: *m->err says why, or the place
 * is the host and the memory that was wrapped is none. */
static void *copy_at(rung_mover *m, const rung_buffer *buffer, bool writes)
{
    rung_memory_root *root = buffer->root;
    enum { CUTS = 2 };
    rung_status status = rung_mover_allocate(m, root);
    if (status == RUNG_OK && !rung_segments_reserve(root, CUTS))
        status = RUNG_FAIL(m->err, RUNG_ERR_MEMORY, "out of memory");
    if (status == RUNG_OK && m->place != RUNG_PLACE_HOST)
        status = rung_mover_order(m, root);
    if (status == RUNG_OK) {
        rung_segment_range range = rung_segments_of(root, buffer->offset, buffer->offset + buffer->size);
        status = rung_mover_bring(m, root, range);
        if (status == RUNG_OK && writes)
            rung_segments_write(root, range, m->place);
    }
    rung_mover_end(m);
    if (status != RUNG_OK || root->copy[m->place] == NULL)
        return NULL;
    (void)rung_succeed(m->err);
    return (char *)root->copy[m->place] + buffer->offset;
}

static void *host_copy(rung_buffer *buffer, bool writes)
{
    if (buffer == NULL)
        return NULL;
    rung_error err;
    rung_mover m = {.platform = buffer->root->platform,
                    .place = RUNG_PLACE_HOST,
                    .to_what = writes ? "rung_buffer_host" : "rung_buffer_read",
                    .err = &err};
    return copy_at(&m, buffer, writes);
}

void *rung_buffer_host(rung_buffer *buffer)
{
    return host_copy(buffer, true);
}

const void *rung_buffer_read(rung_buffer *buffer)
{
    return host_copy(buffer, false);
}

void *rung_buffer_device(rung_buffer *buffer, rung_queue *queue, rung_error *err)
{
    rung_error dropped;
    err = err == NULL ? &dropped : err;
    if (buffer == NULL || (queue != NULL && queue->platform != buffer->root->platform)) {
        (void)RUNG_FAIL(err, RUNG_ERR_ARGUMENT, buffer == NULL ? "no buffer given" : "the queue is another platform's");
        return NULL;
    }
    rung_platform *p = buffer->root->platform;
    uint32_t position = queue == NULL ? RUNG_NONE : queue->position;
    queue = position == RUNG_NONE ? NULL : queue;
    if (queue != NULL ? rung_gpu_ready(p, position, err) == NULL : rung_gpu_open_first(p, &position, err) != RUNG_OK)
        return NULL;
    rung_mover m = {.platform = p,
                    .place = position == RUNG_NONE ? RUNG_PLACE_HOST : 1 + position,
                    .queue = queue,
                    .to_what = "rung_buffer_device",
                    .err = err};
    return copy_at(&m, buffer, true);
}

size_t rung_buffer_size(const rung_buffer *buffer)
{
    return buffer == NULL ? 0 : buffer->size;
}

/* ---- what was copied --------------------------------------------------------------------------------------------- */

rung_transfers rung_buffer_transfers(const rung_buffer *buffer)
{
    return buffer == NULL ? (rung_transfers){.to_device = 0} : buffer->root->transfers;
}

rung_transfers rung_platform_transfers(const rung_platform *platform)
{
    if (platform == NULL)
        return (rung_transfers){.to_device = 0};
    const rung_transfers_count *all = &platform->transfers;
    return (rung_transfers){.to_device = atomic_load(&all->to_device),
                            .to_host = atomic_load(&all->to_host),
                            .to_device_bytes = atomic_load(&all->to_device_bytes),
                            .to_host_bytes = atomic_load(&all->to_host_bytes)};
}
