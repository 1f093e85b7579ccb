/* SPDX-License-Identifier: Apache-2.0
 *
 * dispatch.h: what a generated dispatch function needs on the call path. For generated code and kernels; C only.
 */
#ifndef RUNG_DISPATCH_H
#define RUNG_DISPATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rung/rung.h"
#include "rung/table.h"

/* The head of every rung_platform: all that a call reads. choice[memory * plane + op * variants + variant] is the
 * ordinal of the cell to call, RUNG_NO_CHOICE when there is none or when its first use is still to come. Entries only
 * ever change at a first use, in a forked child, and when a device is lost. */
typedef struct rung_platform_head {
    const rung_registry *registry;
    const _Atomic uint8_t *choice;
    uint32_t plane; /* n_ops * n_variants */
    uint32_t variants;
} rung_platform_head;

/* Places in rung_ctx.reserved, where 0 stands for nothing. */
enum {
    /* 1 + the ordinal of the cell whose device the data is on: from a buffer call to the plain call that it makes,
     * whose memory is RUNG_MEMORY_ANY. */
    RUNG_CTX_ORDINAL,
    /* 1 + the position of the call's device in the platform's chain: likewise, and from rung_device_begin to the
     * kernel, whatever the memory. */
    RUNG_CTX_POSITION
};

/* The ordinal to call, or RUNG_NO_CHOICE: no context, another registry's platform, an unknown kind of memory, no
 * kernel. */
static inline unsigned rung_pick(const rung_ctx *cx, const rung_registry *registry, uint32_t op)
{
    if (cx == NULL || cx->platform == NULL)
        return RUNG_NO_CHOICE;
    const rung_platform_head *head = (const rung_platform_head *)(const void *)cx->platform;
    if (head->registry != registry)
        return RUNG_NO_CHOICE;
    if (cx->memory > RUNG_MEMORY_DEVICE)
        return cx->memory == RUNG_MEMORY_ANY && cx->reserved[RUNG_CTX_ORDINAL] != 0 ? cx->reserved[RUNG_CTX_ORDINAL] - 1
                                                                                    : RUNG_NO_CHOICE;
    uint32_t variant = cx->variant < head->variants ? cx->variant : 0;
    size_t at = (size_t)cx->memory * head->plane + (size_t)op * head->variants + variant;
    return atomic_load_explicit(&head->choice[at], memory_order_acquire);
}

/* What rung_pick had no choice for, once the first use of the chosen cell is done: the ordinal to call, or
 * RUNG_NO_CHOICE. Generated where an op has a cell that needs it. While cx->queue is being captured, no first use is
 * done on a device with a driver: rung_device_begin refuses that cell then. */
RUNG_API unsigned rung_first_use(const rung_ctx *cx, const rung_registry *registry, uint32_t op);

/* The answer when there is no ordinal: RUNG_ERR_ARGUMENT for a context that does not fit, else RUNG_ERR_NO_KERNEL. */
RUNG_API rung_status rung_no_kernel(const rung_ctx *cx, const rung_registry *registry);

/* *bytes *= n; true when that overflows, or when the product could not be an object (above PTRDIFF_MAX). */
static inline bool rung_grow(size_t *bytes, size_t n)
{
    return __builtin_mul_overflow(*bytes, n, bytes) || *bytes > (size_t)PTRDIFF_MAX;
}

static inline bool rung_has_workspace(const rung_ctx *cx, uint64_t bytes)
{
    return cx->workspace != NULL && cx->workspace_size >= bytes && (uintptr_t)cx->workspace % 64 == 0;
}

/* ---- kernels on devices with drivers ----------------------------------------------------------------------------- */

/* A call on such a device, from before its arguments are looked at to after its kernel has been launched. */
typedef struct rung_device_call {
    rung_ctx cx; /* for the kernel: the caller's, with what rung_launch needs */
} rung_device_call;

/* Begins one, of the cell that was picked: makes its device current, for rung_device_end. `arrays` are the op's, NULL
 * for an optional one that is not given. RUNG_ERR_ARGUMENT for an array with bytes that is not memory of that device,
 * or a queue of another platform, and for a cell whose first use has to wait for the end of a capture;
 * RUNG_ERR_WORKSPACE for one that the cell cannot use; RUNG_ERR_DEVICE for a device that was lost. Nothing is to be
 * ended then. */
RUNG_API rung_status rung_device_begin(const rung_ctx *cx, const rung_registry *registry, uint32_t op, unsigned ordinal,
                                       const void *const *arrays, const size_t *bytes, size_t count,
                                       rung_device_call *call);

/* Ends it with what its kernel answered, and gives the call's answer. Without a queue, waits until it is done. */
RUNG_API rung_status rung_device_end(const rung_device_call *call, rung_status status);

/* ---- buffer calls ------------------------------------------------------------------------------------------------ */

enum { RUNG_ACCESS_READ = 1, RUNG_ACCESS_WRITE = 2, RUNG_ACCESS_READ_WRITE = 3 };

/* An array of a buffer call. */
typedef struct rung_buffer_use {
    rung_buffer *buffer; /* NULL for an optional one that is not given */
    size_t bytes;        /* that the kernel reaches */
    int access;
    void *data; /* filled: where it is for the kernel, NULL for a NULL buffer */
} rung_buffer_use;

/* Begins a buffer call of `op`: picks among all memories, brings the data to the device that won, and sets *plain to
 * the context for the plain call there. Where it fails, the buffers hold what they held: RUNG_ERR_NO_KERNEL,
 * RUNG_ERR_ARGUMENT for a buffer that has fewer bytes or belongs to another platform, as a queue may,
 * RUNG_ERR_WORKSPACE, RUNG_ERR_MEMORY, RUNG_ERR_DEVICE. */
RUNG_API rung_status rung_buffer_call(const rung_ctx *cx, const rung_registry *registry, uint32_t op,
                                      rung_buffer_use *uses, size_t count, rung_ctx *plain);

/* Ends what rung_buffer_call has begun, with the answer of the plain call, which it returns. What was to be written is
 * then held by the device that was called alone, or, where the call has failed, as before it: but for bytes that no
 * other place held, of which the kernel may have written some. */
RUNG_API rung_status rung_buffer_done(const rung_ctx *plain, const rung_buffer_use *uses, size_t count,
                                      rung_status status);

#endif
