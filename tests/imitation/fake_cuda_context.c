/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda_context.c: primary contexts, and which one is current for a thread.
 */
#include "fake_cuda_api.h"
#include "fake_cuda_state.h"

context fake_contexts[FAKE_MOST];
static int retained;

enum { MOST_PUSHED = 64 };
static _Thread_local context *pushed[MOST_PUSHED];
static _Thread_local unsigned depth;

int rung_fake_cuda_contexts(void)
{
    return retained;
}

context *fake_current(void)
{
    return depth == 0 ? NULL : pushed[depth - 1];
}

int fake_usable(context **out)
{
    context *c = *out = fake_current();
    if (c == NULL)
        return fake_violation(INVALID_CONTEXT, "no context is current");
    if (c->retained == 0)
        return fake_violation(CONTEXT_IS_DESTROYED, "the current context was destroyed");
    return c->sticky;
}

/* An entry about a device. */
static int enter_of(const char *entry, int device)
{
    int code = fake_enter(entry, NEEDS_INIT);
    if (code == 0 && (device < 0 || device >= (int)fake_seen_count))
        code = fake_leave(INVALID_DEVICE);
    if (code != 0)
        return code;
    code = steer_entry_of(FAKE_CUDA, entry, (unsigned)device, 0);
    return code == 0 ? 0 : fake_leave(code);
}

int cuDevicePrimaryCtxRetain(void **out, int device)
{
    int code = enter_of("cuDevicePrimaryCtxRetain", device);
    if (code != 0)
        return code;
    if (fake_seen[device].mode == 2)
        return fake_leave(UNKNOWN);
    context *c = &fake_contexts[device];
    if (c->retained++ == 0) {
        c->device = device;
        c->generation++;
        c->sticky = 0;
        c->default_stream =
            (stream){.h = {.kind = STREAM, .live = true, .of = c, .generation = c->generation}, .blocking = true};
    }
    retained++;
    *out = c;
    return fake_leave(0);
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    int code = enter_of("cuDevicePrimaryCtxRelease_v2", device);
    if (code != 0)
        return code;
    context *c = &fake_contexts[device];
    if (c->retained == 0)
        return fake_leave(fake_violation(INVALID_CONTEXT, "the context of device %d is not retained", device));
    retained--;
    if (c->retained == 1) {
        (void)fake_run_all(c);
        c->generation++; /* what is left of it is of no more use */
        c->used = 0;
    }
    c->retained--;
    return fake_leave(0);
}

int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active)
{
    int code = enter_of("cuDevicePrimaryCtxGetState", device);
    if (code != 0)
        return code;
    *flags = 0;
    *active = fake_contexts[device].retained > 0;
    return fake_leave(0);
}

/* ---- for a thread ------------------------------------------------------------------------------------------------ */

static int is_context(const void *handle)
{
    for (int i = 0; i < FAKE_MOST; i++)
        if (handle == &fake_contexts[i])
            return fake_contexts[i].retained > 0
                       ? 0
                       : fake_violation(CONTEXT_IS_DESTROYED, "%p is a context that was destroyed", handle);
    return fake_violation(INVALID_CONTEXT, "%p is no context", handle);
}

int cuCtxGetCurrent(void **out)
{
    int code = fake_enter("cuCtxGetCurrent", NEEDS_INIT);
    if (code != 0)
        return code;
    *out = fake_current();
    return fake_leave(0);
}

int cuCtxSetCurrent(void *to)
{
    int code = fake_enter("cuCtxSetCurrent", NEEDS_INIT);
    if (code != 0)
        return code;
    code = to == NULL ? 0 : is_context(to);
    if (code == 0 && to == NULL)
        depth -= depth > 0;
    else if (code == 0)
        pushed[depth == 0 ? depth++ : depth - 1] = to;
    return fake_leave(code);
}

int cuCtxPushCurrent_v2(void *to)
{
    int code = fake_enter("cuCtxPushCurrent_v2", NEEDS_INIT);
    if (code != 0)
        return code;
    code = is_context(to);
    if (code == 0 && depth == MOST_PUSHED)
        code = fake_violation(INVALID_VALUE, "%d contexts are pushed already", MOST_PUSHED);
    if (code == 0)
        pushed[depth++] = to;
    return fake_leave(code);
}

int cuCtxPopCurrent_v2(void **out)
{
    int code = fake_enter("cuCtxPopCurrent_v2", NEEDS_INIT);
    if (code != 0)
        return code;
    if (depth == 0)
        return fake_leave(fake_violation(INVALID_CONTEXT, "no context is current"));
    depth--;
    if (out != NULL)
        *out = pushed[depth];
    return fake_leave(0);
}

int cuCtxGetDevice(int *device)
{
    int code = fake_enter("cuCtxGetDevice", NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    *device = fake_current()->device;
    return fake_leave(0);
}

int cuCtxSynchronize(void)
{
    int code = fake_enter("cuCtxSynchronize", NEEDS_INIT | NEEDS_CONTEXT | ENDS_CAPTURE);
    if (code != 0)
        return code;
    return fake_leave(fake_run_all(fake_current()));
}
