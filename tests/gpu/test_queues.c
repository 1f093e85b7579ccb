/* SPDX-License-Identifier: Apache-2.0
 *
 * Queues, events, and calls on memory of a device.
 */
#include <stdio.h>

#include "scene.h"

enum { N = 32 };

static rung_gpu *gpu_of(const rung_platform *p)
{
    return rung_gpu_at(&p->position[0]);
}

/* ---- on the host ------------------------------------------------------------------------------------------------- */

static void a_platform_without_drivers(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cpu");
    rung_queue *queue = scene_queue(p);
    rung_error err;
    assert_null(rung_queue_native(queue));
    assert_int_equal(rung_queue_wait(queue, &err), RUNG_OK);
    rung_event *events[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(rung_event_create(p, &events[i], &err), RUNG_OK);
    double seconds = -1;
    assert_int_equal(rung_event_record(events[0], queue, &err), RUNG_OK);
    assert_int_equal(rung_event_seconds(events[0], events[1], &seconds, &err), RUNG_ERR_ARGUMENT);
    assert_true(seconds == -1);
    rung_buffer *b = scene_buffer(p, N);
    assert_int_equal(scene_call_on(p, queue, &s, ON_CPU, b, NULL, N, 7, true), RUNG_OK);
    assert_int_equal(*(const unsigned char *)rung_buffer_read(b), 7);
    assert_int_equal(rung_event_record(events[1], NULL, &err), RUNG_OK);
    assert_int_equal(rung_queue_after(queue, events[1], &err), RUNG_OK);
    assert_int_equal(rung_event_wait(events[1], &err), RUNG_OK);
    assert_int_equal(rung_event_seconds(events[0], events[1], &seconds, &err), RUNG_OK);
    assert_true(seconds >= 0);
    double back = 1;
    assert_int_equal(rung_event_seconds(events[1], events[0], &back, &err), RUNG_OK);
    assert_true(back == -seconds);
    rung_queue *wrapped = NULL;
    assert_int_equal(rung_queue_wrap(p, &err, &wrapped, &err), RUNG_ERR_ARGUMENT);
    assert_null(wrapped);
    rung_buffer_destroy(b);
    rung_event_destroy(events[0]);
    rung_event_destroy(events[1]);
    rung_queue_destroy(queue);
    assert_int_equal(mock_calls(MOCK_OPEN), 0);
    scene_end(p);
}

static void bad_arguments(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_platform *other = scene_open(&s, "cuda,cpu");
    rung_queue *queue = NULL;
    rung_event *event = NULL;
    rung_error err;
    assert_int_equal(rung_queue_create(NULL, &queue, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_queue_create(p, NULL, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_queue_wrap(NULL, NULL, &queue, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_event_create(NULL, &event, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_event_create(p, NULL, &err), RUNG_ERR_ARGUMENT);
    assert_null(queue);
    assert_null(event);
    rung_queue_destroy(NULL);
    rung_event_destroy(NULL);
    assert_null(rung_queue_native(NULL));
    assert_int_equal(rung_queue_wait(NULL, &err), RUNG_ERR_ARGUMENT);

    queue = scene_queue(p);
    rung_event *theirs = NULL;
    double seconds;
    assert_int_equal(rung_event_create(other, &theirs, NULL), RUNG_OK);
    assert_int_equal(rung_event_create(p, &event, NULL), RUNG_OK);
    assert_int_equal(rung_event_record(theirs, queue, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_event_record(NULL, queue, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_event_wait(NULL, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_queue_after(queue, theirs, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_queue_after(NULL, event, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_queue_after(queue, NULL, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_event_record(theirs, NULL, &err), RUNG_OK);
    assert_int_equal(rung_event_seconds(theirs, theirs, NULL, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_event_seconds(NULL, theirs, &seconds, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_event_seconds(event, theirs, &seconds, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_event_wait(event, &err), RUNG_OK); /* never recorded */
    rung_event_destroy(event);
    rung_event_destroy(theirs);
    rung_queue_destroy(queue);
    rung_platform_close(other);
    scene_end(p);
}

/* ---- plain calls ------------------------------------------------------------------------------------------------- */

static void a_plain_call_has_finished_when_it_returns(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_buffer *b = scene_buffer(p, N);
    unsigned char *device = rung_buffer_device(b, NULL, NULL);
    rung_ctx cx = rung_ctx_of(p);
    cx.memory = RUNG_MEMORY_DEVICE;
    mock_arguments a = {device, NULL, N, 9, true};
    assert_int_equal(scene_plain(&cx, &s, ON_CUDA, &a), RUNG_OK);
    assert_int_equal(device[N - 1], 9);
    /* with a queue, once that was waited for */
    rung_queue *queue = scene_queue(p);
    cx.queue = queue;
    a.k = 11;
    assert_int_equal(scene_plain(&cx, &s, ON_CUDA, &a), RUNG_OK);
    assert_int_equal(device[N - 1], 9);
    assert_int_equal(rung_queue_wait(queue, NULL), RUNG_OK);
    assert_int_equal(device[N - 1], 11);
    rung_queue_destroy(queue);
    rung_buffer_destroy(b);
    scene_end(p);
}

/* Where the host comes first, device pointers are still those of the device. */
static void device_pointers_are_of_the_first_device_with_a_driver(void **state)
{
    (void)state;
    static const struct {
        const char *chain;
        uint32_t op;
    } rows[] = {{"cpu,cuda", ON_CUDA}, {"cpu,rocm,cuda", ON_ROCM}, {"cuda,cpu,rocm", ON_CUDA}};
    scene s;
    scene_begin(&s);
    for (uint32_t i = 0; i < s.registry.n_cells; i++)
        s.cells[i].workspace = s.cells[i].entries == 0 ? 128 : 64;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rung_platform *p = scene_open(&s, rows[i].chain);
        rung_buffer *b = scene_buffer(p, N);
        rung_buffer *scratch = scene_buffer(p, 64);
        unsigned char host[N] = {0};
        rung_ctx cx = rung_ctx_of(p);
        const mock_arguments a = {rung_buffer_device(b, NULL, NULL), NULL, N, 9, true};
        cx.workspace = rung_buffer_device(scratch, NULL, NULL);
        cx.workspace_size = 64;
        cx.memory = RUNG_MEMORY_DEVICE;
        assert_int_equal(rung_workspace(p, rows[i].op, 0, RUNG_MEMORY_DEVICE), 64);
        int launched = mock_calls(MOCK_LAUNCH);
        assert_int_equal(scene_plain(&cx, &s, rows[i].op, &a), RUNG_OK);
        assert_int_equal(mock_calls(MOCK_LAUNCH), launched + 1);
        assert_int_equal(a.y[N - 1], 9);
        for (uint32_t op = 0; op < OPS; op++) /* of which the others have no kernel */
            if (op != rows[i].op)
                assert_int_equal(scene_plain(&cx, &s, op, &a), RUNG_ERR_NO_KERNEL);
        cx.memory = RUNG_MEMORY_HOST;
        assert_int_equal(scene_plain(&cx, &s, rows[i].op, &(mock_arguments){host, NULL, N, 7, true}), RUNG_OK);
        assert_int_equal(host[N - 1], 7);
        assert_int_equal(mock_calls(MOCK_LAUNCH), launched + 1);
        mock_lose(rung_gpu_at(&p->position[rung_memory_position(p)]));
        cx.memory = RUNG_MEMORY_DEVICE;
        for (int again = 0; again < 2; again++)
            assert_int_equal(scene_plain(&cx, &s, rows[i].op, &a), RUNG_ERR_DEVICE);
        rung_buffer_destroy(b);
        rung_buffer_destroy(scratch);
        rung_platform_close(p);
    }
    rung_platform *p = scene_open(&s, "cpu"); /* without one they are the host's */
    unsigned char host[N] = {0};
    rung_ctx cx = rung_ctx_of(p);
    cx.memory = RUNG_MEMORY_DEVICE;
    assert_int_equal(scene_plain(&cx, &s, ON_CPU, &(mock_arguments){host, NULL, N, 7, true}), RUNG_OK);
    assert_int_equal(host[0], 7);
    scene_end(p);
}

static char logged[256];

static void take_line(rung_log_level level, const char *line, void *user)
{
    (void)level;
    (void)user;
    rung_text t = rung_text_in(logged, sizeof logged);
    rung_text_add(&t, line);
}

static void memory_that_is_not_the_device_s(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_platform *other = scene_open(&s, "cuda,cpu");
    rung_buffer *b = scene_buffer(p, N);
    rung_buffer *theirs = scene_buffer(other, N);
    unsigned char *device = rung_buffer_device(b, NULL, NULL);
    unsigned char *of_another = rung_buffer_device(theirs, NULL, NULL);
    unsigned char host[N] = {1};
    rung_ctx cx = rung_ctx_of(p);
    cx.memory = RUNG_MEMORY_DEVICE;
    const mock_arguments bad[] = {{host, NULL, N, 0, true},
                                  {device, host, N, 0, true},
                                  {of_another, NULL, N, 0, true},
                                  {device + N, NULL, N, 0, true}};
    assert_int_equal(scene_plain(&cx, &s, ON_CUDA, &(mock_arguments){device, NULL, N, 5, true}), RUNG_OK);
    int launched = mock_calls(MOCK_LAUNCH);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(scene_plain(&cx, &s, ON_CUDA, &bad[i]), RUNG_ERR_ARGUMENT);
    rung_log_set(take_line, NULL, RUNG_LOG_INFO);
    assert_int_equal(scene_plain(&cx, &s, ON_CUDA, &bad[1]), RUNG_ERR_ARGUMENT);
    rung_log_set(NULL, NULL, RUNG_LOG_INFO);
    assert_string_equal(logged, "gp: scale: array 2 of the call is not memory of cuda");
    /* of which nothing is reached */
    assert_int_equal(scene_plain(&cx, &s, ON_CUDA, &(mock_arguments){host, host, 0, 0, true}), RUNG_OK);
    assert_int_equal(mock_calls(MOCK_LAUNCH), launched + 1);
    assert_int_equal(device[0], 5);
    rung_queue *queue = scene_queue(other);
    cx.queue = queue;
    assert_int_equal(scene_plain(&cx, &s, ON_CUDA, &(mock_arguments){device, NULL, N, 5, true}), RUNG_ERR_ARGUMENT);
    rung_queue_destroy(queue);
    rung_buffer_destroy(b);
    rung_buffer_destroy(theirs);
    rung_platform_close(other);
    scene_end(p);
}

static void what_the_dispatch_has_not_made_ready(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,rocm,cpu");
    rung_buffer *b = scene_buffer(p, N);
    const mock_arguments a = {rung_buffer_device(b, NULL, NULL), NULL, N, 5, true};
    rung_ctx cx = rung_ctx_of(p);
    cx.memory = RUNG_MEMORY_DEVICE;
    assert_int_equal(scene_plain(&cx, &s, ON_CUDA, &a), RUNG_OK);
    unsigned ordinal = rung_pick(&cx, &s.registry, ON_CUDA);
    rung_device_call call;
    assert_int_equal(rung_device_begin(&cx, &s.registry, ON_CUDA, ordinal, NULL, NULL, 0, &call), RUNG_OK);
    const rung_grid grid = {.blocks = {1}};
    void *arguments[] = {(void *)&a};
    rung_launched cell = {.registry = &s.registry, .op = ON_CUDA, .ordinal = ordinal};
    int launched = mock_calls(MOCK_LAUNCH);
    assert_int_equal(rung_launch(&cx, &cell, 0, &grid, arguments), RUNG_ERR_ARGUMENT); /* the caller's context */
    assert_int_equal(rung_launch(&call.cx, &cell, 1, &grid, arguments), RUNG_ERR_ARGUMENT);
    cell.op = ON_ROCM; /* its image is not loaded */
    assert_int_equal(rung_launch(&call.cx, &cell, 0, &grid, arguments), RUNG_ERR_ARGUMENT);
    cell.op = OPS;
    assert_int_equal(rung_launch(&call.cx, &cell, 0, &grid, arguments), RUNG_ERR_ARGUMENT);
    cell = (rung_launched){.registry = &s.registry, .op = ON_CUDA, .ordinal = RUNG_NO_CHOICE};
    assert_int_equal(rung_launch(&call.cx, &cell, 0, &grid, arguments), RUNG_ERR_ARGUMENT);
    cell = (rung_launched){.registry = &gp_registry, .op = 0, .ordinal = ordinal};
    assert_int_equal(rung_launch(&call.cx, &cell, 0, &grid, arguments), RUNG_ERR_ARGUMENT);
    assert_int_equal(mock_calls(MOCK_LAUNCH), launched);
    /* the kernel's own answer stands */
    assert_int_equal(rung_device_end(&call, RUNG_ERR_NUMERIC), RUNG_ERR_NUMERIC);
    rung_buffer_destroy(b);
    scene_end(p);
}

/* ---- what follows what ------------------------------------------------------------------------------------------- */

/* Whoever uses a buffer next waits for who used it last. */
static void buffers_keep_the_order_of_their_uses(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_queue *first = scene_queue(p);
    rung_queue *second = scene_queue(p);
    rung_buffer *b = scene_buffer(p, N);
    rung_buffer *c = scene_buffer(p, N);
    const unsigned char *bytes;
    assert_int_equal(scene_call_on(p, first, &s, ON_CUDA, b, NULL, N, 1, true), RUNG_OK); /* b = 1 */
    assert_int_equal(scene_call_on(p, second, &s, ON_CUDA, c, b, N, 1, true), RUNG_OK);   /* c = 2 */
    assert_int_equal(scene_call_on(p, first, &s, ON_CUDA, b, NULL, N, 0, false),
                     RUNG_OK);                                                         /* b = 3, after it was read */
    assert_int_equal(scene_call_on(p, NULL, &s, ON_CUDA, c, b, N, 0, false), RUNG_OK); /* c = 9 */
    bytes = rung_buffer_read(c);
    assert_int_equal(bytes[0], 9);
    assert_int_equal(scene_call_on(p, second, &s, ON_CUDA, c, b, N, 0, false), RUNG_OK);  /* c = 30 */
    assert_int_equal(scene_call_on(p, first, &s, ON_CPU, c, NULL, N, 1, false), RUNG_OK); /* c = 91 */
    bytes = rung_buffer_host(c);
    assert_int_equal(bytes[N - 1], 91);
    rung_buffer_destroy(c);
    rung_buffer_destroy(b);
    rung_queue_destroy(first);
    rung_queue_destroy(second);
    scene_end(p);
}

static void the_device_s_copy_is_not_written_while_it_is_read(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_queue *first = scene_queue(p);
    rung_queue *second = scene_queue(p);
    rung_buffer *b = scene_buffer(p, N);
    rung_buffer *c = scene_buffer(p, N);
    memset(rung_buffer_host(b), 4, N);
    assert_int_equal(scene_call_on(p, first, &s, ON_CUDA, c, b, N, 0, true), RUNG_OK); /* c = 4 */
    memset(rung_buffer_host(b), 5, N);
    assert_non_null(rung_buffer_device(b, second, NULL)); /* copied on another queue */
    mock_run(rung_queue_native(second));
    assert_int_equal(rung_queue_wait(first, NULL), RUNG_OK);
    assert_int_equal(*(const unsigned char *)rung_buffer_read(c), 4);
    assert_transfers(b, 2, 2 * N, 0, 0);
    rung_buffer_destroy(b);
    rung_buffer_destroy(c);
    rung_queue_destroy(first);
    rung_queue_destroy(second);
    scene_end(p);
}

/* Nor when another device, which has no queue, has used the buffer in between. */
static void a_use_elsewhere_does_not_forget_the_queue(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,rocm,cpu");
    rung_queue *first = scene_queue(p);
    rung_queue *second = scene_queue(p);
    rung_buffer *b = scene_buffer(p, N);
    rung_buffer *c = scene_buffer(p, N);
    memset(rung_buffer_host(b), 4, N);
    assert_int_equal(scene_call_on(p, first, &s, ON_CUDA, c, b, N, 0, true), RUNG_OK); /* c = 4 */
    assert_int_equal(scene_call(p, &s, ON_ROCM, b, NULL, N, 9, true), RUNG_OK);
    assert_non_null(rung_buffer_device(b, second, NULL));
    mock_run(rung_queue_native(second));
    assert_int_equal(*(const unsigned char *)rung_buffer_read(c), 4);
    rung_buffer_destroy(b);
    rung_buffer_destroy(c);
    rung_queue_destroy(first);
    rung_queue_destroy(second);
    scene_end(p);
}

/* The mock checks that no work is left that uses memory which is given back. */
static void a_buffer_that_is_destroyed_at_once(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_queue *queue = scene_queue(p);
    rung_buffer *b = scene_buffer(p, N);
    rung_buffer *part = scene_part(b, 8, 8);
    assert_int_equal(scene_call_on(p, queue, &s, ON_CUDA, part, NULL, 8, 1, true), RUNG_OK);
    assert_int_equal(mock_count().tasks, 1);
    rung_buffer_destroy(part);
    assert_int_equal(mock_count().tasks, 1);
    rung_buffer_destroy(b);
    assert_int_equal(mock_count().tasks + mock_count().blocks, 0);
    rung_queue_destroy(queue);
    scene_end(p);
}

static void calls_on_a_queue_neither_wait_nor_allocate(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_queue *queue = scene_queue(p);
    rung_buffer *b = scene_buffer(p, N);
    rung_buffer *left = scene_part(b, 0, N / 2);
    rung_buffer *c = scene_buffer(p, N);
    memset(rung_buffer_host(b), 1, N);
    assert_int_equal(scene_call(p, &s, ON_CUDA, c, b, N, 0, true), RUNG_OK);
    int waits = mock_calls(MOCK_STREAM_WAIT) + mock_calls(MOCK_EVENT_WAIT) + mock_calls(MOCK_ALLOC);
    mock_capture(rung_queue_native(queue), true); /* the mock checks it */
    for (int i = 0; i < 8; i++) {
        assert_int_equal(scene_call_on(p, queue, &s, ON_CUDA, c, b, N, 1, false), RUNG_OK);
        assert_int_equal(scene_call_on(p, queue, &s, ON_CUDA, left, c, N / 2, 1, true), RUNG_OK);
    }
    mock_capture(rung_queue_native(queue), false);
    assert_int_equal(mock_calls(MOCK_STREAM_WAIT) + mock_calls(MOCK_EVENT_WAIT) + mock_calls(MOCK_ALLOC), waits);
    rung_queue_destroy(queue);
    rung_buffer_destroy(left);
    rung_buffer_destroy(b);
    rung_buffer_destroy(c);
    scene_end(p);
}

/* What is destroyed while it is being captured stays until the platform is closed, and the capture goes on. */
static void destroyed_while_it_is_captured(void **state)
{
    (void)state;
    for (int wrapped = 0; wrapped < 2; wrapped++) {
        scene s;
        scene_begin(&s);
        rung_platform *p = scene_open(&s, "cuda,cpu");
        rung_queue *queue = scene_queue(p);
        void *native = NULL;
        if (wrapped) {
            native = mock_stream(gpu_of(p));
            rung_queue_destroy(queue);
            assert_int_equal(rung_queue_wrap(p, native, &queue, NULL), RUNG_OK);
        }
        rung_buffer *b = scene_buffer(p, N);
        rung_buffer *c = scene_buffer(p, N);
        rung_buffer *other = scene_buffer(p, N); /* which the capture does not use */
        unsigned char *device = rung_buffer_device(c, NULL, NULL);
        assert_non_null(rung_buffer_device(other, NULL, NULL));
        assert_int_equal(scene_call_on(p, queue, &s, ON_CUDA, b, NULL, N, 1, true), RUNG_OK);
        int waits = mock_calls(MOCK_STREAM_WAIT);
        int freed = mock_calls(MOCK_FREE);
        void *stream = rung_queue_native(queue);
        mock_capture(stream, true); /* the mock checks it */
        assert_int_equal(scene_call_on(p, queue, &s, ON_CUDA, c, b, N, 1, true), RUNG_OK);
        rung_buffer_destroy(b);
        assert_int_equal(mock_calls(MOCK_FREE), freed);
        rung_buffer_destroy(other);
        assert_int_equal(mock_calls(MOCK_FREE), freed + 1);
        rung_queue_destroy(queue);
        assert_int_equal(mock_calls(MOCK_STREAM_WAIT), waits);
        mock_capture(stream, false);
        assert_int_equal(mock_count().blocks, 3);
        assert_int_equal(mock_count().streams, 1);
        mock_run(stream); /* with the memory that was destroyed */
        assert_int_equal(device[N - 1], 2);
        rung_buffer_destroy(c);
        assert_int_equal(mock_count().blocks, 2);
        if (wrapped)
            mock_stream_end(gpu_of(p), native);
        scene_end(p);
    }
}

/* What the driver does not free for another reason. */
static void memory_that_is_not_freed_at_once(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    for (int i = 0; i < 3; i++) {
        rung_buffer *b = scene_buffer(p, N);
        assert_non_null(rung_buffer_device(b, NULL, NULL));
        mock_fail(MOCK_FREE, 1, false);
        rung_buffer_destroy(b);
        assert_int_equal(mock_count().blocks, i + 1);
    }
    scene_end(p);
}

static void a_queue_that_is_gone(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_buffer *b = scene_buffer(p, N);
    rung_buffer *c = scene_buffer(p, N);
    for (int i = 0; i < 4; i++) {
        rung_queue *queue = scene_queue(p);
        assert_int_equal(scene_call_on(p, queue, &s, ON_CUDA, b, NULL, N, 1, true), RUNG_OK);
        rung_queue_destroy(queue);
        assert_int_equal(mock_count().streams, 0);
        assert_int_equal(mock_count().tasks, 0);
        switch (i) {
        case 0: /* the host, from the device */
            assert_int_equal(*(const unsigned char *)rung_buffer_read(b), 1);
            break;
        case 1: /* another queue */
            queue = scene_queue(p);
            assert_int_equal(scene_call_on(p, queue, &s, ON_CUDA, c, b, N, 1, true), RUNG_OK);
            rung_queue_destroy(queue);
            assert_int_equal(*(const unsigned char *)rung_buffer_read(c), 2);
            break;
        case 2: /* none */
            assert_int_equal(scene_call(p, &s, ON_CUDA, c, b, N, 2, true), RUNG_OK);
            assert_int_equal(*(const unsigned char *)rung_buffer_read(c), 3);
            break;
        default: /* nobody */
            break;
        }
    }
    rung_buffer_destroy(b);
    rung_buffer_destroy(c);
    scene_end(p);
}

static void a_stream_of_the_caller_s(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_queue *first = scene_queue(p); /* opens the device */
    void *native = mock_stream(gpu_of(p));
    rung_queue *queue = NULL;
    assert_int_equal(rung_queue_wrap(p, native, &queue, NULL), RUNG_OK);
    assert_ptr_equal(rung_queue_native(queue), native);
    rung_buffer *b = scene_buffer(p, N);
    assert_int_equal(scene_call_on(p, queue, &s, ON_CUDA, b, NULL, N, 6, true), RUNG_OK);
    assert_int_equal(mock_count().tasks, 1);
    rung_queue_destroy(queue);
    assert_int_equal(mock_count().tasks, 0);
    mock_stream_end(gpu_of(p), native); /* the caller's to end, before the buffer */
    assert_int_equal(scene_call_on(p, first, &s, ON_CUDA, b, NULL, N, 0, false), RUNG_OK);
    assert_int_equal(*(const unsigned char *)rung_buffer_read(b), 18);

    /* the driver's default stream, which is a queue like any other */
    assert_int_equal(rung_queue_wrap(p, NULL, &queue, NULL), RUNG_OK);
    memset(rung_buffer_host(b), 1, N);
    int waits = mock_calls(MOCK_STREAM_WAIT);
    assert_int_equal(scene_call_on(p, queue, &s, ON_CUDA, b, NULL, N, 0, false), RUNG_OK);
    assert_int_equal(mock_calls(MOCK_STREAM_WAIT), waits);
    assert_int_equal(*(const unsigned char *)rung_buffer_read(b), 3);
    rung_queue_destroy(queue);
    rung_buffer_destroy(b);
    rung_queue_destroy(first);
    scene_end(p);
}

/* A buffer call that is won by a device which the queue does not belong to has finished when it returns. */
static void a_queue_of_another_device(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,rocm,cpu");
    rung_queue *queue = scene_queue(p);
    rung_buffer *b = scene_buffer(p, N);
    assert_int_equal(scene_call_on(p, queue, &s, ON_CUDA, b, NULL, N, 1, true), RUNG_OK);
    assert_int_equal(scene_call_on(p, queue, &s, ON_ROCM, b, NULL, N, 1, false), RUNG_OK);
    assert_transfers(b, 1, N, 1, N);
    assert_int_equal(*(const unsigned char *)rung_buffer_read(b), 4);
    assert_int_equal(scene_call_on(p, queue, &s, ON_CUDA, b, NULL, N, 1, false), RUNG_OK);
    assert_int_equal(*(const unsigned char *)rung_buffer_read(b), 13);
    rung_queue_destroy(queue);
    rung_buffer_destroy(b);
    scene_end(p);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void events_order_and_measure(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_queue *first = scene_queue(p);
    rung_queue *second = scene_queue(p);
    rung_event *from = NULL;
    rung_event *to = NULL;
    assert_int_equal(rung_event_create(p, &from, NULL), RUNG_OK);
    assert_int_equal(rung_event_create(p, &to, NULL), RUNG_OK);
    rung_buffer *b = scene_buffer(p, N);
    const mock_arguments a = {rung_buffer_device(b, NULL, NULL), NULL, N, 1, true};
    rung_ctx cx = rung_ctx_of(p);
    cx.memory = RUNG_MEMORY_DEVICE;
    assert_int_equal(scene_plain(&cx, &s, ON_CUDA, &a), RUNG_OK);
    double seconds = 7;
    rung_error err;
    assert_int_equal(rung_event_record(from, first, NULL), RUNG_OK);
    assert_int_equal(rung_event_seconds(from, to, &seconds, &err), RUNG_ERR_ARGUMENT);
    cx.queue = first;
    for (int i = 0; i < 4; i++)
        assert_int_equal(scene_plain(&cx, &s, ON_CUDA, &(mock_arguments){a.y, NULL, N, 1, false}), RUNG_OK);
    assert_int_equal(rung_event_record(to, first, NULL), RUNG_OK);
    assert_int_equal(rung_event_seconds(from, to, &seconds, &err), RUNG_ERR_DEVICE); /* not come to yet */
    assert_non_null(strstr(err.text, "MOCK_ERROR_NOT_READY"));
    assert_true(seconds == 7);
    assert_int_equal(rung_queue_after(second, to, NULL), RUNG_OK);
    cx.queue = second;
    assert_int_equal(scene_plain(&cx, &s, ON_CUDA, &(mock_arguments){a.y, NULL, N, 100, false}), RUNG_OK);
    assert_int_equal(rung_queue_wait(second, NULL), RUNG_OK);
    assert_int_equal(a.y[0], (unsigned char)(3 * 121 + 100));
    assert_int_equal(rung_event_wait(to, &err), RUNG_OK);
    assert_int_equal(rung_event_seconds(from, to, &seconds, &err), RUNG_OK);
    assert_true(seconds > 0.0049 && seconds < 0.0051);
    /* again, on the default stream */
    assert_int_equal(rung_event_record(from, NULL, NULL), RUNG_OK);
    assert_int_equal(rung_event_wait(from, NULL), RUNG_OK);
    rung_event_destroy(from);
    rung_event_destroy(to);
    rung_buffer_destroy(b);
    rung_queue_destroy(first);
    rung_queue_destroy(second);
    scene_end(p);
}

/* ---- what is kept for libraries ---------------------------------------------------------------------------------- */

static int made, destroyed;
static rung_status making;
static char objects[8];

static rung_status make(void **object, char *figures, size_t size)
{
    assert_null(*object);
    *object = &objects[made];
    if (making == RUNG_OK)
        made++;
    else
        (void)snprintf(figures, size, "open returned %d", 3);
    return making;
}

/* What is kept of a kind; NULL, and that the call is answered with `refused`. */
static void *kept_of(const rung_ctx *cx, const rung_keep *kind, rung_status refused)
{
    void *object = &made;
    assert_int_equal(rung_kept(cx, kind, &object), refused);
    assert_int_equal(object == NULL, refused != RUNG_OK);
    return object;
}

static char said[512];

static void keep_line(rung_log_level level, const char *line, void *user)
{
    (void)level;
    (void)user;
    (void)snprintf(said, sizeof said, "%s", line);
}

static void destroy(void *object)
{
    assert_true((char *)object >= objects && (char *)object < objects + made);
    destroyed++;
}

static void objects_are_kept_for_each_device(void **state)
{
    (void)state;
    static const rung_keep one = {make, destroy};
    static const rung_keep two = {make, destroy};
    void *none;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,rocm,cpu");
    rung_queue *queue = scene_queue(p);
    rung_ctx cx = rung_ctx_of(p);
    (void)kept_of(&cx, &one, RUNG_ERR_ARGUMENT); /* no call on a device */
    assert_int_equal(rung_kept(NULL, &one, &none), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_kept(&cx, &one, NULL), RUNG_ERR_ARGUMENT);
    assert_null(rung_stream(&cx));
    rung_buffer *b = scene_buffer(p, N);
    assert_int_equal(scene_call(p, &s, ON_CUDA, b, NULL, N, 0, true), RUNG_OK);
    assert_int_equal(scene_call(p, &s, ON_ROCM, b, NULL, N, 0, true), RUNG_OK);
    rung_device_call call;
    cx.queue = queue;
    cx.memory = RUNG_MEMORY_DEVICE;
    unsigned ordinal = rung_first_use(&cx, &s.registry, ON_CUDA);
    assert_int_equal(rung_device_begin(&cx, &s.registry, ON_CUDA, ordinal, NULL, NULL, 0, &call), RUNG_OK);
    assert_ptr_equal(rung_stream(&call.cx), rung_queue_native(queue));
    mock_capture(rung_queue_native(queue), true);
    rung_log_set(keep_line, NULL, RUNG_LOG_INFO);
    (void)kept_of(&call.cx, &one, RUNG_ERR_ARGUMENT);
    assert_non_null(strstr(said, "cuda: making what a kernel keeps for the device: the queue is being captured: call"));
    assert_int_equal(made, 0);
    mock_capture(rung_queue_native(queue), false);
    making = RUNG_ERR_UNAVAILABLE;
    (void)kept_of(&call.cx, &one, RUNG_ERR_UNAVAILABLE);
    assert_non_null(strstr(said, "cuda: making what a kernel keeps for the device: open returned 3"));
    making = RUNG_OK;
    said[0] = '\0';
    void *kept = kept_of(&call.cx, &one, RUNG_OK);
    assert_ptr_equal(kept, &objects[0]);
    assert_ptr_equal(kept_of(&call.cx, &two, RUNG_OK), &objects[1]);
    assert_ptr_equal(kept_of(&call.cx, &one, RUNG_OK), kept);
    mock_capture(rung_queue_native(queue), true);
    assert_ptr_equal(kept_of(&call.cx, &one, RUNG_OK), kept);
    assert_string_equal(said, "");
    rung_log_set(NULL, NULL, 0);
    mock_capture(rung_queue_native(queue), false);
    assert_int_equal(rung_device_end(&call, RUNG_OK), RUNG_OK);
    /* another device */
    cx = rung_ctx_of(p);
    cx.memory = RUNG_MEMORY_ANY;
    cx.reserved[RUNG_CTX_POSITION] = 2;
    cx.reserved[RUNG_CTX_ORDINAL] = 1;
    assert_int_equal(rung_device_begin(&cx, &s.registry, ON_ROCM, 0, NULL, NULL, 0, &call), RUNG_OK);
    assert_ptr_equal(kept_of(&call.cx, &one, RUNG_OK), &objects[2]);
    assert_int_equal(rung_device_end(&call, RUNG_OK), RUNG_OK);
    assert_int_equal(made, 3);
    assert_int_equal(destroyed, 0);
    rung_queue_destroy(queue);
    rung_buffer_destroy(b);
    scene_end(p);
    assert_int_equal(destroyed, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_platform_without_drivers),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(a_plain_call_has_finished_when_it_returns),
        cmocka_unit_test(device_pointers_are_of_the_first_device_with_a_driver),
        cmocka_unit_test(memory_that_is_not_the_device_s),
        cmocka_unit_test(what_the_dispatch_has_not_made_ready),
        cmocka_unit_test(buffers_keep_the_order_of_their_uses),
        cmocka_unit_test(the_device_s_copy_is_not_written_while_it_is_read),
        cmocka_unit_test(a_use_elsewhere_does_not_forget_the_queue),
        cmocka_unit_test(a_buffer_that_is_destroyed_at_once),
        cmocka_unit_test(calls_on_a_queue_neither_wait_nor_allocate),
        cmocka_unit_test(destroyed_while_it_is_captured),
        cmocka_unit_test(memory_that_is_not_freed_at_once),
        cmocka_unit_test(a_queue_that_is_gone),
        cmocka_unit_test(a_stream_of_the_caller_s),
        cmocka_unit_test(a_queue_of_another_device),
        cmocka_unit_test(events_order_and_measure),
        cmocka_unit_test(objects_are_kept_for_each_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
