/* SPDX-License-Identifier: Apache-2.0
 *
 * event.c: points in the work of a queue. On the host, where the work is done, points in time.
 */
#include <stdlib.h>
#include <time.h>

#include "error.h"
#include "gpu/queue.h"

struct rung_event {
    rung_platform *platform;
    uint32_t position; /* of the device; RUNG_NONE where none has a driver */
    void *native;      /* the driver's */
    _Atomic bool recorded;
    _Atomic uint64_t nanoseconds; /* of the host's clock, where there is no device */
};

/* A driver's function on an event: its device is current. */
typedef struct step {
    rung_gpu *gpu;
    const rung_gpu_driver *driver;
    rung_text *detail;
} step;

static bool begin(const rung_event *event, step *s, rung_error *err)
{
    s->gpu = rung_gpu_enter(event->platform, event->position, err);
    s->driver = rung_gpu_driver_of(&event->platform->position[event->position]);
    return s->gpu != NULL;
}

static rung_status end(const rung_event *event, const step *s, rung_status status, const char *what, rung_error *err)
{
    s->driver->leave(s->gpu);
    return status == RUNG_OK ? rung_succeed(err)
                             : rung_gpu_failed(event->platform, event->position, status, what, s->detail->at, err);
}

rung_status rung_event_create(rung_platform *platform, rung_event **out, rung_error *err)
{
    if (platform == NULL || out == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, platform == NULL ? "no platform given" : "no place given");
    uint32_t position = RUNG_NONE;
    rung_status status = rung_gpu_open_first(platform, &position, err);
    if (status != RUNG_OK)
        return status;
    rung_event *event = malloc(sizeof *event);
    if (event == NULL)
        return RUNG_FAIL(err, RUNG_ERR_MEMORY, "out of memory");
    *event = (rung_event){.platform = platform, .position = position};
    if (position != RUNG_NONE) {
        char figures[RUNG_FIGURES_SIZE];
        rung_text detail = rung_text_in(figures, sizeof figures);
        step s = {.detail = &detail};
        status = RUNG_ERR_DEVICE;
        if (begin(event, &s, err))
            status =
                end(event, &s, s.driver->event_create(s.gpu, true, &event->native, &detail), "making an event", err);
        if (status != RUNG_OK) {
            free(event);
            return status;
        }
    }
    *out = event;
    return rung_succeed(err);
}

void rung_event_destroy(rung_event *event)
{
    if (event == NULL)
        return;
    rung_gpu *gpu = event->position == RUNG_NONE ? NULL : rung_gpu_here(&event->platform->position[event->position]);
    if (gpu != NULL) {
        const rung_gpu_driver *driver = rung_gpu_driver_of(&event->platform->position[event->position]);
        if (driver->enter(gpu, &(rung_text){.at = NULL}) == RUNG_OK) {
            driver->event_destroy(gpu, event->native);
            driver->leave(gpu);
        }
    }
    free(event);
}

/* The device of a platform changes where the first one is lost. */
static bool are_of_one(const rung_event *event, const rung_queue *queue)
{
    return event->platform == queue->platform && event->position == queue->position;
}

static uint64_t now(void)
{
    struct timespec t = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

rung_status rung_event_record(rung_event *event, rung_queue *queue, rung_error *err)
{
    if (event == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no event given");
    if (queue != NULL && !are_of_one(event, queue))
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "the queue is another platform's or device's");
    if (event->position == RUNG_NONE) {
        atomic_store(&event->nanoseconds, now());
        atomic_store(&event->recorded, true);
        return rung_succeed(err);
    }
    char figures[RUNG_FIGURES_SIZE];
    rung_text detail = rung_text_in(figures, sizeof figures);
    step s = {.detail = &detail};
    if (!begin(event, &s, err))
        return RUNG_ERR_DEVICE;
    rung_status status = s.driver->event_record(s.gpu, event->native, queue == NULL ? NULL : queue->stream, &detail);
    if (status == RUNG_OK)
        atomic_store(&event->recorded, true);
    return end(event, &s, status, "recording an event", err);
}

rung_status rung_event_wait(rung_event *event, rung_error *err)
{
    if (event == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no event given");
    if (event->position == RUNG_NONE)
        return rung_succeed(err);
    char figures[RUNG_FIGURES_SIZE];
    rung_text detail = rung_text_in(figures, sizeof figures);
    step s = {.detail = &detail};
    if (!begin(event, &s, err))
        return RUNG_ERR_DEVICE;
    return end(event, &s, s.driver->event_wait(s.gpu, event->native, &detail), "waiting for an event", err);
}

rung_status rung_queue_after(rung_queue *queue, rung_event *event, rung_error *err)
{
    if (queue == NULL || event == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, queue == NULL ? "no queue given" : "no event given");
    if (!are_of_one(event, queue))
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "the event is another platform's or device's");
    if (event->position == RUNG_NONE)
        return rung_succeed(err);
    char figures[RUNG_FIGURES_SIZE];
    rung_text detail = rung_text_in(figures, sizeof figures);
    step s = {.detail = &detail};
    if (!begin(event, &s, err))
        return RUNG_ERR_DEVICE;
    return end(event, &s, s.driver->stream_after(s.gpu, queue->stream, event->native, &detail),
               "having a queue wait for an event", err);
}

rung_status rung_event_seconds(const rung_event *from, const rung_event *to, double *seconds, rung_error *err)
{
    if (from == NULL || to == NULL || seconds == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, seconds == NULL ? "no place given" : "no event given");
    if (from->platform != to->platform || from->position != to->position)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "the events are of two platforms or devices");
    if (!atomic_load(&from->recorded) || !atomic_load(&to->recorded))
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "an event was never recorded");
    if (from->position == RUNG_NONE) {
        int64_t between = (int64_t)(atomic_load(&to->nanoseconds) - atomic_load(&from->nanoseconds));
        *seconds = (double)between * 1e-9;
        return rung_succeed(err);
    }
    char figures[RUNG_FIGURES_SIZE];
    rung_text detail = rung_text_in(figures, sizeof figures);
    step s = {.detail = &detail};
    if (!begin(from, &s, err))
        return RUNG_ERR_DEVICE;
    double found = 0;
    rung_status status = s.driver->event_seconds(s.gpu, from->native, to->native, &found, &detail);
    if (status == RUNG_OK)
        *seconds = found;
    return end(from, &s, status, "the time between two events", err);
}
