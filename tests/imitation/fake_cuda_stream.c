/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda_stream.c: streams and events. A stream that is asked whether it is done does one thing more each time.
 */
#include "fake_cuda_api.h"
#include "fake_cuda_state.h"

enum { NON_BLOCKING = 1, TIMING_OFF = 2, EVENT_FLAGS = 7 };

/* ---- streams ----------------------------------------------------------------------------------------------------- */

int fake_stream(void *handle, stream **out)
{
    if (handle == NULL || handle == (void *)1) { /* CU_STREAM_LEGACY */
        *out = &fake_current()->default_stream;
        return 0;
    }
    if (handle == (void *)2)
        return fake_violation(INVALID_HANDLE, "the imitation has no default stream per thread");
    const int code = fake_check(STREAM, handle, true);
    *out = code == 0 ? handle : NULL;
    return code;
}

int cuStreamCreate(void **out, unsigned flags)
{
    int code = fake_enter("cuStreamCreate", NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    if (flags > NON_BLOCKING)
        return fake_leave(fake_violation(INVALID_VALUE, "flags %u", flags));
    stream *s = fake_make(STREAM, sizeof *s, fake_current());
    if (s == NULL)
        return fake_leave(OUT_OF_MEMORY);
    s->blocking = flags == 0;
    *out = s;
    return fake_leave(0);
}

int cuStreamDestroy_v2(void *of)
{
    int code = fake_enter("cuStreamDestroy_v2", NEEDS_INIT);
    if (code != 0)
        return code;
    code = fake_check(STREAM, of, false);
    if (code != 0)
        return fake_leave(code);
    stream *s = of;
    if (s->captured_by != NULL)
        code = fake_violation(CAPTURE_UNSUPPORTED, "the stream is captured");
    if (code == 0)
        code = fake_run(s, NULL);
    fake_unmake(s);
    return fake_leave(code);
}

/* An entry about a stream, which runs nothing that is captured. */
static int enter_waiting(const char *entry, void *of, stream **out)
{
    int code = fake_enter(entry, NEEDS_INIT | NEEDS_CONTEXT | ENDS_CAPTURE);
    if (code != 0)
        return code;
    code = fake_stream(of, out);
    if (code == 0 && (*out)->captured_by != NULL) {
        (*out)->captured_by->invalid = true;
        code = fake_violation(CAPTURE_UNSUPPORTED, "the stream is captured");
    }
    return code == 0 ? 0 : fake_leave(code);
}

int cuStreamSynchronize(void *of)
{
    stream *s = NULL;
    int code = enter_waiting("cuStreamSynchronize", of, &s);
    if (code != 0)
        return code;
    context *c = fake_current();
    return fake_leave(s == &c->default_stream ? fake_run_default(c) : fake_run(s, NULL));
}

int cuStreamQuery(void *of)
{
    stream *s = NULL;
    int code = enter_waiting("cuStreamQuery", of, &s);
    if (code != 0)
        return code;
    (void)fake_step(s);
    code = s->h.of->sticky;
    return fake_leave(code == 0 && s->first != NULL ? NOT_READY : code);
}

int cuStreamWaitEvent(void *of, void *on, unsigned flags)
{
    stream *s = NULL;
    int code = fake_enter("cuStreamWaitEvent", NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    code = fake_stream(of, &s);
    if (code == 0)
        code = fake_check(EVENT, on, false);
    if (code == 0 && flags > 1)
        code = fake_violation(INVALID_VALUE, "flags %u", flags);
    if (code != 0)
        return fake_leave(code);
    event *e = on;
    if (e->captured_by != NULL || s->captured_by != NULL)
        return fake_leave(fake_capture_wait(s, e));
    if (e->at == NULL)
        return fake_leave(0);
    op *o = fake_op(OP_WAIT);
    if (o != NULL) {
        o->at = e->at;
        o->at->references++;
    }
    return fake_leave(fake_submit(s, o));
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

int cuEventCreate(void **out, unsigned flags)
{
    int code = fake_enter("cuEventCreate", NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    if (flags > EVENT_FLAGS || (flags >= 4 && (flags & TIMING_OFF) == 0))
        return fake_leave(fake_violation(INVALID_VALUE, "flags %u", flags));
    event *e = fake_make(EVENT, sizeof *e, fake_current());
    if (e == NULL)
        return fake_leave(OUT_OF_MEMORY);
    e->timed = (flags & TIMING_OFF) == 0;
    *out = e;
    return fake_leave(0);
}

int cuEventDestroy_v2(void *of)
{
    int code = fake_enter("cuEventDestroy_v2", NEEDS_INIT);
    if (code != 0)
        return code;
    code = fake_check(EVENT, of, false);
    if (code != 0)
        return fake_leave(code);
    event *e = of;
    fake_point_drop(e->at);
    e->at = NULL;
    fake_unmake(e);
    return fake_leave(e->h.of->sticky);
}

int cuEventRecord(void *of, void *in)
{
    stream *s = NULL;
    int code = fake_enter("cuEventRecord", NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    code = fake_stream(in, &s);
    if (code == 0)
        code = fake_check(EVENT, of, true);
    if (code != 0)
        return fake_leave(code);
    event *e = of;
    if (s->captured_by != NULL)
        return fake_leave(fake_capture_record(s, e));
    point *p = fake_point(s);
    op *o = fake_op(OP_RECORD);
    if (p == NULL || o == NULL) {
        free(p);
        free(o);
        return fake_leave(OUT_OF_MEMORY);
    }
    p->references = 2;
    o->at = p;
    fake_point_drop(e->at);
    e->at = p;
    e->captured_by = NULL;
    return fake_leave(fake_submit(s, o));
}

/* An entry about an event of any context that is not captured. */
static int enter_event(const char *entry, void *of)
{
    int code = fake_enter(entry, NEEDS_INIT | ENDS_CAPTURE);
    if (code != 0)
        return code;
    code = fake_check(EVENT, of, false);
    if (code == 0 && ((event *)of)->captured_by != NULL && fake_capture_holds(((event *)of)->captured_by))
        code = fake_violation(CAPTURED_EVENT, "the event is part of a capture");
    return code == 0 ? 0 : fake_leave(code);
}

int cuEventSynchronize(void *of)
{
    int code = enter_event("cuEventSynchronize", of);
    if (code != 0)
        return code;
    const event *e = of;
    if (e->at != NULL && !e->at->reached)
        code = fake_run(e->at->in, e->at);
    return fake_leave(e->h.of->sticky != 0 ? e->h.of->sticky : code);
}

int cuEventQuery(void *of)
{
    int code = enter_event("cuEventQuery", of);
    if (code != 0)
        return code;
    const event *e = of;
    if (e->at != NULL && !e->at->reached)
        (void)fake_step(e->at->in);
    code = e->h.of->sticky;
    return fake_leave(code == 0 && e->at != NULL && !e->at->reached ? NOT_READY : code);
}

static int elapsed(float *milliseconds, const event *from, const event *to)
{
    const event *both[] = {from, to};
    for (int i = 0; i < 2; i++) {
        const int code = fake_check(EVENT, both[i], false);
        if (code != 0)
            return code;
        if (both[i]->h.of->sticky != 0)
            return both[i]->h.of->sticky;
        if (!both[i]->timed || both[i]->at == NULL)
            return fake_violation(INVALID_HANDLE, "an event that was %s",
                                  both[i]->timed ? "never recorded" : "made without times");
    }
    if (from->h.of != to->h.of)
        return fake_violation(INVALID_HANDLE, "events of two contexts");
    if (!from->at->reached || !to->at->reached)
        return NOT_READY;
    *milliseconds = (float)((to->at->seconds - from->at->seconds) * 1e3);
    return 0;
}

int cuEventElapsedTime(float *milliseconds, void *from, void *to)
{
    int code = fake_enter("cuEventElapsedTime", NEEDS_INIT);
    return code != 0 ? code : fake_leave(elapsed(milliseconds, from, to));
}

int cuEventElapsedTime_v2(float *milliseconds, void *from, void *to)
{
    int code = fake_enter("cuEventElapsedTime_v2", NEEDS_INIT);
    return code != 0 ? code : fake_leave(elapsed(milliseconds, from, to));
}
