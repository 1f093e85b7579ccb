/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda_capture.c: the capture of streams, and graphs. A graph keeps what was captured in the order of the calls,
 * which is one of those that its edges allow.
 */
#include "fake_cuda_api.h"
#include "fake_cuda_state.h"

static capture *running;

static uintptr_t this_thread(void)
{
    static _Thread_local char here;
    return (uintptr_t)&here;
}

/* ---- rules ------------------------------------------------------------------------------------------------------- */

int fake_not_in_capture(void)
{
    for (capture *c = running; c != NULL; c = c->next) {
        if (c->mode == MODE_RELAXED || (c->mode == MODE_THREAD && c->thread != this_thread()))
            continue;
        c->invalid = true;
        return fake_violation(CAPTURE_UNSUPPORTED, "while a stream is captured");
    }
    return 0;
}

int fake_default_in_capture(context *of)
{
    for (capture *c = running; c != NULL; c = c->next)
        if (c->of == of && c->origin->blocking) {
            c->invalid = true;
            return fake_violation(CAPTURE_IMPLICIT, "the default stream waits for a stream that is captured");
        }
    return 0;
}

bool fake_capture_holds(const capture *of)
{
    for (const capture *c = running; c != NULL; c = c->next)
        if (c == of)
            return true;
    return false;
}

/* ---- capturing --------------------------------------------------------------------------------------------------- */

int fake_captured(stream *s, op *o)
{
    capture *c = s->captured_by;
    if (c->invalid) {
        fake_op_free(o);
        return fake_violation(CAPTURE_INVALIDATED, "the capture is not valid any more");
    }
    s->captured++;
    if (c->last == NULL)
        c->first = o;
    else
        c->last->next = o;
    c->last = o;
    return 0;
}

int fake_capture_record(stream *s, event *e)
{
    if (s->captured_by->invalid)
        return fake_violation(CAPTURE_INVALIDATED, "the capture is not valid any more");
    e->captured_by = s->captured_by;
    e->captured_in = s;
    e->captured_at = s->captured;
    return 0;
}

int fake_capture_wait(stream *s, event *e)
{
    if (e->captured_by == NULL) {
        s->captured_by->invalid = true;
        return fake_violation(CAPTURE_ISOLATION, "a captured stream waits for an event from outside of the capture");
    }
    if (!fake_capture_holds(e->captured_by))
        return s->captured_by == NULL ? 0 : fake_violation(CAPTURE_ISOLATION, "an event of a capture that has ended");
    if (s == &s->h.of->default_stream)
        return fake_violation(CAPTURE_IMPLICIT, "the default stream waits for a captured event");
    if (s->captured_by != NULL && s->captured_by != e->captured_by) {
        s->captured_by->invalid = e->captured_by->invalid = true;
        return fake_violation(CAPTURE_MERGE, "two captures would become one");
    }
    if (s->captured_by == NULL) {
        s->captured_by = e->captured_by;
        s->captured = s->joined = 0;
    }
    if (e->captured_in != s && e->captured_at > e->captured_in->joined)
        e->captured_in->joined = e->captured_at;
    return 0;
}

