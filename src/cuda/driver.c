/* SPDX-License-Identifier: Apache-2.0
 *
 * driver.c: streams, events and memory, and the constant through which the library sees all of this folder. Nothing
 * else of the library names it: it enters a static link with a registry that has images for CUDA.
 */
#include "cuda/state.h"

/* ---- streams ----------------------------------------------------------------------------------------------------- */

/* Streams that do not wait for the default one: work that other users of CUDA put on that neither holds them up nor is
 * held up by them, and the default one can be used while one of these is captured into a graph. */
static rung_status stream_create(rung_gpu *gpu, void **out, rung_text *detail)
{
    *out = NULL;
    if (rung_cuda_is_lost(gpu, detail))
        return RUNG_ERR_DEVICE;
    int saved = errno;
    return rung_cuda_done(gpu, saved, "cuStreamCreate", gpu->api.stream_create(out, RUNG_CUDA_STREAM_NON_BLOCKING),
                          detail);
}

static void stream_destroy(rung_gpu *gpu, void *stream)
{
    int saved = errno;
    (void)rung_cuda_done(gpu, saved, "cuStreamDestroy", gpu->api.stream_destroy(stream), NULL);
}

rung_status rung_cuda_stream_wait(rung_gpu *gpu, void *stream, rung_text *detail)
{
    if (rung_cuda_is_lost(gpu, detail))
        return RUNG_ERR_DEVICE;
    int saved = errno;
    return rung_cuda_done(gpu, saved, "cuStreamSynchronize", gpu->api.stream_wait(stream), detail);
}

bool rung_cuda_stream_capturing(rung_gpu *gpu, void *stream)
{
    /* of the default stream, while another one is captured that waits for it: it cannot be used until that has ended */
    enum { CAPTURE_IMPLICIT = 906 };
    int saved = errno;
    int status = 0;
    int code = gpu->api.stream_capturing(stream, &status);
    (void)rung_cuda_done(gpu, saved, "cuStreamIsCapturing", code, NULL);
    return code == CAPTURE_IMPLICIT || (code == 0 && status != 0);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static rung_status event_create(rung_gpu *gpu, bool timed, void **out, rung_text *detail)
{
    *out = NULL;
    if (rung_cuda_is_lost(gpu, detail))
        return RUNG_ERR_DEVICE;
    int saved = errno;
    unsigned flags = timed ? 0 : RUNG_CUDA_EVENT_DISABLE_TIMING;
    return rung_cuda_done(gpu, saved, "cuEventCreate", gpu->api.event_create(out, flags), detail);
}

static void event_destroy(rung_gpu *gpu, void *event)
{
    int saved = errno;
    (void)rung_cuda_done(gpu, saved, "cuEventDestroy", gpu->api.event_destroy(event), NULL);
}

static rung_status event_record(rung_gpu *gpu, void *event, void *stream, rung_text *detail)
{
    if (rung_cuda_is_lost(gpu, detail))
        return RUNG_ERR_DEVICE;
    int saved = errno;
    return rung_cuda_done(gpu, saved, "cuEventRecord", gpu->api.event_record(event, stream), detail);
}

static rung_status event_wait(rung_gpu *gpu, void *event, rung_text *detail)
{
    if (rung_cuda_is_lost(gpu, detail))
        return RUNG_ERR_DEVICE;
    int saved = errno;
    return rung_cuda_done(gpu, saved, "cuEventSynchronize", gpu->api.event_wait(event), detail);
}

static rung_status stream_after(rung_gpu *gpu, void *stream, void *event, rung_text *detail)
{
    if (rung_cuda_is_lost(gpu, detail))
        return RUNG_ERR_DEVICE;
    int saved = errno;
    return rung_cuda_done(gpu, saved, "cuStreamWaitEvent", gpu->api.stream_after(stream, event, 0), detail);
}

static rung_status event_seconds(rung_gpu *gpu, void *from, void *to, double *seconds, rung_text *detail)
{
    if (rung_cuda_is_lost(gpu, detail))
        return RUNG_ERR_DEVICE;
    int saved = errno;
    float milliseconds = 0;
    rung_status status =
        rung_cuda_done(gpu, saved, "cuEventElapsedTime", gpu->api.event_elapsed(&milliseconds, from, to), detail);
    if (status == RUNG_OK)
        *seconds = (double)milliseconds / 1000;
    return status;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static rung_status memory_alloc(rung_gpu *gpu, size_t bytes, void **out, rung_text *detail)
{
    *out = NULL;
    if (rung_cuda_is_lost(gpu, detail))
        return RUNG_ERR_DEVICE;
    int saved = errno;
    uintptr_t memory = 0;
    rung_status status = rung_cuda_done(gpu, saved, "cuMemAlloc", gpu->api.memory_alloc(&memory, bytes), detail);
    if (status == RUNG_OK) {
        *out = (void *)memory; /* NOLINT(performance-no-int-to-ptr): that is how addresses of devices are given */
    } else if (detail != NULL) {
        rung_text_add(detail, " for ");
        rung_text_uint(detail, bytes);
        rung_text_add(detail, " bytes");
    }
    return status;
}

static rung_status memory_free(rung_gpu *gpu, void *memory)
{
    int saved = errno;
    return rung_cuda_done(gpu, saved, "cuMemFree", gpu->api.memory_free((uintptr_t)memory), NULL);
}

/* In one call, which unlike that for one attribute takes any address. */
typedef struct address {
    unsigned type;
    int ordinal;
    unsigned managed;
} address;

static bool ask(rung_gpu *gpu, const void *at, address *out)
{
    static const int attributes[] = {RUNG_CUDA_MEMORY_TYPE, RUNG_CUDA_ORDINAL, RUNG_CUDA_IS_MANAGED};
    *out = (address){0, -1, 0};
    void *values[] = {&out->type, &out->ordinal, &out->managed};
    int saved = errno;
    return rung_cuda_done(gpu, saved, "cuPointerGetAttributes",
                          gpu->api.pointer_attributes(3, attributes, values, (uintptr_t)at), NULL) == RUNG_OK;
}

bool rung_cuda_is_plain(rung_gpu *gpu, const void *at)
{
    address a;
    return ask(gpu, at, &a) && a.type == 0 && a.managed == 0;
}

static bool is_own(rung_gpu *gpu, const void *at)
{
    if (at == NULL)
        return false;
    address a;
    if (!ask(gpu, at, &a))
        return false;
    return a.managed != 0 || (a.type == RUNG_CUDA_MEMORY_DEVICE && a.ordinal == gpu->ordinal);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static const char *lost(const rung_gpu *gpu)
{
    return atomic_load_explicit(&gpu->lost, memory_order_acquire);
}

const rung_gpu_driver rung_cuda_driver = {
    .open = rung_cuda_open_device,
    .close = rung_cuda_close_device,
    .enter = rung_cuda_enter,
    .leave = rung_cuda_leave,
    .lost = lost,
    .load = rung_cuda_load,
    .launch = rung_cuda_launch,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_wait = rung_cuda_stream_wait,
    .stream_capturing = rung_cuda_stream_capturing,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_wait = event_wait,
    .stream_after = stream_after,
    .event_seconds = event_seconds,
    .alloc = memory_alloc,
    .free = memory_free,
    .copy_in = rung_cuda_copy_in,
    .copy_out = rung_cuda_copy_out,
    .is_own = is_own,
};
