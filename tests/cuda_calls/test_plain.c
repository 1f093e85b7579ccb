/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls with memory of the device, on queues and without, and what a program may capture of them into a graph. The
 * imitated driver runs what is queued only when somebody waits for it.
 */
#include "calls.h"

enum { N = 70, WORKSPACE = 1024 };

typedef struct scene {
    rung_platform *p;
    rung_ctx cx;
    rung_queue *q, *other;
    rung_buffer *x, *y, *s, *workspace;
    float *dx, *dy, *ds; /* on the device */
} scene;

/* Of an 8.0: x = 1, 2, ...; y = 0, 1, ... */
static scene begin_cold(void)
{
    steer("");
    scene s = {.p = open_gpu(GPU_80)};
    s.cx = rung_ctx_of(s.p);
    s.cx.memory = RUNG_MEMORY_DEVICE;
    assert_int_equal(rung_queue_create(s.p, &s.q, NULL), RUNG_OK);
    assert_int_equal(rung_queue_create(s.p, &s.other, NULL), RUNG_OK);
    s.x = buffer_of(s.p, 1, N);
    s.y = buffer_of(s.p, 0, N);
    s.s = buffer_of(s.p, 0, 1);
    s.workspace = buffer_of(s.p, 0, WORKSPACE / sizeof(float));
    s.dx = rung_buffer_device(s.x, NULL, NULL);
    s.dy = rung_buffer_device(s.y, NULL, NULL);
    s.ds = rung_buffer_device(s.s, NULL, NULL);
    s.cx.workspace = rung_buffer_device(s.workspace, NULL, NULL);
    s.cx.workspace_size = WORKSPACE;
    assert_true(s.dx != NULL && s.dy != NULL && s.ds != NULL && s.cx.workspace != NULL);
    steer("");
    heard_nothing();
    return s;
}

/* With everything used once. */
static scene begin(void)
{
    scene s = begin_cold();
    assert_int_equal(rung_warm(s.p, NULL, NULL), RUNG_OK);
    steer("");
    heard_nothing();
    return s;
}

static void end(scene *s)
{
    rung_queue_destroy(s->q);
    rung_queue_destroy(s->other);
    rung_buffer_destroy(s->x);
    rung_buffer_destroy(s->y);
    rung_buffer_destroy(s->s);
    rung_buffer_destroy(s->workspace);
    close_last(s->p);
}

/* ---- when a call has finished ------------------------------------------------------------------------------------ */

static void test_without_queue(void **state)
{
    (void)state;
    scene s = begin();
    int ran = alive("ran");
    assert_int_equal(cu_axpy(&s.cx, s.dy, s.dx, NULL, NULL, N, 2), RUNG_OK);
    assert_int_equal(alive("ran"), ran + 1);
    assert_int_equal(alive("work"), 0);
    assert_int_equal(cu_total(&s.cx, s.ds, s.dx, N), RUNG_OK);
    assert_int_equal(alive("work"), 0);
    assert_holds(s.y, 2, 3, N);
    assert_holds(s.s, N * (N + 1) / 2, 0, 1);
    end(&s);
}

static void test_with_queue(void **state)
{
    (void)state;
    scene s = begin();
    s.cx.queue = s.q;
    int ran = alive("ran");
    assert_int_equal(cu_axpy(&s.cx, s.dy, s.dx, NULL, NULL, N, 2), RUNG_OK);
    assert_int_equal(cu_axpy(&s.cx, s.dy, s.dx, s.dx, NULL, N, 1), RUNG_OK);
    assert_int_equal(alive("ran"), ran);
    assert_int_equal(alive("work"), 2);
    assert_int_equal(rung_queue_wait(s.q, NULL), RUNG_OK);
    assert_int_equal(alive("ran"), ran + 2);
    assert_holds(s.y, 4, 5, N);
    end(&s);
}

