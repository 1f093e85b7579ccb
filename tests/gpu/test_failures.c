/* SPDX-License-Identifier: Apache-2.0
 *
 * What fails: statuses and texts, what buffers hold afterwards, devices that are lost, and that nothing leaks.
 */
#include "scene.h"

enum { N = 40 };

static char logged[4096];

static void take_line(rung_log_level level, const char *line, void *user)
{
    (void)level;
    (void)user;
    rung_text t = {logged, sizeof logged, strlen(logged)};
    rung_text_join(&t, (const char *const[]){line, "\n", NULL});
}

static void listen(void)
{
    logged[0] = '\0';
    rung_log_set(take_line, NULL, RUNG_LOG_INFO);
}

static void stop_listening(void)
{
    rung_log_set(NULL, NULL, RUNG_LOG_INFO);
}

static unsigned char first_byte(rung_buffer *b)
{
    const unsigned char *bytes = rung_buffer_read(b);
    assert_non_null(bytes);
    return bytes[0];
}

static rung_buffer *filled(rung_platform *p, unsigned char value)
{
    rung_buffer *b = scene_buffer(p, N);
    memset(rung_buffer_host(b), value, N);
    return b;
}

/* ---- one failure ------------------------------------------------------------------------------------------------- */

static void out_of_memory_at_each_argument(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    for (int nth = 1; nth <= 2; nth++) {
        rung_buffer *y = filled(p, 1);
        rung_buffer *x = filled(p, 2);
        int blocks = mock_count().blocks;
        listen();
        mock_fail(MOCK_ALLOC, nth, false);
        assert_int_equal(scene_call(p, &s, ON_CUDA, y, x, N, 0, true), RUNG_ERR_MEMORY);
        stop_listening();
        assert_string_equal(logged, "gp: cuda: memory for a buffer of 40 bytes: MOCK_ERROR_INJECTED\n");
        assert_int_equal(mock_count().blocks, blocks + nth - 1);
        /* nothing was copied, nothing is lost */
        assert_int_equal(first_byte(y), 1);
        assert_int_equal(first_byte(x), 2);
        assert_transfers(y, 0, 0, 0, 0);
        assert_transfers(x, 0, 0, 0, 0);
        assert_int_equal(scene_call(p, &s, ON_CUDA, y, x, N, 0, false), RUNG_OK);
        assert_int_equal(first_byte(y), 5);
        rung_buffer_destroy(y);
        rung_buffer_destroy(x);
    }
    rung_buffer *b = filled(p, 3);
    rung_error err;
    mock_fail(MOCK_ALLOC, 1, false);
    assert_null(rung_buffer_device(b, NULL, &err));
    assert_int_equal(err.status, RUNG_ERR_MEMORY);
    assert_string_equal(err.text, "cuda: memory for a buffer of 40 bytes: MOCK_ERROR_INJECTED");
    rung_buffer_destroy(b);
    scene_end(p);
}

static void a_copy_that_fails(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    for (int nth = 1; nth <= 2; nth++) {
        rung_buffer *y = filled(p, 1);
        rung_buffer *x = filled(p, 2);
        mock_fail(MOCK_COPY_IN, nth, false);
        assert_int_equal(scene_call(p, &s, ON_CUDA, y, x, N, 0, false), RUNG_ERR_DEVICE);
        assert_transfers(y, nth - 1, (nth - 1) * N, 0, 0);
        assert_transfers(x, 0, 0, 0, 0);
        assert_int_equal(first_byte(y), 1);
        assert_int_equal(scene_call(p, &s, ON_CUDA, y, x, N, 0, false), RUNG_OK);
        assert_transfers(y, 1, N, 0, 0);
        listen();
        mock_fail(MOCK_COPY_OUT, 1, false);
        assert_null(rung_buffer_host(y));
        stop_listening();
        assert_string_equal(logged, "gp: cuda: copying from it: MOCK_ERROR_INJECTED\n");
        assert_int_equal(first_byte(y), 5);
        assert_transfers(y, 1, N, 1, N);
        rung_buffer_destroy(y);
        rung_buffer_destroy(x);
    }
    scene_end(p);
}