int cuStreamBeginCapture_v2(void *of, int mode)
{
    stream *s = NULL;
    int code = fake_enter("cuStreamBeginCapture_v2", NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    code = fake_stream(of, &s);
    if (code == 0 && s == &s->h.of->default_stream)
        code = fake_violation(CAPTURE_UNSUPPORTED, "the default stream is never captured");
    if (code == 0 && (s->captured_by != NULL || mode < MODE_GLOBAL || mode > MODE_RELAXED))
        code = fake_violation(INVALID_VALUE, "mode %d, %s", mode, s->captured_by == NULL ? "" : "captured already");
    capture *c = code == 0 ? calloc(1, sizeof *c) : NULL;
    if (code == 0 && c == NULL)
        code = OUT_OF_MEMORY;
    if (code != 0)
        return fake_leave(code);
    *c = (capture){.next = running, .of = s->h.of, .origin = s, .mode = mode, .thread = this_thread()};
    running = c;
    s->captured_by = c;
    s->captured = s->joined = 0;
    return fake_leave(0);
}

static void free_ops(op *o)
{
    while (o != NULL) {
        op *next = o->next;
        fake_op_free(o);
        o = next;
    }
}

/* Lets go of every stream of a capture; whether all that were not its origin had joined it again. */
static bool let_go(capture *c)
{
    bool joined = true;
    for (handle *h = fake_first(STREAM); h != NULL; h = h->next) {
        stream *s = (stream *)h;
        if (s->captured_by != c)
            continue;
        joined = joined && (s == c->origin || s->joined == s->captured);
        s->captured_by = NULL;
    }
    for (capture **at = &running; *at != NULL; at = &(*at)->next)
        if (*at == c) {
            *at = c->next;
            break;
        }
    return joined;
}

int cuStreamEndCapture(void *of, void **out)
{
    stream *s = NULL;
    int code = fake_enter("cuStreamEndCapture", NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    code = fake_stream(of, &s);
    if (code != 0)
        return fake_leave(code);
    capture *c = s->captured_by;
    if (c == NULL)
        return fake_leave(fake_violation(INVALID_VALUE, "the stream is not captured"));
    if (c->origin != s)
        return fake_leave(fake_violation(CAPTURE_UNMATCHED, "the capture did not begin on this stream"));
    if (c->mode != MODE_RELAXED && c->thread != this_thread())
        return fake_leave(fake_violation(CAPTURE_WRONG_THREAD, "the capture began on another thread"));
    *out = NULL;
    if (!let_go(c))
        code = fake_violation(CAPTURE_UNJOINED, "work of another stream is not waited for");
    else if (c->invalid)
        code = fake_violation(CAPTURE_INVALIDATED, "the capture is not valid any more");
    graph *g = code == 0 ? fake_make(GRAPH, sizeof *g, NULL) : NULL;
    if (code == 0 && g == NULL)
        code = OUT_OF_MEMORY;
    if (code == 0) {
        g->first = c->first;
        *out = g;
    } else {
        free_ops(c->first);
    }
    free(c);
    return fake_leave(code);
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

enum { NOT_CAPTURED, CAPTURED, CAPTURE_BROKEN };

static int status_of(void *of, int *status, uint64_t *id)
{
    stream *s = NULL;
    int code = fake_stream(of, &s);
    if (code != 0)
        return code;
    for (const capture *c = running; s == &s->h.of->default_stream && c != NULL; c = c->next)
        if (c->of == s->h.of && c->origin->blocking)
            return CAPTURE_IMPLICIT; /* told, and nothing is broken by asking */
    *status = s->captured_by == NULL ? NOT_CAPTURED : s->captured_by->invalid ? CAPTURE_BROKEN : CAPTURED;
    if (id != NULL)
        *id = (uintptr_t)s->captured_by;
    return 0;
}

int cuStreamIsCapturing(void *of, int *status)
{
    int code = fake_enter("cuStreamIsCapturing", NEEDS_INIT | NEEDS_CONTEXT);
    return code != 0 ? code : fake_leave(status_of(of, status, NULL));
}

int cuStreamGetCaptureInfo_v2(void *of, int *status, uint64_t *id, void **graph_of, const void ***nodes,
                              size_t *n_nodes)
{
    int code = fake_enter("cuStreamGetCaptureInfo_v2", NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    if (graph_of != NULL || nodes != NULL || n_nodes != NULL)
        return fake_leave(fake_violation(NOT_SUPPORTED, "the imitation does not show a graph that is being made"));
    return fake_leave(status_of(of, status, id));
}

/* ---- graphs ------------------------------------------------------------------------------------------------------ */

int cuGraphInstantiateWithFlags(void **out, void *of, unsigned long long flags)
{
    int code = fake_enter("cuGraphInstantiateWithFlags", NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    code = fake_check(GRAPH, of, false);
    if (code == 0 && flags != 0)
        code = fake_violation(NOT_SUPPORTED, "the imitation knows no flags");
    exec *e = code == 0 ? fake_make(EXEC, sizeof *e, fake_current()) : NULL;
    if (code == 0 && e == NULL)
        code = OUT_OF_MEMORY;
    if (code != 0)
        return fake_leave(code);
    op **last = &e->first;
    for (const op *o = ((graph *)of)->first; o != NULL; o = o->next) {
        *last = fake_op_again(o);
        if (*last == NULL)
            return fake_leave(OUT_OF_MEMORY);
        last = &(*last)->next;
    }
    *out = e;
    return fake_leave(0);
}

int cuGraphLaunch(void *of, void *on)
{
    stream *s = NULL;
    int code = fake_enter("cuGraphLaunch", NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    code = fake_stream(on, &s);
    if (code == 0)
        code = fake_check(EXEC, of, true);
    for (const op *o = code == 0 ? ((exec *)of)->first : NULL; code == 0 && o != NULL; o = o->next) {
        if (o->kind == OP_LAUNCH && !o->launched->h.live)
            code = fake_violation(INVALID_HANDLE, "kernel %s of the graph was unloaded", o->launched->of->name);
        else
            code = fake_submit(s, fake_op_again(o));
    }
    return fake_leave(code);
}

int cuGraphExecDestroy(void *of)
{
    int code = fake_enter("cuGraphExecDestroy", NEEDS_INIT);
    if (code != 0)
        return code;
    code = fake_check(EXEC, of, false);
    if (code != 0)
        return fake_leave(code);
    free_ops(((exec *)of)->first);
    fake_unmake(of);
    return fake_leave(0);
}

int cuGraphDestroy(void *of)
{
    int code = fake_enter("cuGraphDestroy", NEEDS_INIT);
    if (code != 0)
        return code;
    code = fake_check(GRAPH, of, false);
    if (code != 0)
        return fake_leave(code);
    free_ops(((graph *)of)->first);
    fake_unmake(of);
    return fake_leave(0);
}
