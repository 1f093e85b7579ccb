/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers, queues and events in a child that was forked after their device was used: no driver is called, what the host
 * holds is there, what only the device held is gone, and everything can be destroyed.
 */
#include "scene.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 48 };

typedef struct used {
    scene s;
    rung_platform *p;
    rung_queue *queue;
    rung_event *event;
    rung_buffer *there, *both, *host;
} used;

#define CHECK(it)                                                                                                      \
    do {                                                                                                               \
        if (!(it)) {                                                                                                   \
            (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #it);                                             \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

static int child(used *u)
{
    mock_forbid();
    rung_error err;
    CHECK(rung_buffer_read(u->there) == NULL);
    const unsigned char *bytes = rung_buffer_read(u->both);
    CHECK(bytes != NULL && bytes[0] == 2);
    /* the op goes on, with the processor */
    CHECK(scene_call_on(u->p, u->queue, &u->s, ON_CUDA, u->host, u->both, N, 1, true) == RUNG_OK);
    bytes = rung_buffer_read(u->host);
    CHECK(bytes != NULL && bytes[N - 1] == 3);
    CHECK(scene_call(u->p, &u->s, ON_CUDA, u->there, u->both, N, 1, false) == RUNG_ERR_DEVICE);
    CHECK(scene_call(u->p, &u->s, ON_CUDA, u->there, u->both, N, 2, true) == RUNG_OK);
    bytes = rung_buffer_read(u->there);
    CHECK(bytes != NULL && bytes[0] == 4);
    CHECK(rung_buffer_transfers(u->host).to_device == 0);
    CHECK(rung_buffer_device(u->both, u->queue, &err) == NULL && err.status == RUNG_ERR_DEVICE);
    CHECK(strstr(err.text, "cuda: forked") != NULL);
    CHECK(rung_buffer_device(u->both, NULL, &err) == rung_buffer_host(u->both));

    CHECK(rung_queue_wait(u->queue, &err) == RUNG_ERR_DEVICE);
    CHECK(strstr(err.text, "cuda: forked: its driver was initialised in process ") != NULL);
    CHECK(rung_event_record(u->event, u->queue, &err) == RUNG_ERR_DEVICE);
    CHECK(rung_event_wait(u->event, &err) == RUNG_ERR_DEVICE);
    CHECK(rung_queue_after(u->queue, u->event, &err) == RUNG_ERR_DEVICE);
    double seconds;
    CHECK(rung_event_seconds(u->event, u->event, &seconds, &err) == RUNG_ERR_DEVICE);
    rung_queue *queue = NULL;
    rung_event *event = NULL;
    /* new ones are those of a platform without the device */
    CHECK(rung_queue_create(u->p, &queue, &err) == RUNG_OK && rung_queue_native(queue) == NULL);
    CHECK(rung_event_create(u->p, &event, &err) == RUNG_OK);
    CHECK(rung_event_record(event, queue, &err) == RUNG_OK);
    CHECK(rung_event_record(event, u->queue, &err) == RUNG_ERR_ARGUMENT);
    CHECK(rung_event_seconds(event, event, &seconds, &err) == RUNG_OK && seconds == 0);
    rung_queue_destroy(queue);
    rung_event_destroy(event);
    rung_ctx cx = rung_ctx_of(u->p);
    cx.memory = RUNG_MEMORY_ANY;
    cx.reserved[RUNG_CTX_POSITION] = 1;
    cx.reserved[RUNG_CTX_ORDINAL] = 1;
    rung_device_call call;
    CHECK(rung_device_begin(&cx, &u->s.registry, ON_CUDA, 0, NULL, NULL, 0, &call) == RUNG_ERR_DEVICE);
    rung_queue_destroy(u->queue);
    rung_event_destroy(u->event);
    rung_buffer_destroy(u->there);
    rung_buffer_destroy(u->both);
    rung_buffer_destroy(u->host);
    rung_platform_close(u->p);
    return 0;
}

static void what_a_child_has_of_its_parent(void **state)
{
    (void)state;
    used u;
    scene_begin(&u.s);
    u.p = scene_open(&u.s, "cuda,cpu");
    u.queue = scene_queue(u.p);
    assert_int_equal(rung_event_create(u.p, &u.event, NULL), RUNG_OK);
    assert_int_equal(rung_event_record(u.event, u.queue, NULL), RUNG_OK);
    u.there = scene_buffer(u.p, N);
    u.both = scene_buffer(u.p, N);
    u.host = scene_buffer(u.p, N);
    memset(rung_buffer_host(u.both), 2, N);
    memset(rung_buffer_host(u.host), 9, N);
    /* work that is still to be done */
    assert_int_equal(scene_call_on(u.p, u.queue, &u.s, ON_CUDA, u.there, u.both, N, 5, true), RUNG_OK);
    (void)fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(child(&u));
    int status = -1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);

    /* nothing changes for the parent */
    const unsigned char *bytes = rung_buffer_read(u.there);
    assert_non_null(bytes);
    assert_int_equal(bytes[0], 7);
    assert_int_equal(scene_call_on(u.p, u.queue, &u.s, ON_CUDA, u.there, u.both, N, 0, false), RUNG_OK);
    bytes = rung_buffer_read(u.there);
    assert_int_equal(bytes[0], 23);
    rung_buffer_destroy(u.there);
    rung_buffer_destroy(u.both);
    rung_buffer_destroy(u.host);
    rung_event_destroy(u.event);
    rung_queue_destroy(u.queue);
    scene_end(u.p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_child_has_of_its_parent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
