/* SPDX-License-Identifier: Apache-2.0
 *
 * copy.c: copies between the host and the device. Source for what waits for what: "API synchronization behavior" of the
 * CUDA documentation: a copy from plain memory has read it when the call returns, unless the device reaches such memory
 * by itself; a copy from pinned memory has not.
 */
#include <string.h>

#include "cuda/state.h"

/* Up to SMALL the driver puts the bytes into its own stream of commands. */
enum { SMALL = 64 * 1024, CHUNK = 4 * 1024 * 1024 };

/* ---- staging ----------------------------------------------------------------------------------------------------- */

static char *chunk(const rung_cuda_staging *s, size_t nth)
{
    return (char *)s->memory + (nth % RUNG_CUDA_CHUNKS) * CHUNK;
}

void rung_cuda_staging_end(rung_gpu *gpu)
{
    rung_cuda_staging *s = &gpu->staging;
    for (size_t i = 0; i < RUNG_CUDA_CHUNKS; i++) {
        if (s->event[i] != NULL)
            (void)gpu->api.event_destroy(s->event[i]);
        s->event[i] = NULL;
    }
    if (s->memory != NULL)
        (void)gpu->api.pinned_free(s->memory);
    s->memory = NULL;
}

/* What fails here is no failure of the copy, which has another way. */
static bool make(rung_gpu *gpu)
{
    rung_cuda_staging *s = &gpu->staging;
    int code =
        rung_cuda_note(gpu, "cuMemHostAlloc", gpu->api.pinned_alloc(&s->memory, (size_t)RUNG_CUDA_CHUNKS * CHUNK, 0));
    if (code != 0)
        s->memory = NULL;
    for (size_t i = 0; code == 0 && i < RUNG_CUDA_CHUNKS; i++) {
        code =
            rung_cuda_note(gpu, "cuEventCreate", gpu->api.event_create(&s->event[i], RUNG_CUDA_EVENT_DISABLE_TIMING));
        if (code != 0)
            s->event[i] = NULL;
    }
    if (code != 0)
        rung_cuda_staging_end(gpu);
    return code == 0;
}

bool rung_cuda_staging_take(rung_gpu *gpu)
{
    rung_cuda_staging *s = &gpu->staging;
    if (atomic_exchange_explicit(&s->taken, true, memory_order_acquire))
        return false;
    if (!s->refused && s->memory == NULL)
        s->refused = !make(gpu);
    if (!s->refused)
        return true;
    rung_cuda_staging_give(gpu);
    return false;
}

void rung_cuda_staging_give(rung_gpu *gpu)
{
    atomic_store_explicit(&gpu->staging.taken, false, memory_order_release);
}

/* Until the device has done with a chunk. */
static rung_status await(rung_gpu *gpu, size_t nth, rung_text *detail)
{
    rung_cuda_staging *s = &gpu->staging;
    size_t i = nth % RUNG_CUDA_CHUNKS;
    if (!s->pending[i])
        return RUNG_OK;
    rung_status status = rung_cuda_done(gpu, errno, "cuEventSynchronize", gpu->api.event_wait(s->event[i]), detail);
    if (status == RUNG_OK)
        s->pending[i] = false;
    return status;
}

/* To be called once the device has been told to use a chunk. */
static rung_status mark(rung_gpu *gpu, size_t nth, void *stream, rung_text *detail)
{
    rung_cuda_staging *s = &gpu->staging;
    size_t i = nth % RUNG_CUDA_CHUNKS;
    rung_status status =
        rung_cuda_done(gpu, errno, "cuEventRecord", gpu->api.event_record(s->event[i], stream), detail);
    if (status == RUNG_OK)
        s->pending[i] = true;
    else if (rung_cuda_note(gpu, "cuStreamSynchronize", gpu->api.stream_wait(stream)) != 0)
        s->refused = true; /* nobody knows when the device has done with it */
    return status;
}

static size_t part(size_t bytes, size_t nth)
{
    size_t left = bytes - nth * CHUNK;
    return left < CHUNK ? left : CHUNK;
}

