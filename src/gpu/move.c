/* SPDX-License-Identifier: Apache-2.0
 *
 * move.c: copies of a buffer: where they are made, whom they wait for, and what is copied from one to the other.
 *
 * From one device to another data goes through the host. Neighbouring bytes that one place holds go in one copy.
 */
#include <stdlib.h>

#include "error.h"
#include "gpu/buffer.h"
#include "log.h"
#include "names.h"

enum { ALIGNMENT = 64 };

static const rung_gpu_driver *driver_at(const rung_platform *p, unsigned place)
{
    return rung_gpu_driver_of(&p->position[place - 1]);
}

/* In a child that was forked by somebody who was told of a copy, the device is the parent's. */
static void drop_if_forked(rung_mover *m)
{
    if (m->gpu != NULL && rung_gpu_at(&m->platform->position[m->place - 1]) == NULL)
        m->gpu = NULL;
}

/* The device of the mover's place, current. NULL: err says why. */
static rung_gpu *enter(rung_mover *m)
{
    drop_if_forked(m);
    if (m->gpu == NULL)
        m->gpu = rung_gpu_enter(m->platform, m->place - 1, m->err);
    return m->gpu;
}

void rung_mover_end(rung_mover *m)
{
    drop_if_forked(m);
    if (m->gpu != NULL)
        driver_at(m->platform, m->place)->leave(m->gpu);
    m->gpu = NULL;
}

/* ---- where they are ---------------------------------------------------------------------------------------------- */

static rung_status allocate_on_host(rung_memory_root *root, rung_error *err)
{
    if (root->copy[RUNG_PLACE_HOST] != NULL || root->wrapped)
        return RUNG_OK;
    size_t rows = root->whole.size / ALIGNMENT + (root->whole.size % ALIGNMENT != 0);
    root->copy[RUNG_PLACE_HOST] = aligned_alloc(ALIGNMENT, (rows == 0 ? 1 : rows) * ALIGNMENT);
    return root->copy[RUNG_PLACE_HOST] != NULL ? RUNG_OK : RUNG_FAIL(err, RUNG_ERR_MEMORY, "out of memory");
}

static bool is_captured(const rung_mover *m, const rung_queue *queue)
{
    return queue != NULL && driver_at(m->platform, m->place)->stream_capturing(m->gpu, queue->stream);
}

static const char captured[] = "the queue is being captured into a graph: the data has to be brought before that";

rung_status rung_mover_allocate(rung_mover *m, rung_memory_root *root)
{
    if (m->place == RUNG_PLACE_HOST)
        return allocate_on_host(root, m->err);
    if (root->copy[m->place] != NULL)
        return RUNG_OK;
    rung_gpu *gpu = enter(m);
    if (gpu == NULL)
        return RUNG_ERR_DEVICE;
    char figures[RUNG_FIGURES_SIZE];
    rung_text detail = rung_text_in(figures, sizeof figures);
    size_t bytes = root->whole.size == 0 ? 1 : root->whole.size;
    rung_status status = RUNG_ERR_ARGUMENT;
    if (is_captured(m, m->queue)) /* to allocate would end that */
        rung_text_add(&detail, captured);
    else
        status = driver_at(m->platform, m->place)->alloc(gpu, bytes, &root->copy[m->place], &detail);
    if (status == RUNG_OK)
        return status;
    char what[64];
    rung_text t = rung_text_in(what, sizeof what);
    rung_text_add(&t, "memory for a buffer of ");
    rung_text_uint(&t, root->whole.size);
    rung_text_add(&t, " bytes");
    return rung_gpu_failed(m->platform, m->place - 1, status, what, figures, m->err);
}

/* ---- whom they wait for ------------------------------------------------------------------------------------------ */