static void a_kernel_that_fails(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_buffer *y = filled(p, 1);
    listen();
    mock_fail(MOCK_LAUNCH, 1, false);
    assert_int_equal(scene_call(p, &s, ON_CUDA, y, NULL, N, 0, false), RUNG_ERR_DEVICE);
    assert_non_null(strstr(logged, "gp: cuda: gp_scale__cuda_generic: MOCK_ERROR_INJECTED\n"));
    assert_int_equal(first_byte(y), 1);
    assert_int_equal(scene_call(p, &s, ON_CUDA, y, NULL, N, 0, false), RUNG_OK);
    logged[0] = '\0';
    mock_fail(MOCK_STREAM_WAIT, 1, false);
    assert_int_equal(scene_call(p, &s, ON_CUDA, y, NULL, N, 0, false), RUNG_ERR_DEVICE);
    stop_listening();
    assert_string_equal(logged, "gp: cuda: waiting for a kernel: MOCK_ERROR_INJECTED\n");
    assert_int_equal(first_byte(y), 9);
    rung_buffer_destroy(y);
    scene_end(p);
}

/* What was to be written holds what it held: on the host, where a kernel of a device has failed, and the other way
 * round; where no other place held it, what the kernel has left. */
static void what_was_to_be_written(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    for (int twice = 0; twice < 2; twice++) {
        for (int fresh = 0; fresh < 2; fresh++) {
            rung_buffer *y = filled(p, 1);
            rung_buffer *x = twice ? y : NULL;
            mock_fail(MOCK_LAUNCH, 1, false);
            assert_int_equal(scene_call(p, &s, ON_CUDA, y, x, N, 0, fresh), RUNG_ERR_DEVICE);
            assert_int_equal(first_byte(y), 1);
            assert_transfers(y, twice || !fresh, (twice || !fresh) * N, 0, 0);

            assert_int_equal(scene_call(p, &s, ON_CUDA, y, NULL, N, 0, false), RUNG_OK);
            mock_fail(MOCK_LAUNCH, 1, false);
            assert_int_equal(scene_call(p, &s, ON_CUDA, y, x, N, 0, fresh), RUNG_ERR_DEVICE);
            assert_int_equal(first_byte(y), 3); /* the device alone had it */

            /* a kernel that has written something, and then failed */
            mock_fail(MOCK_STREAM_WAIT, 1, false);
            assert_int_equal(scene_call(p, &s, ON_CUDA, y, x, N / 2, 9, fresh), RUNG_ERR_DEVICE);
            assert_int_equal(first_byte(y), 3);
            assert_int_equal(scene_call(p, &s, ON_CUDA, y, NULL, N, 0, false), RUNG_OK);
            assert_int_equal(first_byte(y), 9);
            rung_buffer_destroy(y);
        }
    }
    /* on the host */
    rung_buffer *y = filled(p, 1);
    for (int access = RUNG_ACCESS_WRITE; access <= RUNG_ACCESS_READ_WRITE; access++) {
        rung_ctx cx = rung_ctx_of(p);
        rung_ctx plain;
        rung_buffer_use one = {y, N, access, NULL};
        assert_int_equal(scene_call(p, &s, ON_CUDA, y, NULL, N, 0, false), RUNG_OK);
        assert_int_equal(rung_buffer_call(&cx, &s.registry, ON_CPU, &one, 1, &plain), RUNG_OK);
        memset(one.data, 0x77, N);
        assert_int_equal(rung_buffer_done(&plain, &one, 1, RUNG_ERR_NUMERIC), RUNG_ERR_NUMERIC);
        assert_int_equal(first_byte(y), access == RUNG_ACCESS_WRITE ? 3 : 9);
    }
    rung_buffer_destroy(y);
    y = filled(p, 1);
    mock_fail(MOCK_LAUNCH, 1, true);
    assert_int_equal(scene_call(p, &s, ON_CUDA, y, NULL, N, 0, true), RUNG_ERR_DEVICE);
    assert_int_equal(first_byte(y), 1);
    rung_buffer_destroy(y);
    scene_end(p);
}