static rung_status in_parts(rung_gpu *gpu, uintptr_t device, const char *host, size_t bytes, void *stream,
                            rung_text *detail)
{
    rung_status status = RUNG_OK;
    for (size_t i = 0; status == RUNG_OK && i * CHUNK < bytes; i++) {
        size_t n = part(bytes, i);
        char *pinned = chunk(&gpu->staging, i);
        status = await(gpu, i, detail);
        if (status != RUNG_OK)
            break;
        memcpy(pinned, host + i * CHUNK, n);
        status = rung_cuda_done(gpu, errno, "cuMemcpyHtoDAsync",
                                gpu->api.copy_in(device + i * CHUNK, pinned, n, stream), detail);
        if (status == RUNG_OK)
            status = mark(gpu, i, stream, detail);
    }
    return status;
}

/* The device is one chunk ahead of the processor. */
static rung_status out_parts(rung_gpu *gpu, char *host, uintptr_t device, size_t bytes, void *stream, rung_text *detail)
{
    size_t parts = (bytes + CHUNK - 1) / CHUNK;
    rung_status status = RUNG_OK;
    for (size_t i = 0; status == RUNG_OK && i <= parts; i++) {
        if (i < parts) {
            status = await(gpu, i, detail); /* of an earlier copy */
            if (status == RUNG_OK)
                status = rung_cuda_done(
                    gpu, errno, "cuMemcpyDtoHAsync",
                    gpu->api.copy_out(chunk(&gpu->staging, i), device + i * CHUNK, part(bytes, i), stream), detail);
            if (status == RUNG_OK)
                status = mark(gpu, i, stream, detail);
        }
        if (status == RUNG_OK && i > 0)
            status = await(gpu, i - 1, detail);
        if (status == RUNG_OK && i > 0)
            memcpy(host + (i - 1) * CHUNK, chunk(&gpu->staging, i - 1), part(bytes, i - 1));
    }
    return status;
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

/* What there is to say before a copy; OK when it can be begun. */
static rung_status begin(rung_gpu *gpu, void *stream, rung_text *detail)
{
    if (rung_cuda_is_lost(gpu, detail))
        return RUNG_ERR_DEVICE;
    if (!rung_cuda_stream_capturing(gpu, stream))
        return RUNG_OK;
    if (detail != NULL)
        rung_text_add(detail, "the stream is being captured into a graph: the data has to be brought before that");
    return RUNG_ERR_ARGUMENT;
}

static bool by_parts(rung_gpu *gpu, size_t bytes, bool plain)
{
    return bytes > SMALL && plain && rung_cuda_staging_take(gpu);
}

rung_status rung_cuda_copy_in(rung_gpu *gpu, void *device, const void *host, size_t bytes, void *stream,
                              rung_text *detail)
{
    if (bytes == 0)
        return RUNG_OK;
    rung_status status = begin(gpu, stream, detail);
    if (status != RUNG_OK)
        return status;
    int saved = errno;
    bool plain = rung_cuda_is_plain(gpu, host);
    if (by_parts(gpu, bytes, plain)) {
        status = in_parts(gpu, (uintptr_t)device, host, bytes, stream, detail);
        rung_cuda_staging_give(gpu);
    } else {
        status = rung_cuda_done(gpu, saved, "cuMemcpyHtoDAsync",
                                gpu->api.copy_in((uintptr_t)device, host, bytes, stream), detail);
        if (status == RUNG_OK && (!plain || gpu->pageable))
            status = rung_cuda_stream_wait(gpu, stream, detail);
    }
    errno = saved;
    return status;
}

rung_status rung_cuda_copy_out(rung_gpu *gpu, void *host, const void *device, size_t bytes, void *stream,
                               rung_text *detail)
{
    if (bytes == 0)
        return RUNG_OK;
    rung_status status = begin(gpu, stream, detail);
    if (status != RUNG_OK)
        return status;
    int saved = errno;
    if (by_parts(gpu, bytes, bytes > SMALL && rung_cuda_is_plain(gpu, host))) {
        status = out_parts(gpu, host, (uintptr_t)device, bytes, stream, detail);
        rung_cuda_staging_give(gpu);
    } else {
        status = rung_cuda_done(gpu, saved, "cuMemcpyDtoHAsync",
                                gpu->api.copy_out(host, (uintptr_t)device, bytes, stream), detail);
        if (status == RUNG_OK)
            status = rung_cuda_stream_wait(gpu, stream, detail);
    }
    errno = saved;
    return status;
}
