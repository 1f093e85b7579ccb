/* SPDX-License-Identifier: Apache-2.0
 *
 * queue.h: what a queue is, for the files that put work on one.
 *
 * A queue's memory lives until the last buffer that remembers it is gone; its stream only until it is destroyed.
 */
#ifndef RUNG_GPU_QUEUE_H
#define RUNG_GPU_QUEUE_H

#include "gpu/gpu.h"

struct rung_queue {
    rung_platform *platform;
    uint32_t position;               /* of the device; RUNG_NONE where none has a driver */
    bool wrapped;                    /* the stream is the caller's */
    void *stream;                    /* the driver's */
    void *event;                     /* for other streams that have to wait for this one */
    atomic_uint references;          /* the owner's and those of buffers */
    atomic_uint visitors;            /* threads that are using the stream for a buffer that remembers the queue */
    _Atomic bool destroyed;          /* its work is done and its stream is not to be touched */
    struct rung_queue *next_unended; /* of one that its owner has destroyed while it was being captured */
};

/* A queue may be NULL in the first two. */
void rung_queue_retain(rung_queue *queue);
void rung_queue_release(rung_queue *queue);

/* Before and after the stream of a queue is used on behalf of a buffer that remembers it. False: it was destroyed, so
 * that all of its work is done, and nothing is to be ended. */
bool rung_queue_visit(rung_queue *queue);
void rung_queue_leave(rung_queue *queue);

/* Whether its stream is being captured into a graph: to wait for it would end that. */
bool rung_queue_captured(const rung_queue *queue);

#endif