static void a_queue_that_cannot_be_made(void **state)
{
    (void)state;
    static const struct {
        mock_function function;
        rung_status status;
        const char *text;
    } rows[] = {
        {MOCK_OPEN, RUNG_ERR_UNAVAILABLE, "cuda: driver broken: MOCK_ERROR_INJECTED"},
        {MOCK_ENTER, RUNG_ERR_DEVICE, "cuda: making it current: MOCK_ERROR_INJECTED"},
        {MOCK_STREAM_CREATE, RUNG_ERR_DEVICE, "cuda: making a stream: MOCK_ERROR_INJECTED"},
        {MOCK_EVENT_CREATE, RUNG_ERR_DEVICE, "cuda: making an event: MOCK_ERROR_INJECTED"},
    };
    scene s;
    scene_begin(&s);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rung_platform *p = scene_open(&s, "cuda,cpu");
        rung_queue *queue = NULL;
        rung_error err;
        mock_fail(rows[i].function, 1, false);
        assert_int_equal(rung_queue_create(p, &queue, &err), rows[i].status);
        assert_int_equal(err.status, rows[i].status);
        assert_string_equal(err.text, rows[i].text);
        assert_null(queue);
        assert_int_equal(mock_count().streams + mock_count().events, 0);
        if (rows[i].function != MOCK_STREAM_CREATE) {
            rung_event *event = NULL;
            mock_fail(rows[i].function, 1, false);
            rung_status status = rung_event_create(p, &event, &err);
            /* a device that has been opened is opened no more */
            assert_int_equal(status, rows[i].status);
            assert_null(event);
        }
        rung_platform_close(p);
    }
    /* where the chain's device is not there */
    s.found[0].state = RUNG_REASON_DEVICE_UNUSABLE;
    s.found[0].detail = "it is on fire";
    rung_platform *p = open_on(&s.registry, "cuda,cpu", RUNG_OPEN_INSPECT, &s.machine);
    rung_queue *queue = NULL;
    rung_error err;
    assert_int_equal(rung_queue_create(p, &queue, &err), RUNG_OK);
    assert_null(rung_queue_native(queue));
    rung_queue_destroy(queue);
    scene_end(p);
}

