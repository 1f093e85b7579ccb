/* SPDX-License-Identifier: Apache-2.0
 *
 * buffer.h: what a buffer is, for the files that bring its data to where it is needed.
 *
 * Places: 0 is the host, 1 + i the device of position i. A buffer's bytes are cut into segments, each with the set of
 * places that hold them; where that is empty nobody has written them.
 */
#ifndef RUNG_GPU_BUFFER_H
#define RUNG_GPU_BUFFER_H

#include "gpu/queue.h"

enum { RUNG_PLACE_HOST = 0 };
#define RUNG_PLACE_BIT(place) ((uint32_t)1 << (place))
_Static_assert(1 + RUNG_CHAIN_MAX <= 32, "a bit for every place");

typedef struct rung_segment {
    size_t at;     /* its first byte; it ends where the next one begins */
    uint32_t held; /* RUNG_PLACE_BIT of the places that hold its bytes */
} rung_segment;

/* A buffer, or a part of one. */
struct rung_buffer {
    struct rung_memory_root *root;
    size_t offset, size;
};

/* The memory that a buffer and its parts share. */
typedef struct rung_memory_root {
    rung_buffer whole; /* the buffer that is not a part */
    rung_platform *platform;
    rung_queue *last; /* the queue of its last use on that queue's device; NULL: nothing is to be waited for */
    rung_segment *segments;
    size_t n_segments, room; /* at least one segment, of 0 bytes in an empty buffer */
    bool wrapped;            /* the host's copy is the caller's */
    rung_transfers transfers;
    struct rung_memory_root *next_unfreed; /* of a buffer that is destroyed, and whose memory could not be freed yet */
    void *copy[];                          /* by place; NULL: not needed yet */
} rung_memory_root;

/* ---- segments.c -------------------------------------------------------------------------------------------------- */

/* Makes room for so many more cuts. False: out of memory. */
bool rung_segments_reserve(rung_memory_root *root, size_t cuts);

/* The segments of the bytes from `at` to `end`, cut there if need be, for which there has to be room. */
typedef struct rung_segment_range {
    size_t first, end;
} rung_segment_range;
rung_segment_range rung_segments_of(rung_memory_root *root, size_t at, size_t end);

/* From now on held by one place alone. */
void rung_segments_write(rung_memory_root *root, rung_segment_range range, unsigned place);

static inline size_t rung_segment_end(const rung_memory_root *root, size_t segment)
{
    return segment + 1 < root->n_segments ? root->segments[segment + 1].at : root->whole.size;
}

/* ---- move.c ------------------------------------------------------------------------------------------------------ */

/* Brings data to a place, for a call or for the owner of the buffer. */
typedef struct rung_mover {
    rung_platform *platform;
    unsigned place;
    rung_queue *queue;   /* of that place's device; NULL: the driver's default stream, which is waited for */
    const char *to_what; /* for the log: the op, or what else it is for */
    rung_gpu *gpu;       /* the device of the place, once it is current; see rung_mover_end */
    rung_error *err;     /* not NULL */
} rung_mover;

/* The copy of a place, made if there is none: of one that is on a device, the mover has made that current. */
rung_status rung_mover_allocate(rung_mover *m, rung_memory_root *root);

/* Has the mover's queue, or the host, wait for whoever used the buffer last. */
rung_status rung_mover_order(rung_mover *m, rung_memory_root *root);

/* Copies what the place does not hold of a range that is going to be read. */
rung_status rung_mover_bring(rung_mover *m, rung_memory_root *root, rung_segment_range range);

/* Makes the device that was current before current again. */
void rung_mover_end(rung_mover *m);

#endif
