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
 * ever change at a first use and in a forked child. */
typedef struct rung_platform_head {
    const rung_registry *registry;
    const _Atomic uint8_t *choice;
    uint32_t plane; /* n_ops * n_variants */
    uint32_t variants;
} rung_platform_head;

/* The ordinal to call, or RUNG_NO_CHOICE: no context, another registry's platform, an unknown kind of memory, no
 * kernel. */
static inline unsigned rung_pick(const rung_ctx *cx, const rung_registry *registry, uint32_t op)
{
    if (cx == NULL || cx->platform == NULL)
        return RUNG_NO_CHOICE;
    const rung_platform_head *head = (const rung_platform_head *)(const void *)cx->platform;
    if (head->registry != registry || cx->memory > RUNG_MEMORY_ANY)
        return RUNG_NO_CHOICE;
    uint32_t variant = cx->variant < head->variants ? cx->variant : 0;
    size_t at = (size_t)cx->memory * head->plane + (size_t)op * head->variants + variant;
    return atomic_load_explicit(&head->choice[at], memory_order_acquire);
}

/* What rung_pick had no choice for, once the first use of the chosen cell is done: the ordinal to call, or
 * RUNG_NO_CHOICE. Generated where an op has a cell that needs it. */
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

/* ---- buffer calls ------------------------------------------------------------------------------------------------ */

enum { RUNG_ACCESS_READ = 1, RUNG_ACCESS_WRITE = 2, RUNG_ACCESS_READ_WRITE = 3 };

/* Begins a buffer call of `op`: picks among all memories, and sets *plain to the context for the plain call of the
 * device that won: its memory kind. RUNG_ERR_NO_KERNEL or RUNG_ERR_ARGUMENT otherwise; RUNG_ERR_UNAVAILABLE when the
 * winner's device has memory of its own, to which this version moves nothing. */
RUNG_API rung_status rung_buffer_call(const rung_ctx *cx, const rung_registry *registry, uint32_t op, rung_ctx *plain);

/* The buffer's memory for the device of *plain, made valid for `access` (moved there if need be); *out is NULL for a
 * NULL buffer, which is fine for an optional argument. RUNG_ERR_ARGUMENT when the buffer has fewer than `bytes` or
 * belongs to another platform. */
RUNG_API rung_status rung_buffer_use(const rung_ctx *plain, rung_buffer *buffer, size_t bytes, int access, void **out);

#endif