/* The mover's queue waits for another one of its device; without one, the host does. */
static rung_status follow(rung_mover *m, const rung_queue *last)
{
    rung_gpu *gpu = enter(m);
    if (gpu == NULL)
        return RUNG_ERR_DEVICE;
    const rung_gpu_driver *driver = driver_at(m->platform, m->place);
    char figures[RUNG_FIGURES_SIZE];
    rung_text detail = rung_text_in(figures, sizeof figures);
    rung_status status = RUNG_ERR_ARGUMENT;
    if (is_captured(m, last) != is_captured(m, m->queue)) {
        rung_text_add(&detail, captured);
    } else if (m->queue == NULL) {
        status = driver->stream_wait(gpu, last->stream, &detail);
    } else {
        status = driver->event_record(gpu, last->event, last->stream, &detail);
        if (status == RUNG_OK)
            status = driver->stream_after(gpu, m->queue->stream, last->event, &detail);
    }
    return status == RUNG_OK ? status
                             : rung_gpu_failed(m->platform, m->place - 1, status,
                                               "waiting for the queue that used a buffer last", figures, m->err);
}

rung_status rung_mover_order(rung_mover *m, rung_memory_root *root)
{
    rung_queue *last = root->last;
    if (last == m->queue)
        return RUNG_OK;
    bool here = last != NULL && last->position + 1 == m->place;
    if (last != NULL && !here && m->queue == NULL)
        return RUNG_OK; /* copies of other places are not touched by it */
    if (here && rung_queue_visit(last)) {
        rung_status status = follow(m, last);
        rung_queue_leave(last);
        if (status != RUNG_OK)
            return status;
    }
    /* where both have queues, the device of the last one is lost */
    rung_queue_retain(m->queue);
    root->last = m->queue;
    rung_queue_release(last);
    return RUNG_OK;
}

/* ---- what is copied ---------------------------------------------------------------------------------------------- */

static const char *name_of(const rung_platform *p, unsigned place)
{
    return place == RUNG_PLACE_HOST ? "the host" : rung_device_text(p->head.registry, p->position[place - 1].device);
}

static void tell(const rung_mover *m, const rung_memory_root *root, size_t bytes, unsigned from, unsigned to)
{
    const rung_platform *p = m->platform;
    if (!rung_log_hears(p, RUNG_LOG_DEBUG))
        return;
    char line[512];
    rung_text t = rung_text_in(line, sizeof line);
    rung_text_uint(&t, bytes);
    rung_text_add(&t, " bytes of a buffer of ");
    rung_text_uint(&t, root->whole.size);
    rung_text_join(&t, (const char *const[]){" are copied from ", name_of(p, from), " to ", name_of(p, to), " for ",
                                             m->to_what, NULL});
    rung_log_tell(p, RUNG_LOG_DEBUG, line);
}

static void count(const rung_mover *m, rung_memory_root *root, size_t bytes, unsigned from, unsigned to)
{
    rung_transfers_count *all = &m->platform->transfers;
    if (to == RUNG_PLACE_HOST) {
        root->transfers.to_host++;
        root->transfers.to_host_bytes += bytes;
        (void)atomic_fetch_add_explicit(&all->to_host, 1, memory_order_relaxed);
        (void)atomic_fetch_add_explicit(&all->to_host_bytes, bytes, memory_order_relaxed);
    } else {
        root->transfers.to_device++;
        root->transfers.to_device_bytes += bytes;
        (void)atomic_fetch_add_explicit(&all->to_device, 1, memory_order_relaxed);
        (void)atomic_fetch_add_explicit(&all->to_device_bytes, bytes, memory_order_relaxed);
    }
    tell(m, root, bytes, from, to);
}

/* To the mover's place, which is a device, behind what is on its queue. */
static rung_status copy_in(rung_mover *m, rung_memory_root *root, size_t at, size_t bytes, unsigned from)
{
    (void)from;
    rung_gpu *gpu = enter(m);
    if (gpu == NULL)
        return RUNG_ERR_DEVICE;
    const rung_gpu_driver *driver = driver_at(m->platform, m->place);
    char figures[RUNG_FIGURES_SIZE];
    rung_text detail = rung_text_in(figures, sizeof figures);
    void *stream = m->queue == NULL ? NULL : m->queue->stream;
    char *to = (char *)root->copy[m->place] + at;
    rung_status status =
        driver->copy_in(gpu, to, (const char *)root->copy[RUNG_PLACE_HOST] + at, bytes, stream, &detail);
    if (status == RUNG_OK && m->queue == NULL)
        status = driver->stream_wait(gpu, NULL, &detail); /* buffers remember no default stream */
    return status == RUNG_OK ? status
                             : rung_gpu_failed(m->platform, m->place - 1, status, "copying to it", figures, m->err);
}

