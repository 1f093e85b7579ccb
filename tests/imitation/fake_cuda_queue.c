/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda_queue.c: what is queued on streams. It runs when something needs it to have run, and not before, so that a
 * program that does not wait reads what was there.
 */
#include "fake_cuda_state.h"

#include <stdio.h>
#include <time.h>

/* ---- operations -------------------------------------------------------------------------------------------------- */

point *fake_point(stream *in)
{
    point *p = calloc(1, sizeof *p);
    if (p != NULL)
        *p = (point){.references = 1, .in = in};
    return p;
}

void fake_point_drop(point *p)
{
    if (p != NULL && --p->references == 0)
        free(p);
}

op *fake_op(op_kind kind)
{
    op *o = calloc(1, sizeof *o);
    if (o != NULL)
        o->kind = kind;
    return o;
}

void fake_op_free(op *o)
{
    if (o->owned)
        free((void *)(uintptr_t)o->from);
    if (o->launch.parameters != NULL)
        free(o->launch.parameters);
    fake_point_drop(o->at);
    free(o);
}

/* Parameters are one block: their addresses, then their bytes, each at a multiple of 16. */
static void **parameters_again(const function *f, void *const *from)
{
    size_t size = sizeof(void *) * (f->code->parameters + 1U);
    size = (size + 15) / 16 * 16;
    size_t at = size;
    for (uint32_t i = 0; i < f->code->parameters; i++)
        size += (f->code->sizes[i] + 15U) / 16 * 16;
    char *block = aligned_alloc(16, size);
    if (block == NULL)
        return NULL;
    void **to = (void **)(void *)block;
    for (uint32_t i = 0; i < f->code->parameters; i++) {
        to[i] = memcpy(block + at, from[i], f->code->sizes[i]);
        at += (f->code->sizes[i] + 15U) / 16 * 16;
    }
    return to;
}

static void *bytes_again(const void *from, size_t bytes)
{
    void *to = malloc(bytes > 0 ? bytes : 1);
    return to == NULL ? NULL : memcpy(to, from, bytes);
}

op *fake_op_again(const op *o)
{
    op *again = fake_op(o->kind);
    if (again == NULL)
        return NULL;
    *again = *o;
    again->next = NULL;
    again->owned = false;
    again->at = NULL;
    if (o->kind == OP_WORK) {
        again->from = bytes_again(o->from, o->bytes);
        again->owned = true;
        if (again->from == NULL) {
            free(again);
            return NULL;
        }
    }
    if (o->kind == OP_LAUNCH) {
        again->launch.parameters = parameters_again(o->launched, o->launch.parameters);
        if (again->launch.parameters == NULL) {
            free(again);
            return NULL;
        }
    }
    return again;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static double seconds(void)
{
    struct timespec at;
    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static int perform(op *o)
{
    int code = 0;
    switch (o->kind) {
    case OP_COPY:
        if (o->bytes > 0)
            memmove(o->to, o->from, o->bytes);
        break;
    case OP_FILL:
        if (o->bytes > 0)
            memset(o->to, o->value, o->bytes);
        break;
    case OP_LAUNCH:
        code = fake_kernel_run(o->launched, &o->launch);
        if (code == 0)
            code = fake_memory_whole(o, o->launched->of->name);
        break;
    case OP_WORK:
        o->work(o->from);
        code = fake_memory_whole(o, "work of the host");
        break;
    case OP_RECORD:
        o->at->reached = true;
        o->at->seconds = seconds();
        break;
    case OP_WAIT:
        if (!o->at->reached)
            code = fake_run(o->at->in, o->at);
        break;
    }
    return code;
}

bool fake_step(stream *s)
{
    op *o = s->first;
    if (o == NULL)
        return false;
    context *c = s->h.of;
    s->first = o->next;
    if (s->first == NULL)
        s->last = NULL;
    if (c->sticky == 0) {
        fake_memory_open(o);
        const int code = perform(o);
        fake_memory_close(o);
        if (code != 0 && c->sticky == 0)
            c->sticky = code;
    } else if (o->kind == OP_RECORD) {
        o->at->reached = true;
    }
    fake_op_free(o);
    return true;
}

int fake_run(stream *s, const point *until)
{
    while ((until == NULL || !until->reached) && fake_step(s))
        continue;
    return s->h.of->sticky;
}

static bool is_of(const handle *h, const context *c)
{
    return h->of == c && h->generation == c->generation;
}

int fake_run_all(context *c)
{
    for (handle *h = fake_first(STREAM); h != NULL; h = h->next)
        if (is_of(h, c))
            (void)fake_run((stream *)h, NULL);
    return fake_run(&c->default_stream, NULL);
}

int fake_run_default(context *c)
{
    for (handle *h = fake_first(STREAM); h != NULL; h = h->next)
        if (is_of(h, c) && ((stream *)h)->blocking)
            (void)fake_run((stream *)h, NULL);
    return fake_run(&c->default_stream, NULL);
}

/* ---- queueing ---------------------------------------------------------------------------------------------------- */

int fake_submit(stream *to, op *o)
{
    context *c = to->h.of;
    if (o == NULL)
        return OUT_OF_MEMORY;
    o->of = c;
    if (to->captured_by != NULL)
        return fake_captured(to, o);
    int code = 0;
    if (to == &c->default_stream) {
        code = fake_default_in_capture(c);
        for (handle *h = fake_first(STREAM); code == 0 && h != NULL; h = h->next)
            if (is_of(h, c) && ((stream *)h)->blocking)
                code = fake_run((stream *)h, NULL);
    } else if (to->blocking) {
        code = fake_run(&c->default_stream, NULL);
    }
    if (code != 0) {
        fake_op_free(o);
        return code;
    }
    if (to->last == NULL)
        to->first = o;
    else
        to->last->next = o;
    to->last = o;
    return 0;
}

/* ---- what waits -------------------------------------------------------------------------------------------------- */

static unsigned queued_on(const stream *s)
{
    unsigned n = 0;
    for (const op *o = s->first; o != NULL; o = o->next)
        n++;
    return n;
}

unsigned fake_queued(void)
{
    unsigned n = 0;
    for (handle *h = fake_first(STREAM); h != NULL; h = h->next)
        n += queued_on((stream *)h);
    for (int i = 0; i < FAKE_MOST; i++)
        n += queued_on(&fake_contexts[i].default_stream);
    return n;
}

static bool holds(const stream *s, const library *of)
{
    for (const op *o = s->first; o != NULL; o = o->next)
        if (o->kind == OP_LAUNCH && o->launched->of->from == of)
            return true;
    return false;
}

bool fake_is_queued(const library *of)
{
    for (handle *h = fake_first(STREAM); h != NULL; h = h->next)
        if (holds((stream *)h, of))
            return true;
    for (int i = 0; i < FAKE_MOST; i++)
        if (holds(&fake_contexts[i].default_stream, of))
            return true;
    return false;
}

/* ---- work of other imitated libraries ---------------------------------------------------------------------------- */

int rung_fake_cuda_run(void *on, rung_fake_cuda_work_fn *work, const void *argument, size_t bytes)
{
    stream *s = NULL;
    int code = fake_enter("rung_fake_cuda_run", NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    code = fake_stream(on, &s);
    if (code != 0)
        return fake_leave(code);
    op *o = fake_op(OP_WORK);
    if (o == NULL)
        return fake_leave(OUT_OF_MEMORY);
    o->work = work;
    o->bytes = bytes;
    o->from = bytes_again(argument, bytes);
    o->owned = true;
    return fake_leave(o->from == NULL ? OUT_OF_MEMORY : fake_submit(s, o));
}
