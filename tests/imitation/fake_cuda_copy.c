/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda_copy.c: copies and fills. A copy from plain host memory has read it when the call returns, one from pinned
 * memory reads when it runs; one to plain host memory has run when the call returns.
 */
#include "fake_cuda_api.h"
#include "fake_cuda_state.h"

static op *copy_op(void *to, const void *from, size_t bytes)
{
    op *o = fake_op(OP_COPY);
    if (o != NULL) {
        o->to = to;
        o->from = from;
        o->bytes = bytes;
    }
    return o;
}

static op *fill_op(deviceptr to, unsigned char value, size_t bytes)
{
    op *o = fake_op(OP_FILL);
    if (o != NULL) {
        o->to = (void *)to;
        o->value = value;
        o->bytes = bytes;
    }
    return o;
}

/* Puts what is read now in the place of the source. */
static op *read_now(op *o)
{
    void *copied = o == NULL || o->bytes == 0 ? NULL : malloc(o->bytes);
    if (o != NULL && copied != NULL) {
        o->from = memcpy(copied, o->from, o->bytes);
        o->owned = true;
    }
    return o;
}

/* ---- copies that are waited for ---------------------------------------------------------------------------------- */

static int enter_blocking(const char *entry)
{
    int code = fake_enter(entry, NEEDS_INIT | NEEDS_CONTEXT | ENDS_CAPTURE);
    if (code != 0)
        return code;
    code = fake_default_in_capture(fake_current());
    return code == 0 ? 0 : fake_leave(code);
}

/* Submits to the default stream and waits. */
static int wait_for(op *o)
{
    context *c = fake_current();
    const int code = fake_submit(&c->default_stream, o);
    return code == 0 ? fake_run(&c->default_stream, NULL) : code;
}

int cuMemcpyHtoD_v2(deviceptr to, const void *from, size_t bytes)
{
    bool pinned = false;
    int code = enter_blocking("cuMemcpyHtoD_v2");
    if (code != 0)
        return code;
    code = fake_in_device(to, bytes, "the target");
    if (code == 0)
        code = fake_in_host(from, bytes, &pinned);
    return fake_leave(code == 0 ? wait_for(copy_op((void *)to, from, bytes)) : code);
}

int cuMemcpyDtoH_v2(void *to, deviceptr from, size_t bytes)
{
    bool pinned = false;
    int code = enter_blocking("cuMemcpyDtoH_v2");
    if (code != 0)
        return code;
    code = fake_in_device(from, bytes, "the source");
    if (code == 0)
        code = fake_in_host(to, bytes, &pinned);
    return fake_leave(code == 0 ? wait_for(copy_op(to, (void *)from, bytes)) : code);
}

/* ---- on a stream ------------------------------------------------------------------------------------------------- */

static int enter_on(const char *entry, void *on, stream **out)
{
    int code = fake_enter(entry, NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    code = fake_stream(on, out);
    return code == 0 ? 0 : fake_leave(code);
}

int cuMemcpyHtoDAsync_v2(deviceptr to, const void *from, size_t bytes, void *on)
{
    stream *s = NULL;
    bool pinned = false;
    int code = enter_on("cuMemcpyHtoDAsync_v2", on, &s);
    if (code != 0)
        return code;
    code = fake_in_device(to, bytes, "the target");
    if (code == 0)
        code = fake_in_host(from, bytes, &pinned);
    if (code != 0)
        return fake_leave(code);
    op *o = copy_op((void *)to, from, bytes);
    if (!pinned && s->captured_by == NULL && fake_number("pageable", 0) == 0)
        o = read_now(o);
    return fake_leave(fake_submit(s, o));
}

int cuMemcpyDtoHAsync_v2(void *to, deviceptr from, size_t bytes, void *on)
{
    stream *s = NULL;
    bool pinned = false;
    int code = enter_on("cuMemcpyDtoHAsync_v2", on, &s);
    if (code != 0)
        return code;
    code = fake_in_device(from, bytes, "the source");
    if (code == 0)
        code = fake_in_host(to, bytes, &pinned);
    if (code == 0)
        code = fake_submit(s, copy_op(to, (void *)from, bytes));
    if (code == 0 && !pinned && s->captured_by == NULL && fake_number("pageable", 0) == 0)
        code = fake_run(s, NULL);
    return fake_leave(code);
}

static int copy_between(deviceptr to, deviceptr from, size_t bytes, stream *s)
{
    int code = fake_in_device(to, bytes, "the target");
    if (code == 0)
        code = fake_in_device(from, bytes, "the source");
    return code == 0 ? fake_submit(s, copy_op((void *)to, (void *)from, bytes)) : code;
}

int cuMemcpyDtoD_v2(deviceptr to, deviceptr from, size_t bytes)
{
    int code = enter_blocking("cuMemcpyDtoD_v2");
    if (code != 0)
        return code;
    return fake_leave(copy_between(to, from, bytes, &fake_current()->default_stream));
}

int cuMemcpyDtoDAsync_v2(deviceptr to, deviceptr from, size_t bytes, void *on)
{
    stream *s = NULL;
    int code = enter_on("cuMemcpyDtoDAsync_v2", on, &s);
    if (code != 0)
        return code;
    return fake_leave(copy_between(to, from, bytes, s));
}

int cuMemsetD8_v2(deviceptr to, unsigned char value, size_t bytes)
{
    int code = enter_blocking("cuMemsetD8_v2");
    if (code != 0)
        return code;
    code = fake_in_device(to, bytes, "the target");
    if (code == 0)
        code = fake_submit(&fake_current()->default_stream, fill_op(to, value, bytes));
    return fake_leave(code);
}

int cuMemsetD8Async(deviceptr to, unsigned char value, size_t bytes, void *on)
{
    stream *s = NULL;
    int code = enter_on("cuMemsetD8Async", on, &s);
    if (code != 0)
        return code;
    code = fake_in_device(to, bytes, "the target");
    return fake_leave(code == 0 ? fake_submit(s, fill_op(to, value, bytes)) : code);
}