/* Of a stream that stays. */
static void test_end_of_queue(void **state)
{
    (void)state;
    scene s = begin();
    rung_queue *wrapped = NULL;
    assert_int_equal(rung_queue_wrap(s.p, rung_queue_native(s.q), &wrapped, NULL), RUNG_OK);
    s.cx.queue = wrapped;
    assert_int_equal(cu_axpy(&s.cx, s.dy, s.dx, NULL, NULL, N, 2), RUNG_OK);
    assert_int_equal(alive("work"), 1);
    rung_queue_destroy(wrapped);
    assert_int_equal(alive("work"), 0);
    s.cx.queue = s.q;
    assert_int_equal(cu_axpy(&s.cx, s.dy, s.dx, NULL, NULL, N, 2), RUNG_OK);
    assert_int_equal(rung_queue_wait(s.q, NULL), RUNG_OK);
    assert_holds(s.y, 4, 5, N);
    end(&s);
}

/* Without an event nothing says which of the two comes first. */
static void test_events(void **state)
{
    (void)state;
    scene s = begin();
    rung_event *done = NULL;
    rung_event *later = NULL;
    rung_error err;
    double seconds = -1;
    assert_int_equal(rung_event_create(s.p, &done, &err), RUNG_OK);
    assert_int_equal(rung_event_create(s.p, &later, &err), RUNG_OK);
    assert_int_equal(rung_event_seconds(done, later, &seconds, &err), RUNG_ERR_ARGUMENT);
    s.cx.queue = s.q;
    assert_int_equal(cu_axpy(&s.cx, s.dy, s.dx, NULL, NULL, N, 2), RUNG_OK); /* 2 + 3 i */
    assert_int_equal(rung_event_record(done, s.q, &err), RUNG_OK);
    assert_int_equal(cu_which(&s.cx, s.ds, 1), RUNG_OK);
    assert_int_equal(rung_queue_after(s.other, done, &err), RUNG_OK);
    s.cx.queue = s.other;
    assert_int_equal(cu_axpy(&s.cx, s.dx, s.dy, NULL, NULL, N, 10), RUNG_OK); /* x = 10 y + x = 21 + 31 i */
    assert_int_equal(rung_event_record(later, s.other, &err), RUNG_OK);
    int ran = alive("ran");
    assert_int_equal(rung_event_wait(later, &err), RUNG_OK);
    assert_int_equal(alive("ran"), ran + 2); /* and not what is behind the event */
    assert_int_equal(alive("work"), 1);
    assert_int_equal(rung_event_seconds(done, later, &seconds, &err), RUNG_OK);
    assert_true(seconds >= 0 && seconds < 3600);
    assert_holds(s.x, 21, 31, N);
    assert_int_equal(rung_queue_wait(s.q, &err), RUNG_OK);
    assert_holds(s.s, 80, 0, 1);
    rung_event_destroy(done);
    rung_event_destroy(later);
    end(&s);
}

/* A kernel of the host on the queue's stream, as a vendor's library would have it. */
typedef struct doubled {
    float *x;
    size_t n;
} doubled;

static void double_them(const void *argument)
{
    const doubled *d = argument;
    for (size_t i = 0; i < d->n; i++)
        d->x[i] *= 2;
}

static int queue_doubling(void *stream, float *x, size_t n)
{
    rung_fake_cuda_run_fn *run;
    FIND("rung_fake_cuda_run", run);
    const doubled d = {x, n};
    return run(stream, double_them, &d, sizeof d);
}

extern int (*cu_hook)(void *stream, float *x, size_t n);