static void work_on_a_queue_that_fails(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_queue *first = scene_queue(p);
    rung_queue *second = scene_queue(p);
    rung_event *event = NULL;
    rung_error err;
    assert_int_equal(rung_event_create(p, &event, NULL), RUNG_OK);
    rung_buffer *b = filled(p, 1);
    assert_int_equal(scene_call_on(p, first, &s, ON_CUDA, b, NULL, N, 0, false), RUNG_OK);
    static const mock_function ordering[] = {MOCK_EVENT_RECORD, MOCK_STREAM_AFTER};
    for (int i = 0; i < 2; i++) {
        mock_fail(ordering[i], 1, false);
        assert_int_equal(scene_call_on(p, second, &s, ON_CUDA, b, NULL, N, 0, false), RUNG_ERR_DEVICE);
    }
    mock_fail(MOCK_EVENT_RECORD, 1, false);
    assert_int_equal(rung_event_record(event, first, &err), RUNG_ERR_DEVICE);
    assert_string_equal(err.text, "cuda: recording an event: MOCK_ERROR_INJECTED");
    double seconds;
    assert_int_equal(rung_event_seconds(event, event, &seconds, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_event_record(event, first, &err), RUNG_OK);
    mock_fail(MOCK_STREAM_AFTER, 1, false);
    assert_int_equal(rung_queue_after(second, event, &err), RUNG_ERR_DEVICE);
    mock_fail(MOCK_EVENT_WAIT, 1, false);
    assert_int_equal(rung_event_wait(event, &err), RUNG_ERR_DEVICE);
    mock_fail(MOCK_EVENT_SECONDS, 1, false);
    assert_int_equal(rung_event_seconds(event, event, &seconds, &err), RUNG_ERR_DEVICE);
    mock_fail(MOCK_STREAM_WAIT, 1, false);
    assert_int_equal(rung_queue_wait(first, &err), RUNG_ERR_DEVICE);
    assert_string_equal(err.text, "cuda: waiting for a queue: MOCK_ERROR_INJECTED");
    assert_int_equal(first_byte(b), 3);
    rung_event_destroy(event);
    rung_queue_destroy(first);
    rung_queue_destroy(second);
    rung_buffer_destroy(b);
    scene_end(p);
}

/* ---- devices that are lost --------------------------------------------------------------------------------------- */

static void a_device_that_is_lost(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,rocm,cpu");
    rung_queue *queue = scene_queue(p);
    rung_event *event = NULL;
    assert_int_equal(rung_event_create(p, &event, NULL), RUNG_OK);
    rung_buffer *there = filled(p, 1); /* only on the device */
    rung_buffer *both = filled(p, 2);
    rung_buffer *elsewhere = filled(p, 3);
    assert_int_equal(scene_call_on(p, queue, &s, ON_CUDA, there, both, N, 0, false), RUNG_OK);
    assert_int_equal(scene_call(p, &s, ON_ROCM, elsewhere, NULL, N, 0, false), RUNG_OK);
    rung_buffer *sums = filled(p, 4);
    listen();
    mock_fail(MOCK_LAUNCH, 1, true);
    assert_int_equal(scene_call(p, &s, ON_CUDA, sums, both, N, 0, true), RUNG_ERR_DEVICE);

    /* the op goes on without it */
    assert_int_equal(scene_call(p, &s, ON_CUDA, sums, both, N, 1, true), RUNG_OK);
    assert_int_equal(first_byte(sums), 3);
    assert_int_equal(scene_call(p, &s, ON_ROCM, elsewhere, both, N, 0, false), RUNG_OK);
    assert_int_equal(first_byte(elsewhere), 29);
    logged[0] = '\0';
    assert_int_equal(scene_call(p, &s, ON_CPU, sums, there, N, 1, true), RUNG_ERR_DEVICE);
    assert_non_null(
        strstr(logged, "bytes 0 to 39 of a buffer were only on a device that this process can use no more"));
    stop_listening();
    assert_int_equal(first_byte(sums), 3);
    assert_null(rung_buffer_host(there));
    assert_null(rung_buffer_read(there));
    rung_error err;
    assert_null(rung_buffer_device(both, queue, &err));
    assert_int_equal(err.status, RUNG_ERR_DEVICE);
    assert_non_null(strstr(err.text, "MOCK_ERROR_FATAL"));
    /* what is written anew is there again */
    assert_int_equal(scene_call(p, &s, ON_CPU, there, NULL, N / 2, 7, true), RUNG_OK);
    rung_buffer *half = scene_part(there, 0, N / 2);
    assert_int_equal(first_byte(half), 7);
    assert_null(rung_buffer_read(there));

    assert_int_equal(rung_queue_wait(queue, &err), RUNG_ERR_DEVICE);
    assert_int_equal(rung_event_record(event, queue, &err), RUNG_ERR_DEVICE);
    rung_queue *another = NULL;
    assert_int_equal(rung_queue_create(p, &another, &err), RUNG_OK); /* on the next device */
    assert_int_equal(scene_call_on(p, another, &s, ON_ROCM, both, NULL, N, 0, false), RUNG_OK);
    assert_int_equal(first_byte(both), 6);
    /* what was last used on a queue of the device that is lost */
    assert_int_equal(scene_call_on(p, another, &s, ON_ROCM, half, NULL, N / 2, 0, false), RUNG_OK);
    assert_int_equal(first_byte(half), 21);
    assert_non_null(rung_buffer_device(both, another, &err));
    assert_int_equal(rung_event_record(event, another, &err), RUNG_ERR_ARGUMENT);
    rung_queue_destroy(another);
    rung_ctx cx = rung_ctx_of(p);
    cx.memory = RUNG_MEMORY_ANY;
    cx.reserved[RUNG_CTX_POSITION] = 1;
    cx.reserved[RUNG_CTX_ORDINAL] = 1;
    rung_device_call call;
    assert_int_equal(rung_device_begin(&cx, &s.registry, ON_CUDA, 0, NULL, NULL, 0, &call), RUNG_ERR_DEVICE);
    rung_buffer_destroy(half);
    rung_buffer *const buffers[] = {there, both, elsewhere, sums};
    for (int i = 0; i < 4; i++)
        rung_buffer_destroy(buffers[i]);
    rung_event_destroy(event);
    rung_queue_destroy(queue);
    assert_int_equal(mock_count().blocks, 0);
    scene_end(p);
}

/* The first call that meets it fails, and leaves what the host holds. */
static void a_device_that_is_lost_unnoticed(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_buffer *y = filled(p, 1);
    rung_buffer *x = filled(p, 2);
    assert_int_equal(scene_call(p, &s, ON_CUDA, y, x, N, 0, false), RUNG_OK);
    assert_int_equal(first_byte(y), 5);
    mock_lose(rung_gpu_at(&p->position[0]));
    assert_int_equal(scene_call(p, &s, ON_CUDA, y, x, N, 0, true), RUNG_ERR_DEVICE);
    assert_int_equal(first_byte(y), 5);
    assert_int_equal(scene_call(p, &s, ON_CUDA, y, x, N, 0, false), RUNG_OK);
    assert_int_equal(first_byte(y), 17);
    rung_buffer_destroy(y);
    rung_buffer_destroy(x);
    scene_end(p);
}

/* ---- every failure there is -------------------------------------------------------------------------------------- */

/* A program of one step for everything that calls a driver. Steps that fail are done again, unless the device is gone.
 * Returns what b holds at last. */
static int program(const scene *s, bool again)
{
    rung_platform *p = scene_open((scene *)s, "cuda,rocm,cpu");
    rung_queue *queues[2] = {NULL, NULL};
    rung_event *event = NULL;
    rung_buffer *a = filled(p, 1);
    rung_buffer *b = scene_buffer(p, N);
    rung_buffer *part = scene_part(b, 0, N / 2);
    for (int i = 0; i < 2; i++)
        for (int tries = 0; tries < 2 && queues[i] == NULL; tries++)
            (void)rung_queue_create(p, &queues[i], NULL);
    for (int tries = 0; tries < 2 && event == NULL; tries++)
        (void)rung_event_create(p, &event, NULL);
#define STEP(call)                                                                                                     \
    do {                                                                                                               \
        rung_status status_ = (call);                                                                                  \
        if (status_ != RUNG_OK && again)                                                                               \
            assert_int_equal((call), RUNG_OK);                                                                         \
    } while (0)
    STEP(scene_call_on(p, queues[0], s, ON_CUDA, b, a, N, 1, true));        /* 2 */
    STEP(scene_call_on(p, queues[1], s, ON_CUDA, part, a, N / 2, 0, true)); /* 1 */
    STEP(scene_call_on(p, queues[0], s, ON_CUDA, b, part, N / 2, 1, true)); /* 2 */
    STEP(scene_call_on(p, queues[0], s, ON_ROCM, a, b, N, 1, true));        /* a = 3 */
    STEP(scene_call(p, s, ON_CPU, a, b, N, 0, true));                       /* a = 2 */
    STEP(scene_call_on(p, queues[1], s, ON_CUDA, b, a, N, 1, true));        /* 3 */
    if (event != NULL && queues[1] != NULL) {
        (void)rung_event_record(event, queues[1], NULL);
        (void)rung_queue_after(queues[0], event, NULL);
        (void)rung_event_wait(event, NULL);
    }
    const unsigned char *bytes = rung_buffer_read(b);
    if (bytes == NULL && again)
        bytes = rung_buffer_read(b);
    int value = bytes == NULL ? -1 : bytes[0];
    rung_queue_destroy(queues[0]);
    rung_event_destroy(event);
    rung_buffer_destroy(part);
    rung_buffer_destroy(a);
    rung_buffer_destroy(b);
    rung_queue_destroy(queues[1]);
    rung_platform_close(p);
    return value;
}

static void failures_of_every_function(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    assert_int_equal(program(&s, true), 3);
    int most[MOCK_FUNCTIONS];
    for (int f = 0; f < MOCK_FUNCTIONS; f++)
        most[f] = mock_calls((mock_function)f);
    mock_reset();
    for (int f = 0; f < MOCK_FUNCTIONS; f++) {
        for (int nth = 1; nth <= most[f]; nth++) {
            /* an image that does not load, and a device that does not open: the op goes on without it */
            mock_fail((mock_function)f, nth, false);
            assert_int_equal(program(&s, true), 3);
            mock_reset();
            mock_fail((mock_function)f, nth, true);
            int value = program(&s, false);
            assert_true(value == 3 || value == 2 || value == 1 || value == -1);
            mock_reset();
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(out_of_memory_at_each_argument),
        cmocka_unit_test(a_copy_that_fails),
        cmocka_unit_test(a_kernel_that_fails),
        cmocka_unit_test(what_was_to_be_written),
        cmocka_unit_test(a_queue_that_cannot_be_made),
        cmocka_unit_test(work_on_a_queue_that_fails),
        cmocka_unit_test(a_device_that_is_lost),
        cmocka_unit_test(a_device_that_is_lost_unnoticed),
        cmocka_unit_test(failures_of_every_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
