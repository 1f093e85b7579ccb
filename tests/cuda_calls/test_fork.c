/* SPDX-License-Identifier: Apache-2.0
 *
 * A process that is forked: after the driver was initialised, the child goes on on the processor and does not touch the
 * driver; before that, the GPU is the child's to use.
 */
#include "calls.h"

#include <sys/wait.h>
#include <unistd.h>

enum { N = 40 };

/* What a child finds, by the first step that is wrong. */
static void end_child(int step)
{
    (void)fflush(stderr);
    _exit(step);
}
#define CHILD(step, what)                                                                                              \
    do {                                                                                                               \
        if (!(what))                                                                                                   \
            end_child(step);                                                                                           \
    } while (0)

static void assert_child_is_well(pid_t child)
{
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* All calls of the driver so far. */
static int all_calls(void)
{
    static const char *const entries[] = {
#define ENTRY(name) #name,
#include "entries.inc"
#undef ENTRY
        "cuDeviceGetCount"};
    int all = 0;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        all += calls(entries[i]);
    return all;
}

/* Has to be the first test. */
static void test_before(void **state)
{
    (void)state;
    steer("");
    rung_platform *p = open_gpu(GPU_80);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        CHILD(1, NUMBER(p, which) == 80);
        CHILD(2, NUMBER(p, some) == 80);
        rung_platform_close(p);
        CHILD(3, alive("contexts") == 0);
        end_child(0);
    }
    assert_child_is_well(child);
    assert_int_equal(alive("contexts"), 0);
    assert_int_equal(NUMBER(p, which), 80);
    close_last(p);
}

static void in_child(rung_platform *p, rung_queue *q, rung_buffer *x, rung_buffer *y, rung_event *e)
{
    int before = all_calls();
    rung_error err;
    rung_ctx cx = rung_ctx_of(p);
    CHILD(11, before > 0);
    CHILD(12, NUMBER(p, which) == 0);
    CHILD(13, strncmp(why_not(p, "which", "sm80"), "forked", strlen("forked")) == 0);
    CHILD(14, cu_turn_buf(&cx, x, N) == RUNG_OK); /* 0 - i */
    const float *at = rung_buffer_read(x);
    CHILD(15, at != NULL && at[0] == 0 && at[N - 1] == 1 - N);
    CHILD(16, rung_buffer_read(y) == NULL); /* the parent's device has it */
    CHILD(17, cu_turn_buf(&cx, y, N) == RUNG_ERR_DEVICE);
    cx.queue = q;
    CHILD(18, rung_queue_wait(q, &err) == RUNG_ERR_DEVICE);
    CHILD(19, rung_event_record(e, q, &err) == RUNG_ERR_DEVICE);
    CHILD(20, cu_which_buf(&cx, y, N) == RUNG_OK); /* on the processor, whatever the queue */
    CHILD(21, rung_buffer_device(x, NULL, &err) == rung_buffer_host(x));
    rung_queue *none = NULL;
    CHILD(22, rung_queue_create(p, &none, &err) == RUNG_OK && rung_queue_native(none) == NULL);
    rung_queue_destroy(none);
    rung_buffer_destroy(x);
    rung_buffer_destroy(y);
    rung_event_destroy(e);
    rung_queue_destroy(q);
    rung_platform_close(p);
    CHILD(23, all_calls() == before);
    rung_platform *own = NULL; /* one that the child opens */
    CHILD(24, try_open("cuda:1", 0, &own, &err) == RUNG_ERR_UNAVAILABLE && strstr(err.text, "forked") != NULL);
    CHILD(25, try_open(NULL, 0, &own, &err) == RUNG_OK && NUMBER(own, which) == 0);
    rung_platform_close(own);
    CHILD(26, all_calls() == before);
    end_child(0);
}

static void test_after(void **state)
{
    (void)state;
    steer("");
    rung_platform *p = open_gpu(GPU_80);
    rung_ctx cx = rung_ctx_of(p);
    rung_queue *q = NULL;
    rung_event *e = NULL;
    rung_error err;
    assert_int_equal(rung_queue_create(p, &q, &err), RUNG_OK);
    assert_int_equal(rung_event_create(p, &e, &err), RUNG_OK);
    rung_buffer *x = buffer_of(p, 1, N);
    rung_buffer *y = buffer_of(p, 0, N);
    cx.queue = q;
    assert_int_equal(cu_axpy_buf(&cx, y, x, NULL, NULL, N, 2), RUNG_OK); /* and has not run */
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        in_child(p, q, x, y, e);
    assert_child_is_well(child);
    assert_holds(x, 1, 1, N);
    assert_holds(y, 2, 3, N);
    assert_int_equal(NUMBER(p, which), 80);
    rung_buffer_destroy(x);
    rung_buffer_destroy(y);
    rung_event_destroy(e);
    rung_queue_destroy(q);
    close_last(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_before), cmocka_unit_test(test_after)};
    return cmocka_run_group_tests(tests, machine_begin, machine_end);
}