static void test_library(void **state)
{
    (void)state;
    scene s = begin();
    cu_hook = queue_doubling;
    assert_int_equal(cu_called(&s.cx, s.dx, N), RUNG_OK); /* 2 + 2 i */
    assert_int_equal(alive("work"), 0);
    s.cx.queue = s.q;
    assert_int_equal(cu_axpy(&s.cx, s.dx, s.dx, NULL, NULL, N, 1), RUNG_OK);
    assert_int_equal(cu_called(&s.cx, s.dx, N), RUNG_OK);
    assert_int_equal(alive("work"), 2);
    assert_int_equal(rung_queue_wait(s.q, NULL), RUNG_OK);
    assert_holds(s.x, 8, 8, N);
    cu_hook = NULL;
    assert_int_equal(cu_called(&s.cx, s.dx, N), RUNG_ERR_DEVICE);
    end(&s);
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static void refused(const scene *s, float *y, rung_status expected)
{
    heard_nothing();
    assert_int_equal(cu_axpy(&s->cx, s->dy, y, NULL, NULL, N, 2), expected);
    assert_int_equal(calls("cuLaunchKernel"), 0);
    if (expected == RUNG_ERR_ARGUMENT && y != NULL)
        assert_heard("cu: axpy: array 2 of the call is not memory of cuda");
}

static void test_memory_of_others(void **state)
{
    (void)state;
    scene s = begin();
    float on_stack[N];
    float *on_heap = malloc(sizeof on_stack);
    assert_non_null(on_heap);
    refused(&s, on_stack, RUNG_ERR_ARGUMENT);
    refused(&s, on_heap, RUNG_ERR_ARGUMENT);
    refused(&s, NULL, RUNG_ERR_ARGUMENT);
    free(on_heap);

    int (*retain)(void **, int);
    int (*release)(int);
    int (*set)(void *);
    int (*pin)(void **, size_t, unsigned);
    int (*unpin)(void *);
    int (*manage)(uintptr_t *, size_t, unsigned);
    int (*give)(uintptr_t);
    FIND("cuDevicePrimaryCtxRetain", retain);
    FIND("cuDevicePrimaryCtxRelease_v2", release);
    FIND("cuCtxSetCurrent", set);
    FIND("cuMemHostAlloc", pin);
    FIND("cuMemFreeHost", unpin);
    FIND("cuMemAllocManaged", manage);
    FIND("cuMemFree_v2", give);
    void *context = NULL;
    void *pinned = NULL;
    uintptr_t managed = 0;
    assert_int_equal(retain(&context, GPU_80), 0);
    assert_int_equal(set(context), 0);
    assert_int_equal(pin(&pinned, sizeof on_stack, 0), 0);
    refused(&s, pinned, RUNG_ERR_ARGUMENT);
    assert_int_equal(manage(&managed, sizeof on_stack, 1), 0);
    assert_int_equal(cu_which(&s.cx, (float *)managed, N), RUNG_OK); /* which every device reaches */
    assert_int_equal(give(managed), 0);
    assert_int_equal(unpin(pinned), 0);
    assert_int_equal(set(NULL), 0);
    assert_int_equal(release(GPU_80), 0);
    steer("");

    rung_platform *other = open_gpu(GPU_90);
    rung_buffer *there = buffer_of(other, 0, N);
    refused(&s, rung_buffer_device(there, NULL, NULL), RUNG_ERR_ARGUMENT);
    rung_queue *foreign = NULL;
    assert_int_equal(rung_queue_create(other, &foreign, NULL), RUNG_OK);
    s.cx.queue = foreign;
    assert_int_equal(cu_axpy(&s.cx, s.dy, s.dx, NULL, NULL, N, 2), RUNG_ERR_ARGUMENT);
    assert_int_equal(calls("cuLaunchKernel"), 0);
    rung_queue_destroy(foreign);
    rung_buffer_destroy(there);
    rung_platform_close(other);
    assert_holds(s.y, 0, 1, N);
    end(&s);
}

static void test_optional(void **state)
{
    (void)state;
    scene s = begin();
    rung_buffer *copy = buffer_of(s.p, 0, N);
    float *at = rung_buffer_device(copy, NULL, NULL);
    assert_int_equal(cu_axpy(&s.cx, s.dy, s.dx, NULL, at, N, 2), RUNG_OK);
    assert_holds(copy, 2, 3, N);
    float on_stack[N];
    assert_int_equal(cu_axpy(&s.cx, s.dy, s.dx, NULL, on_stack, N, 2), RUNG_ERR_ARGUMENT);
    assert_int_equal(cu_axpy(&s.cx, s.dy, NULL, NULL, NULL, N, 2), RUNG_ERR_ARGUMENT);
    rung_buffer_destroy(copy);
    end(&s);
}

static void test_nothing(void **state)
{
    (void)state;
    scene s = begin();
    assert_int_equal(cu_axpy(&s.cx, NULL, NULL, NULL, NULL, 0, 2), RUNG_OK);
    assert_int_equal(cu_axpy(&s.cx, s.dy, s.dx, NULL, NULL, 0, 2), RUNG_OK);
    assert_int_equal(calls("cuLaunchKernel"), 0);
    assert_int_equal(cu_total(&s.cx, s.ds, NULL, 0), RUNG_OK);
    assert_holds(s.s, 0, 0, 1);
    rung_buffer *none = NULL;
    assert_int_equal(rung_buffer_create(s.p, 0, &none, NULL), RUNG_OK);
    assert_int_equal(cu_axpy_buf(&s.cx, none, none, NULL, NULL, 0, 2), RUNG_OK);
    assert_non_null(rung_buffer_device(none, NULL, NULL));
    rung_buffer_destroy(none);
    end(&s);
}

static void assert_refused(const char *where, const char *wrong)
{
    char line[256];
    (void)snprintf(line, sizeof line, "cu: total: kernels/cu.cu needs 1024 bytes of workspace in %s, aligned to 64: %s",
                   where, wrong);
    assert_heard(line);
    heard_nothing();
}

static void test_workspace(void **state)
{
    (void)state;
    scene s = begin();
    static _Alignas(64) char on_host[WORKSPACE];
    char *on_device = s.cx.workspace;
    const struct {
        void *at;
        size_t size;
        const char *wrong;
    } bad[] = {{NULL, WORKSPACE, "there is none"},
               {on_device, 1, "it has 1"},
               {on_device, WORKSPACE - 1, "it has 1023"},
               {on_device + 4, WORKSPACE, "it is not aligned"},
               {on_host, WORKSPACE, NULL}};
    heard_nothing();
    *(float *)rung_buffer_host(s.s) = 7; /* the host alone has it */
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        s.cx.workspace = bad[i].at;
        s.cx.workspace_size = bad[i].size;
        s.cx.memory = RUNG_MEMORY_DEVICE;
        assert_int_equal(cu_total(&s.cx, s.ds, s.dx, N), RUNG_ERR_WORKSPACE);
        if (bad[i].wrong != NULL)
            assert_refused("cx.workspace", bad[i].wrong);
        s.cx.memory = RUNG_MEMORY_HOST;
        assert_int_equal(cu_total_buf(&s.cx, s.s, s.x, N), RUNG_ERR_WORKSPACE);
        if (bad[i].wrong != NULL)
            assert_refused(bad[i].at == NULL ? "cx.workspace_buffer" : "cx.workspace", bad[i].wrong);
        assert_holds(s.s, 7, 0, 1);
    }
    assert_heard("cu: total: the workspace of the call is not memory of cuda");
    assert_int_equal(calls("cuLaunchKernel"), 0);
    s.cx.workspace = NULL;
    s.cx.workspace_size = 0;
    heard_nothing();
    s.cx.workspace_buffer = s.s;
    assert_int_equal(cu_total_buf(&s.cx, s.s, s.x, N), RUNG_ERR_WORKSPACE);
    assert_refused("cx.workspace_buffer", "it has 4");
    s.cx.workspace_buffer = s.workspace; /* which follows the device */
    assert_non_null(rung_buffer_host(s.workspace));
    assert_int_equal(cu_total_buf(&s.cx, s.s, s.x, N), RUNG_OK);
    assert_holds(s.s, N * (N + 1) / 2, 0, 1);
    end(&s);
}

