/* SPDX-License-Identifier: Apache-2.0
 *
 * buffer.c: memory that follows the device, for devices whose kernels reach host memory: one copy serves them all, and
 * nothing ever moves.
 */
#include <stdlib.h>

#include "error.h"
#include "platform.h"

struct rung_buffer {
    const rung_platform *platform;
    void *host;
    size_t size;
};

enum { ALIGNMENT = 64, HEADER = 64 };
_Static_assert(sizeof(rung_buffer) <= HEADER, "the header stands before the memory, in one block");

static rung_status check(const rung_platform *platform, rung_buffer **out, rung_error *err)
{
    if (platform == NULL || out == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, platform == NULL ? "no platform given" : "no place given");
    return RUNG_OK;
}

rung_status rung_buffer_create(rung_platform *platform, size_t bytes, rung_buffer **out, rung_error *err)
{
    rung_status status = check(platform, out, err);
    if (status != RUNG_OK)
        return status;
    if (bytes > (size_t)PTRDIFF_MAX - HEADER - ALIGNMENT)
        return RUNG_FAIL(err, RUNG_ERR_MEMORY, "out of memory: no object is that large");
    size_t room = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    char *block = aligned_alloc(ALIGNMENT, HEADER + (room == 0 ? ALIGNMENT : room));
    if (block == NULL)
        return RUNG_FAIL(err, RUNG_ERR_MEMORY, "out of memory");
    rung_buffer *buffer = (rung_buffer *)(void *)block;
    *buffer = (rung_buffer){.platform = platform, .host = block + HEADER, .size = bytes};
    *out = buffer;
    return rung_succeed(err);
}

rung_status rung_buffer_wrap(rung_platform *platform, void *host, size_t bytes, rung_buffer **out, rung_error *err)
{
    rung_status status = check(platform, out, err);
    if (status != RUNG_OK)
        return status;
    if (host == NULL && bytes > 0)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no memory given");
    rung_buffer *buffer = malloc(sizeof *buffer);
    if (buffer == NULL)
        return RUNG_FAIL(err, RUNG_ERR_MEMORY, "out of memory");
    *buffer = (rung_buffer){.platform = platform, .host = host, .size = bytes};
    *out = buffer;
    return rung_succeed(err);
}

void rung_buffer_destroy(rung_buffer *buffer)
{
    free(buffer);
}

size_t rung_buffer_size(const rung_buffer *buffer)
{
    return buffer == NULL ? 0 : buffer->size;
}

void *rung_buffer_host(rung_buffer *buffer)
{
    return buffer == NULL ? NULL : buffer->host;
}

rung_transfers rung_buffer_transfers(const rung_buffer *buffer)
{
    (void)buffer;
    return (rung_transfers){0};
}

rung_status rung_buffer_call(const rung_ctx *cx, const rung_registry *registry, uint32_t op, rung_buffer_use *uses,
                             size_t count, rung_ctx *plain)
{
    if (cx == NULL || cx->platform == NULL || cx->platform->head.registry != registry || op >= registry->n_ops ||
        plain == NULL)
        return RUNG_ERR_ARGUMENT;
    unsigned ordinal = rung_ordinal_in(cx->platform, op, cx->variant, RUNG_MEMORY_ANY);
    if (ordinal == RUNG_NO_CHOICE)
        return RUNG_ERR_NO_KERNEL;
    const rung_cell_row *cell = &registry->cells[registry->ops[op].first_cell + ordinal];
    const rung_position *position = rung_position_of(cx->platform, registry->arch_names[cell->arch].device);
    if (position == NULL || !position->host)
        return RUNG_ERR_UNAVAILABLE;
    for (size_t i = 0; i < count; i++) {
        rung_buffer *buffer = uses[i].buffer;
        if (buffer != NULL && (buffer->platform != cx->platform || uses[i].bytes > buffer->size))
            return RUNG_ERR_ARGUMENT;
        uses[i].data = buffer == NULL ? NULL : buffer->host;
    }
    *plain = *cx;
    plain->memory = RUNG_MEMORY_HOST;
    return RUNG_OK;
}
