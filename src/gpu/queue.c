/* SPDX-License-Identifier: Apache-2.0
 *
 * queue.c: streams of calls on the first device of a chain that has a driver; on the host, where everything has
 * happened when a call returns, queues that have nothing to do.
 */
#include "gpu/queue.h"

#include <sched.h>
#include <stdlib.h>

#include "error.h"

static const rung_gpu_driver *driver_of(const rung_queue *queue)
{
    return rung_gpu_driver_of(&queue->platform->position[queue->position]);
}

/* ---- who may touch it -------------------------------------------------------------------------------------------- */

void rung_queue_retain(rung_queue *queue)
{
    if (queue != NULL)
        (void)atomic_fetch_add_explicit(&queue->references, 1, memory_order_relaxed);
}

void rung_queue_release(rung_queue *queue)
{
    if (queue != NULL && atomic_fetch_sub_explicit(&queue->references, 1, memory_order_acq_rel) == 1)
        free(queue);
}

bool rung_queue_visit(rung_queue *queue)
{
    (void)atomic_fetch_add(&queue->visitors, 1);
    if (!atomic_load(&queue->destroyed))
        return true;
    rung_queue_leave(queue);
    return false;
}

void rung_queue_leave(rung_queue *queue)
{
    (void)atomic_fetch_sub(&queue->visitors, 1);
}

/* ---- making one -------------------------------------------------------------------------------------------------- */

/* The stream, unless it is the caller's, and the event of a queue whose device is to be current. */
static rung_status make_stream(rung_queue *queue, rung_error *err)
{
    rung_platform *p = queue->platform;
    rung_gpu *gpu = rung_gpu_enter(p, queue->position, err);
    if (gpu == NULL)
        return RUNG_ERR_DEVICE;
    const rung_gpu_driver *driver = driver_of(queue);
    char figures[RUNG_FIGURES_SIZE];
    rung_text detail = rung_text_in(figures, sizeof figures);
    const char *what = "making a stream";
    rung_status status = queue->wrapped ? RUNG_OK : driver->stream_create(gpu, &queue->stream, &detail);
    if (status == RUNG_OK) {
        what = "making an event";
        status = driver->event_create(gpu, false, &queue->event, &detail);
        if (status != RUNG_OK && !queue->wrapped)
            driver->stream_destroy(gpu, queue->stream);
    }
    driver->leave(gpu);
    return status == RUNG_OK ? status : rung_gpu_failed(p, queue->position, status, what, figures, err);
}

static rung_status make(rung_platform *p, bool wrapped, void *native, rung_queue **out, rung_error *err)
{
    if (p == NULL || out == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, p == NULL ? "no platform given" : "no place given");
    uint32_t position = RUNG_NONE;
    rung_status status = rung_gpu_open_first(p, &position, err);
    if (status != RUNG_OK)
        return status;
    if (wrapped && position == RUNG_NONE)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no device of this platform has streams");
    rung_queue *queue = malloc(sizeof *queue);
    if (queue == NULL)
        return RUNG_FAIL(err, RUNG_ERR_MEMORY, "out of memory");
    *queue = (rung_queue){
        .platform = p, .position = position, .wrapped = wrapped, .stream = native, .event = NULL, .references = 1};
    status = position == RUNG_NONE ? RUNG_OK : make_stream(queue, err);
    if (status != RUNG_OK) {
        free(queue);
        return status;
    }
    *out = queue;
    return rung_succeed(err);
}

rung_status rung_queue_create(rung_platform *platform, rung_queue **out, rung_error *err)
{
    return make(platform, false, NULL, out, err);
}

rung_status rung_queue_wrap(rung_platform *platform, void *native, rung_queue **out, rung_error *err)
{
    return make(platform, true, native, out, err);
}

/* ---- its end ----------------------------------------------------------------------------------------------------- */

bool rung_queue_captured(const rung_queue *queue)
{
    rung_gpu *gpu = queue->position == RUNG_NONE ? NULL : rung_gpu_here(&queue->platform->position[queue->position]);
    if (gpu == NULL || driver_of(queue)->enter(gpu, &(rung_text){.at = NULL}) != RUNG_OK)
        return false;
    bool captured = driver_of(queue)->stream_capturing(gpu, queue->stream);
    driver_of(queue)->leave(gpu);
    return captured;
}

/* What the driver has of it. */
static void give_back(rung_queue *queue)
{
    rung_gpu *gpu = rung_gpu_here(&queue->platform->position[queue->position]);
    const rung_gpu_driver *driver = driver_of(queue);
    if (gpu == NULL || driver->enter(gpu, &(rung_text){.at = NULL}) != RUNG_OK)
        return;
    driver->event_destroy(gpu, queue->event);
    if (!queue->wrapped)
        driver->stream_destroy(gpu, queue->stream);
    driver->leave(gpu);
}

static void end(rung_queue *queue, bool captured)
{
    if (queue->position != RUNG_NONE && rung_gpu_here(&queue->platform->position[queue->position]) != NULL) {
        if (!captured)
            (void)rung_queue_wait(queue, NULL);
        atomic_store(&queue->destroyed, true);
        while (atomic_load(&queue->visitors) != 0)
            (void)sched_yield();
        give_back(queue);
    }
    rung_queue_release(queue);
}

void rung_queue_destroy(rung_queue *queue)
{
    if (queue == NULL)
        return;
    bool captured = rung_queue_captured(queue);
    if (!captured || queue->wrapped) {
        end(queue, captured);
        return;
    }
    _Atomic(rung_queue *) *all = &queue->platform->unended;
    queue->next_unended = atomic_load(all);
    while (!atomic_compare_exchange_weak(all, &queue->next_unended, queue)) {
    }
}

void rung_queues_end(rung_platform *p)
{
    rung_queue *queue = atomic_exchange(&p->unended, NULL);
    while (queue != NULL) {
        rung_queue *next = queue->next_unended;
        end(queue, rung_queue_captured(queue));
        queue = next;
    }
}

/* ---- captures ---------------------------------------------------------------------------------------------------- */

/* ---- using one --------------------------------------------------------------------------------------------------- */

rung_status rung_queue_wait(rung_queue *queue, rung_error *err)
{
    if (queue == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no queue given");
    if (queue->position == RUNG_NONE)
        return rung_succeed(err);
    rung_gpu *gpu = rung_gpu_enter(queue->platform, queue->position, err);
    if (gpu == NULL)
        return RUNG_ERR_DEVICE;
    const rung_gpu_driver *driver = driver_of(queue);
    char figures[RUNG_FIGURES_SIZE];
    rung_text detail = rung_text_in(figures, sizeof figures);
    rung_status status = driver->stream_wait(gpu, queue->stream, &detail);
    driver->leave(gpu);
    return status == RUNG_OK
               ? rung_succeed(err)
               : rung_gpu_failed(queue->platform, queue->position, status, "waiting for a queue", figures, err);
}

void *rung_queue_native(const rung_queue *queue)
{
    return queue == NULL ? NULL : queue->stream;
}
