/* SPDX-License-Identifier: Apache-2.0
 *
 * kept.c: what kernels that call a library keep for each device of a platform: a list that only grows, so that it is
 * read without a lock.
 */
#include <stdlib.h>

#include "gpu/queue.h"

typedef struct rung_kept_object {
    struct rung_kept_object *next;
    const rung_keep *kind;
    void *object;
} rung_kept_object;

/* What was kept of a kind, from `from` to `end`. */
static void *find(const rung_kept_object *from, const rung_kept_object *end, const rung_keep *kind)
{
    while (from != end && from->kind != kind)
        from = from->next;
    return from == end ? NULL : from->object;
}

/* The object, or the one that another thread has kept in the meantime. */
static rung_status keep(rung_position *position, const rung_keep *kind, void **object)
{
    rung_kept_object *one = malloc(sizeof *one);
    if (one == NULL) {
        kind->destroy(*object);
        *object = NULL;
        return RUNG_ERR_MEMORY;
    }
    *one = (rung_kept_object){.kind = kind, .object = *object};
    const rung_kept_object *seen = NULL;
    one->next = atomic_load_explicit(&position->kept, memory_order_acquire);
    do {
        void *other = find(one->next, seen, kind);
        if (other != NULL) {
            free(one);
            kind->destroy(*object);
            *object = other;
            return RUNG_OK;
        }
        seen = one->next;
    } while (!atomic_compare_exchange_weak_explicit(&position->kept, &one->next, one, memory_order_release,
                                                    memory_order_acquire));
    return RUNG_OK;
}

rung_status rung_kept(const rung_ctx *cx, const rung_keep *kind, void **object)
{
    if (object == NULL)
        return RUNG_ERR_ARGUMENT;
    *object = NULL;
    if (cx == NULL || kind == NULL || cx->platform == NULL)
        return RUNG_ERR_ARGUMENT;
    rung_platform *p = cx->platform;
    uint32_t at = cx->reserved[RUNG_CTX_POSITION] - 1;
    rung_gpu *gpu = at < p->positions ? rung_gpu_at(&p->position[at]) : NULL;
    if (gpu == NULL)
        return RUNG_ERR_ARGUMENT;
    rung_position *position = &p->position[at];
    *object = find(atomic_load_explicit(&position->kept, memory_order_acquire), NULL, kind);
    if (*object != NULL)
        return RUNG_OK;
    char figures[RUNG_FIGURES_SIZE] = "the queue is being captured: call the op once before that";
    rung_status status = RUNG_ERR_ARGUMENT;
    if (cx->queue == NULL || !rung_gpu_driver_of(position)->stream_capturing(gpu, cx->queue->stream)) {
        figures[0] = '\0';
        status = kind->make(object, figures, sizeof figures);
        if (status == RUNG_OK)
            return keep(position, kind, object);
        *object = NULL;
    }
    return rung_gpu_failed(p, at, status, "making what a kernel keeps for the device", figures, NULL);
}

void rung_kept_end(rung_platform *p, uint32_t position)
{
    rung_kept_object *one = atomic_exchange(&p->position[position].kept, NULL);
    if (one == NULL)
        return;
    rung_gpu *gpu = rung_gpu_usable(p, position);
    const rung_gpu_driver *driver = rung_gpu_driver_of(&p->position[position]);
    bool current = gpu != NULL && driver->enter(gpu, &(rung_text){.at = NULL}) == RUNG_OK;
    while (one != NULL) {
        rung_kept_object *next = one->next;
        if (current)
            one->kind->destroy(one->object);
        free(one);
        one = next;
    }
    if (current)
        driver->leave(gpu);
}
