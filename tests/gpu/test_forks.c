/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers, queues and events in a child that was forked after their device was used: no driver is called, what the host
 * holds is there, what only the device held is gone, and everything can be destroyed.
 */
#include "scene.h"

#include <pthread.h>
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

/* ---- children that come before the library knows of them ----------------------------------------------------------
 */

/* A program's own handler, which runs before the library's; 0: nothing is the matter. */
static used *handled;
static bool destroys;
static int handler_s;

static int use_in_handler(used *u)
{
    mock_forbid();
    if (destroys) {
        rung_queue_destroy(u->queue);
        rung_event_destroy(u->event);
        rung_buffer_destroy(u->there);
        rung_buffer_destroy(u->both);
        rung_platform_close(u->p);
        return 0;
    }
    CHECK(scene_call(u->p, &u->s, ON_CUDA, u->there, u->both, N, 1, true) == RUNG_ERR_DEVICE);
    CHECK(scene_call(u->p, &u->s, ON_CUDA, u->there, u->both, N, 1, true) == RUNG_OK);
    const unsigned char *bytes = rung_buffer_read(u->there);
    CHECK(bytes != NULL && bytes[0] == 3);
    CHECK(rung_queue_wait(u->queue, NULL) == RUNG_ERR_DEVICE);
    return 0;
}

static void handler(void)
{
    if (handled != NULL)
        handler_s = use_in_handler(handled);
}

/* With something on the device, and still to be done there. */
static void open_and_use(used *u)
{
    scene_begin(&u->s);
    u->p = scene_open(&u->s, "cuda,cpu");
    u->queue = scene_queue(u->p);
    assert_int_equal(rung_event_create(u->p, &u->event, NULL), RUNG_OK);
    u->there = scene_buffer(u->p, N);
    u->both = scene_buffer(u->p, N);
    memset(rung_buffer_host(u->both), 2, N);
    assert_int_equal(scene_call_on(u->p, u->queue, &u->s, ON_CUDA, u->there, u->both, N, 5, true), RUNG_OK);
}

static void end(used *u)
{
    rung_buffer_destroy(u->there);
    rung_buffer_destroy(u->both);
    rung_event_destroy(u->event);
    rung_queue_destroy(u->queue);
    scene_end(u->p);
}

static void assert_good(pid_t child)
{
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void in_a_handler_of_the_program_s(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        used u;
        open_and_use(&u);
        (void)fflush(NULL);
        handled = &u;
        destroys = i;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            _exit(handler_s);
        handled = NULL;
        assert_good(child);
        end(&u);
    }
}

static pid_t forked = -1; /* by somebody who is told of a copy; 0 in the child */

static void fork_when_told(rung_log_level level, const char *line, void *user)
{
    (void)level;
    (void)user;
    if (forked != -1 || strstr(line, " are copied from ") == NULL)
        return;
    (void)fflush(NULL);
    forked = fork();
    if (forked == 0)
        mock_forbid();
}

/* The call that was going on in the parent goes on in the child as well, without its device. */
static int child_of_a_copy(used *u, rung_status status, rung_buffer *y)
{
    CHECK(status == RUNG_ERR_DEVICE);
    const unsigned char *bytes = rung_buffer_read(y);
    CHECK(bytes != NULL && bytes[N - 1] == 7);
    CHECK(scene_call(u->p, &u->s, ON_CUDA, y, u->both, N, 1, false) == RUNG_OK);
    bytes = rung_buffer_read(y);
    CHECK(bytes != NULL && bytes[0] == 24);
    return 0;
}

static void by_who_is_told_of_a_copy(void **state)
{
    (void)state;
    for (int with_queue = 0; with_queue < 2; with_queue++) {
        used u;
        open_and_use(&u);
        rung_buffer *y = scene_buffer(u.p, N);
        memset(rung_buffer_host(y), 7, N);
        memset(rung_buffer_host(u.both), 2, N); /* there are two to be copied */
        forked = -1;
        rung_log_set(fork_when_told, NULL, RUNG_LOG_DEBUG);
        rung_status status = scene_call_on(u.p, with_queue ? u.queue : NULL, &u.s, ON_CUDA, y, u.both, N, 1, false);
        rung_log_set(NULL, NULL, RUNG_LOG_INFO);
        if (forked == 0)
            _exit(child_of_a_copy(&u, status, y));
        assert_true(forked > 0);
        assert_good(forked);
        assert_int_equal(status, RUNG_OK);
        const unsigned char *bytes = rung_buffer_read(y);
        assert_int_equal(bytes[0], 24);
        rung_buffer_destroy(y);
        end(&u);
    }
}

int main(void)
{
    if (pthread_atfork(NULL, NULL, handler) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_child_has_of_its_parent),
        cmocka_unit_test(in_a_handler_of_the_program_s),
        cmocka_unit_test(by_who_is_told_of_a_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