/* From a device to the host, behind what uses the buffer there. */
static rung_status copy_out(rung_mover *m, rung_memory_root *root, size_t at, size_t bytes, unsigned from)
{
    rung_status status = allocate_on_host(root, m->err);
    if (status != RUNG_OK)
        return status;
    rung_gpu *gpu = rung_gpu_enter(m->platform, from - 1, m->err);
    if (gpu == NULL)
        return RUNG_ERR_DEVICE;
    const rung_gpu_driver *driver = driver_at(m->platform, from);
    rung_queue *last = root->last;
    bool visits = last != NULL && last->position + 1 == from && rung_queue_visit(last);
    char figures[RUNG_FIGURES_SIZE];
    rung_text detail = rung_text_in(figures, sizeof figures);
    char *to = (char *)root->copy[RUNG_PLACE_HOST] + at;
    status =
        driver->copy_out(gpu, to, (const char *)root->copy[from] + at, bytes, visits ? last->stream : NULL, &detail);
    if (visits)
        rung_queue_leave(last);
    driver->leave(gpu);
    return status == RUNG_OK ? status
                             : rung_gpu_failed(m->platform, from - 1, status, "copying from it", figures, m->err);
}

static rung_status gone(const rung_mover *m, size_t at, size_t end)
{
    rung_text t = rung_error_begin(m->err, RUNG_ERR_DEVICE);
    rung_text_join(&t, (const char *const[]){m->to_what, ": bytes ", NULL});
    rung_text_uint(&t, at);
    rung_text_add(&t, " to ");
    rung_text_uint(&t, end - 1);
    rung_text_add(&t, " of a buffer were only on a device that this process can use no more");
    rung_log_tell(m->platform, RUNG_LOG_INFO, m->err->text);
    return RUNG_ERR_DEVICE;
}

typedef rung_status copy_fn(rung_mover *m, rung_memory_root *root, size_t at, size_t bytes, unsigned from);

static unsigned lowest(uint32_t places)
{
    return (unsigned)__builtin_ctz(places);
}

/* Copies to one place what none of `enough` holds of a range, from `sources`, in as few pieces as there can be. */
static rung_status spread(rung_mover *m, rung_memory_root *root, rung_segment_range range, uint32_t enough,
                          uint32_t sources, unsigned to, copy_fn *copy)
{
    rung_segment *s = root->segments;
    size_t i = range.first;
    while (i < range.end) {
        if (s[i].held == 0 || (s[i].held & enough) != 0) {
            i++;
            continue;
        }
        size_t first = i++;
        uint32_t from = s[first].held & sources;
        if (from == 0)
            return gone(m, s[first].at, rung_segment_end(root, first));
        while (i < range.end && (s[i].held & enough) == 0 && (s[i].held & from) != 0)
            from &= s[i++].held;
        size_t bytes = rung_segment_end(root, i - 1) - s[first].at;
        rung_status status = copy(m, root, s[first].at, bytes, lowest(from));
        if (status != RUNG_OK)
            return status;
        count(m, root, bytes, lowest(from), to);
        for (size_t j = first; j < i; j++)
            s[j].held |= RUNG_PLACE_BIT(to);
    }
    return RUNG_OK;
}

/* The devices that data can be fetched from. */
static uint32_t usable(const rung_platform *p)
{
    uint32_t places = 0;
    for (uint32_t i = 0; i < p->positions; i++)
        if (rung_gpu_usable(p, i) != NULL)
            places |= RUNG_PLACE_BIT(1 + i);
    return places;
}

rung_status rung_mover_bring(rung_mover *m, rung_memory_root *root, rung_segment_range range)
{
    const uint32_t host = RUNG_PLACE_BIT(RUNG_PLACE_HOST);
    const uint32_t place = RUNG_PLACE_BIT(m->place);
    bool all = true;
    for (size_t i = range.first; i < range.end; i++)
        all = all && (root->segments[i].held == 0 || (root->segments[i].held & place) != 0);
    if (all)
        return RUNG_OK;
    rung_status status = spread(m, root, range, host | place, usable(m->platform), RUNG_PLACE_HOST, copy_out);
    return status != RUNG_OK || place == host ? status : spread(m, root, range, place, host, m->place, copy_in);
}