/* ---- graphs ------------------------------------------------------------------------------------------------------ */

typedef struct graphs {
    int (*begin)(void *stream, int mode);
    int (*end)(void *stream, void **graph);
    int (*instantiate)(void **exec, void *graph, unsigned long long flags);
    int (*launch)(void *exec, void *stream);
    int (*destroy)(void *graph);
    int (*exec_destroy)(void *exec);
    int (*retain)(void **context, int device);
    int (*release)(int device);
    int (*set)(void *context);
} graphs;

static graphs find_graphs(void)
{
    graphs g;
    FIND("cuStreamBeginCapture_v2", g.begin);
    FIND("cuStreamEndCapture", g.end);
    FIND("cuGraphInstantiateWithFlags", g.instantiate);
    FIND("cuGraphLaunch", g.launch);
    FIND("cuGraphDestroy", g.destroy);
    FIND("cuGraphExecDestroy", g.exec_destroy);
    FIND("cuDevicePrimaryCtxRetain", g.retain);
    FIND("cuDevicePrimaryCtxRelease_v2", g.release);
    FIND("cuCtxSetCurrent", g.set);
    return g;
}

/* In the strictest mode, in which a call that allocates or waits ends the capture. */
static void test_capture(void **state)
{
    (void)state;
    scene s = begin();
    const graphs g = find_graphs();
    void *context = NULL;
    void *graph = NULL;
    void *exec = NULL;
    rung_error err;
    assert_int_equal(g.retain(&context, GPU_80), 0);
    assert_int_equal(g.set(context), 0);
    rung_buffer *z = buffer_of(s.p, 0, N);
    assert_non_null(rung_buffer_device(z, s.q, &err)); /* brought there before */
    assert_non_null(rung_buffer_device(s.x, s.q, &err));
    assert_non_null(rung_buffer_device(s.y, s.q, &err));
    assert_int_equal(rung_queue_wait(s.q, &err), RUNG_OK);
    void *stream = rung_queue_native(s.q);
    s.cx.queue = s.q;
    int ran = alive("ran");
    steer("");
    assert_int_equal(g.begin(stream, 0), 0);
    assert_int_equal(cu_axpy(&s.cx, s.dy, s.dx, NULL, NULL, N, 2), RUNG_OK); /* y += 2 x */
    assert_int_equal(cu_axpy_buf(&s.cx, z, s.y, NULL, NULL, N, 1), RUNG_OK); /* z += y */
    assert_int_equal(cu_total(&s.cx, s.ds, s.dy, N), RUNG_OK);
    static const char *const none[] = {"cuMemAlloc_v2",        "cuMemFree_v2",         "cuMemHostAlloc",
                                       "cuStreamSynchronize",  "cuEventSynchronize",   "cuCtxSynchronize",
                                       "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuLibraryLoadData",
                                       "cuStreamCreate",       "cuEventCreate",        "cuEventRecord"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(calls(none[i]), 0);
    assert_int_equal(g.end(stream, &graph), 0);
    assert_int_equal(alive("ran"), ran);
    assert_int_equal(alive("work"), 0);
    assert_int_equal(g.instantiate(&exec, graph, 0), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(g.launch(exec, stream), 0);
    assert_int_equal(rung_queue_wait(s.q, &err), RUNG_OK);
    assert_int_equal(alive("ran"), ran + 8);
    assert_holds(s.y, 4, 5, N); /* i + 2 * 2 (1 + i) */
    assert_holds(z, 6, 9, N);   /* i + (2 + 3 i) + (4 + 5 i) */
    assert_holds(s.s, 4 * N + 5 * N * (N - 1) / 2, 0, 1);
    assert_int_equal(g.exec_destroy(exec), 0);
    assert_int_equal(g.destroy(graph), 0);
    rung_buffer_destroy(z);
    assert_int_equal(g.set(NULL), 0);
    assert_int_equal(g.release(GPU_80), 0);
    end(&s);
}

/* What cannot be captured is refused before it ends the capture: data that is not there, or that another queue has. */
static void test_capture_refuses(void **state)
{
    (void)state;
    scene s = begin();
    const graphs g = find_graphs();
    void *context = NULL;
    void *graph = NULL;
    rung_error err;
    assert_int_equal(g.retain(&context, GPU_80), 0);
    assert_int_equal(g.set(context), 0);
    rung_buffer *z = buffer_of(s.p, 0, N); /* on the host */
    assert_non_null(rung_buffer_device(s.x, s.q, &err));
    assert_non_null(rung_buffer_device(s.y, s.other, &err));
    assert_int_equal(rung_queue_wait(s.q, &err), RUNG_OK);
    assert_int_equal(rung_queue_wait(s.other, &err), RUNG_OK);
    void *stream = rung_queue_native(s.q);
    s.cx.queue = s.q;
    assert_int_equal(g.begin(stream, 0), 0);
    heard_nothing();
    assert_int_equal(cu_axpy_buf(&s.cx, z, s.x, NULL, NULL, N, 2), RUNG_ERR_ARGUMENT);
    assert_heard("is being captured into a graph");
    assert_null(rung_buffer_device(z, s.q, &err));
    assert_int_equal(err.status, RUNG_ERR_ARGUMENT);
    assert_int_equal(cu_axpy_buf(&s.cx, s.y, s.x, NULL, NULL, N, 2), RUNG_ERR_ARGUMENT); /* y is another queue's */
    s.cx.queue = s.other;
    assert_int_equal(cu_axpy_buf(&s.cx, s.x, s.y, NULL, NULL, N, 2), RUNG_ERR_ARGUMENT);
    s.cx.queue = NULL;
    assert_int_equal(cu_axpy_buf(&s.cx, s.x, s.y, NULL, NULL, N, 2), RUNG_ERR_ARGUMENT);
    s.cx.queue = s.q;
    assert_int_equal(cu_axpy(&s.cx, s.dy, s.dx, NULL, NULL, N, 2), RUNG_OK);
    assert_int_equal(g.end(stream, &graph), 0); /* it went on */
    assert_int_equal(g.destroy(graph), 0);
    assert_holds(z, 0, 1, N);
    rung_buffer_destroy(z);
    assert_int_equal(g.set(NULL), 0);
    assert_int_equal(g.release(GPU_80), 0);
    end(&s);
}

/* What is destroyed during a capture: it goes on, and what is left is given back with the platform. */
static void test_capture_destroyed(void **state)
{
    (void)state;
    scene s = begin();
    const graphs g = find_graphs();
    void *context = NULL;
    void *graph = NULL;
    void *exec = NULL;
    rung_error err;
    assert_int_equal(g.retain(&context, GPU_80), 0);
    assert_int_equal(g.set(context), 0);
    rung_queue *q = NULL;
    assert_int_equal(rung_queue_create(s.p, &q, &err), RUNG_OK);
    rung_buffer *z = buffer_of(s.p, 0, N);
    assert_non_null(rung_buffer_device(z, q, &err));
    assert_non_null(rung_buffer_device(s.y, q, &err));
    assert_int_equal(rung_queue_wait(q, &err), RUNG_OK);
    void *stream = rung_queue_native(q);
    s.cx.queue = q;
    int memory = alive("memory");
    int streams = alive("streams");
    assert_int_equal(g.begin(stream, 0), 0);
    assert_int_equal(cu_which_buf(&s.cx, z, N), RUNG_OK);
    assert_int_equal(cu_axpy_buf(&s.cx, s.y, z, NULL, NULL, N, 1), RUNG_OK); /* y += 80 */
    rung_buffer_destroy(z);
    rung_queue_destroy(q);
    assert_int_equal(g.end(stream, &graph), 0);
    assert_no_violation();
    assert_int_equal(alive("memory"), memory);
    assert_int_equal(alive("streams"), streams);
    assert_int_equal(g.instantiate(&exec, graph, 0), 0);
    assert_int_equal(g.launch(exec, stream), 0);
    assert_holds(s.y, 80, 1, N); /* behind it, as the buffer remembers the queue */
    assert_int_equal(g.exec_destroy(exec), 0);
    assert_int_equal(g.destroy(graph), 0);
    assert_int_equal(g.set(NULL), 0);
    assert_int_equal(g.release(GPU_80), 0);
    end(&s);
}

/* A first use loads an image, which may end the capture: it is refused before the driver hears of it, and the kernel is
 * there as before. */
static void test_capture_before_first_use(void **state)
{
    (void)state;
    scene s = begin_cold();
    const graphs g = find_graphs();
    void *context = NULL;
    void *graph = NULL;
    assert_int_equal(g.retain(&context, GPU_80), 0);
    assert_int_equal(g.set(context), 0);
    void *stream = rung_queue_native(s.q);
    s.cx.queue = s.q;
    assert_int_equal(rung_queue_wait(s.q, NULL), RUNG_OK);
    assert_int_equal(g.begin(stream, 0), 0);
    assert_int_equal(cu_axpy(&s.cx, s.dy, s.dx, NULL, NULL, N, 2), RUNG_ERR_ARGUMENT);
    assert_heard(
        "cu: axpy: the queue is being captured into a graph, and cu_axpy__cuda_sm80 has not been used yet: call "
        "rung_warm, or the op once, before that");
    heard_nothing();
    assert_int_equal(cu_axpy_buf(&s.cx, s.y, s.x, NULL, NULL, N, 2), RUNG_ERR_ARGUMENT);
    assert_heard("cu_axpy__cuda_sm80 has not been used yet");
    assert_int_equal(cu_called(&s.cx, s.dx, N), RUNG_ERR_ARGUMENT); /* it might open a library */
    assert_int_equal(calls("cuLibraryLoadData"), 0);
    assert_string_equal(why_not(s.p, "axpy", "sm80"), "available");

    float here[N] = {1};
    s.cx.memory = RUNG_MEMORY_HOST; /* kernels of the host have nothing to do with the capture */
    assert_int_equal(cu_turn(&s.cx, here, N), RUNG_OK);
    s.cx.memory = RUNG_MEMORY_DEVICE;
    s.cx.queue = NULL;
    assert_int_equal(g.end(stream, &graph), 0); /* it was not ended */
    assert_int_equal(g.destroy(graph), 0);
    assert_int_equal(cu_axpy(&s.cx, s.dy, s.dx, NULL, NULL, N, 2), RUNG_OK);
    assert_int_equal(calls("cuLibraryLoadData"), 1);

    s.cx.queue = s.q; /* used once, it can be captured */
    assert_int_equal(g.begin(stream, 0), 0);
    assert_int_equal(cu_axpy(&s.cx, s.dy, s.dx, NULL, NULL, N, 2), RUNG_OK);
    assert_int_equal(g.end(stream, &graph), 0);
    assert_int_equal(g.destroy(graph), 0);
    assert_holds(s.y, 2, 3, N);
    assert_int_equal(g.set(NULL), 0);
    assert_int_equal(g.release(GPU_80), 0);
    end(&s);
}

/* ---- the program's own context ----------------------------------------------------------------------------------- */

/* Every function that may call the driver, with a context of the program's, of another card, current. */
static void test_current_context(void **state)
{
    (void)state;
    scene before = begin(); /* the driver is there */
    const graphs g = find_graphs();
    int (*current)(void **);
    FIND("cuCtxGetCurrent", current);
    void *mine = NULL;
    void *now = NULL;
    assert_int_equal(g.retain(&mine, GPU_130), 0);
    assert_int_equal(g.set(mine), 0);
#define KEEPS(...)                                                                                                     \
    do {                                                                                                               \
        __VA_ARGS__;                                                                                                   \
        assert_int_equal(current(&now), 0);                                                                            \
        assert_ptr_equal(now, mine);                                                                                   \
    } while (0)
    rung_platform *p = NULL;
    rung_queue *q = NULL;
    rung_queue *wrapped = NULL;
    rung_event *e = NULL;
    rung_event *f = NULL;
    rung_buffer *x = NULL;
    rung_buffer *y = NULL;
    rung_buffer *part = NULL;
    float data[N] = {0};
    float *at = NULL;
    double seconds;
    rung_error err;
    KEEPS(p = open_gpu(GPU_90));
    rung_ctx cx = rung_ctx_of(p);
    KEEPS(assert_int_equal(rung_warm(p, NULL, &err), RUNG_OK));
    KEEPS(assert_int_equal(rung_queue_create(p, &q, &err), RUNG_OK));
    KEEPS(assert_int_equal(rung_queue_wrap(p, rung_queue_native(q), &wrapped, &err), RUNG_OK));
    KEEPS(assert_int_equal(rung_event_create(p, &e, &err), RUNG_OK));
    KEEPS(assert_int_equal(rung_event_create(p, &f, &err), RUNG_OK));
    KEEPS(assert_int_equal(rung_event_record(e, q, &err), RUNG_OK));
    KEEPS(assert_int_equal(rung_event_record(f, NULL, &err), RUNG_OK));
    KEEPS(assert_int_equal(rung_event_wait(f, &err), RUNG_OK));
    KEEPS(assert_int_equal(rung_queue_after(q, f, &err), RUNG_OK));
    KEEPS(assert_int_equal(rung_queue_wait(q, &err), RUNG_OK));
    KEEPS(assert_int_equal(rung_event_seconds(e, f, &seconds, &err), RUNG_OK));
    KEEPS(assert_int_equal(rung_buffer_create(p, sizeof data, &y, &err), RUNG_OK));
    KEEPS(assert_int_equal(rung_buffer_wrap(p, data, sizeof data, &x, &err), RUNG_OK));
    KEEPS(assert_int_equal(rung_buffer_slice(x, 4, 8, &part, &err), RUNG_OK));
    KEEPS(at = rung_buffer_device(x, q, &err));
    assert_non_null(at);
    KEEPS(assert_int_equal(cu_which_buf(&cx, y, N), RUNG_OK));
    KEEPS(assert_int_equal(cu_axpy_buf(&cx, y, x, NULL, NULL, N, 1), RUNG_OK));
    cx.queue = q;
    KEEPS(assert_int_equal(cu_axpy_buf(&cx, y, x, NULL, NULL, N, 1), RUNG_OK));
    KEEPS(assert_int_equal(cu_turn_buf(&cx, y, N), RUNG_OK));
    KEEPS(assert_int_equal(cu_which_buf(&cx, part, 2), RUNG_OK));
    cx.memory = RUNG_MEMORY_DEVICE;
    KEEPS(assert_int_equal(cu_which(&cx, at, N), RUNG_OK));
    KEEPS(assert_int_equal(cu_which(&cx, data, N), RUNG_ERR_ARGUMENT));
    KEEPS(assert_int_equal(cu_total(&cx, at, at, N), RUNG_ERR_WORKSPACE));
    cx.queue = wrapped;
    KEEPS(assert_int_equal(cu_which(&cx, at, N), RUNG_OK));
    KEEPS(assert_non_null(rung_buffer_host(x)));
    KEEPS(assert_non_null(rung_buffer_read(y)));
    KEEPS((void)why_not(p, "which", "sm90"));
    KEEPS(rung_buffer_destroy(part));
    KEEPS(rung_buffer_destroy(x));
    KEEPS(rung_buffer_destroy(y));
    KEEPS(rung_event_destroy(e));
    KEEPS(rung_event_destroy(f));
    KEEPS(rung_queue_destroy(wrapped));
    KEEPS(rung_queue_destroy(q));
    KEEPS(rung_platform_close(p));
    assert_int_equal(g.set(NULL), 0);
    assert_int_equal(g.release(GPU_130), 0);
    end(&before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_queue),
        cmocka_unit_test(test_with_queue),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_library),
        cmocka_unit_test(test_memory_of_others),
        cmocka_unit_test(test_optional),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_workspace),
        cmocka_unit_test(test_capture),
        cmocka_unit_test(test_capture_refuses),
        cmocka_unit_test(test_capture_before_first_use),
        cmocka_unit_test(test_capture_destroyed),
        cmocka_unit_test(test_end_of_queue),
        cmocka_unit_test(test_current_context),
    };
    return cmocka_run_group_tests(tests, machine_begin, machine_end);
}
