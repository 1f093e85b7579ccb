/* SPDX-License-Identifier: Apache-2.0
 *
 * test_stream.c: work on streams runs when something waits for it, and events.
 */
#include "imitated_cuda.h"

typedef struct scene {
    void *library, *scale;
    uintptr_t x, y;
    float *host; /* pinned: x, then y */
} scene;
enum { N = 300 };

static scene set_up(void)
{
    scene s;
    void *memory = NULL;
    s.library = loaded(&image_sm80);
    s.scale = function(s.library, WORDS("scale"));
    s.x = alloc(N * sizeof(float));
    s.y = alloc(N * sizeof(float));
    assert_ok(cu.cuMemHostAlloc(&memory, 2 * N * sizeof(float), 0));
    s.host = memory;
    for (int i = 0; i < N; i++)
        s.host[i] = (float)i;
    s.host[N] = s.host[2 * N - 1] = -1.0F;
    assert_ok(cu.cuMemcpyHtoD_v2(s.x, s.host, N * sizeof(float)));
    return s;
}

static void tear_down(const scene *s)
{
    assert_ok(cu.cuMemFree_v2(s->x));
    assert_ok(cu.cuMemFree_v2(s->y));
    assert_ok(cu.cuMemFreeHost(s->host));
    assert_ok(cu.cuLibraryUnload(s->library));
}

static int read_back(const scene *s, void *on)
{
    return cu.cuMemcpyDtoHAsync_v2(s->host + N, s->y, N * sizeof(float), on);
}

static void test_lazy(void **state)
{
    (void)state;
    scene s = set_up();
    void *on = stream(1);
    const int ran = live("ran");
    assert_ok(scale(s.scale, on, s.y, s.x, N, 2.0F));
    assert_ok(read_back(&s, on));
    assert_int_equal(live("ran"), ran);
    assert_true(s.host[N] == -1.0F);
    assert_int_equal(cu.cuStreamQuery(on), 600);
    assert_ok(cu.cuStreamQuery(on)); /* two things were queued */
    assert_true(s.host[2 * N - 1] == 2.0F * (N - 1));
    assert_ok(scale(s.scale, on, s.y, s.x, N, 3.0F));
    assert_ok(read_back(&s, on));
    assert_ok(cu.cuStreamSynchronize(on));
    assert_true(s.host[2 * N - 1] == 3.0F * (N - 1));
    assert_ok(scale(s.scale, on, s.y, s.x, N, 4.0F));
    assert_ok(cu.cuCtxSynchronize());
    assert_int_equal(live("ran"), ran + 3);
    assert_ok(cu.cuStreamDestroy_v2(on));
    tear_down(&s);
}

/* A blocking copy waits for blocking streams, and not for others. */
static void test_default_stream(void **state)
{
    (void)state;
    scene s = set_up();
    void *blocking = stream(0), *other = stream(1);
    assert_ok(scale(s.scale, blocking, s.y, s.x, N, 2.0F));
    assert_ok(cu.cuMemcpyDtoH_v2(s.host + N, s.y, N * sizeof(float)));
    assert_true(s.host[2 * N - 1] == 2.0F * (N - 1));
    assert_ok(scale(s.scale, other, s.y, s.x, N, 3.0F));
    assert_ok(cu.cuMemcpyDtoH_v2(s.host + N, s.y, N * sizeof(float)));
    assert_true(s.host[2 * N - 1] == 2.0F * (N - 1));
    assert_ok(cu.cuStreamSynchronize(other));
    /* and a blocking stream waits for the default one */
    assert_ok(scale(s.scale, NULL, s.y, s.x, N, 4.0F));
    assert_ok(read_back(&s, blocking));
    assert_ok(cu.cuStreamSynchronize(blocking));
    assert_true(s.host[2 * N - 1] == 4.0F * (N - 1));
    assert_ok(cu.cuStreamDestroy_v2(blocking));
    assert_ok(cu.cuStreamDestroy_v2(other));
    tear_down(&s);
}

static void test_events_order_streams(void **state)
{
    (void)state;
    scene s = set_up();
    void *a = stream(1), *b = stream(1), *e = event(2);
    assert_ok(cu.cuStreamWaitEvent(b, e, 0)); /* never recorded: nothing to wait for */
    assert_ok(scale(s.scale, a, s.y, s.x, N, 2.0F));
    assert_ok(cu.cuEventRecord(e, a));
    assert_ok(scale(s.scale, a, s.y, s.x, N, 5.0F)); /* behind the event */
    assert_ok(cu.cuStreamWaitEvent(b, e, 0));
    assert_ok(read_back(&s, b));
    assert_ok(cu.cuStreamSynchronize(b));
    assert_true(s.host[2 * N - 1] == 2.0F * (N - 1));
    assert_int_equal(live("work"), 1);
    /* a wait is for the record that stood when it was queued */
    assert_ok(cu.cuEventRecord(e, a));
    assert_ok(cu.cuStreamWaitEvent(b, e, 0));
    assert_ok(cu.cuEventRecord(e, b));
    assert_int_equal(cu.cuEventQuery(e), 600); /* runs the wait, and what that waits for */
    assert_ok(cu.cuEventQuery(e));
    assert_ok(cu.cuEventSynchronize(e));
    assert_int_equal(live("work"), 0);
    assert_ok(cu.cuEventDestroy_v2(e));
    assert_ok(cu.cuStreamDestroy_v2(a));
    assert_ok(cu.cuStreamDestroy_v2(b));
    tear_down(&s);
}

static void test_times(void **state)
{
    (void)state;
    void *s = stream(0), *from = event(0), *to = event(0), *untimed = event(2), *never = event(0);
    float ms = -1.0F;
    assert_ok(cu.cuEventRecord(from, s));
    assert_ok(cu.cuEventRecord(to, s));
    assert_ok(cu.cuEventRecord(untimed, s));
    assert_int_equal(cu.cuEventElapsedTime(&ms, from, to), 600);
    assert_ok(cu.cuEventSynchronize(to));
    assert_ok(cu.cuEventElapsedTime(&ms, from, to));
    assert_true(ms >= 0.0F);
    assert_ok(cu.cuEventElapsedTime_v2(&ms, from, to));
    assert_breaks(400, "made without times", cu.cuEventElapsedTime(&ms, from, untimed));
    assert_breaks(400, "never recorded", cu.cuEventElapsedTime(&ms, never, to));
    void *all[] = {from, to, untimed, never};
    for (int i = 0; i < 4; i++)
        assert_ok(cu.cuEventDestroy_v2(all[i]));
    assert_ok(cu.cuStreamDestroy_v2(s));
}

static void test_handles(void **state)
{
    (void)state;
    void *s = stream(0), *e = event(0), *made = NULL;
    assert_breaks(400, "no stream", cu.cuStreamSynchronize(e));
    assert_breaks(400, "no stream", cu.cuStreamSynchronize(&made));
    assert_breaks(400, "no event", cu.cuEventRecord(s, s));
    assert_breaks(1, "flags 9", cu.cuStreamCreate(&made, 9));
    assert_breaks(1, "flags 8", cu.cuEventCreate(&made, 8));
    assert_breaks(400, "no default stream per thread", cu.cuStreamSynchronize((void *)2));
    assert_ok(cu.cuStreamSynchronize((void *)1));
    assert_ok(cu.cuCtxPushCurrent_v2(context_of(1)));
    assert_breaks(201, "another context", cu.cuStreamSynchronize(s));
    assert_breaks(201, "another context", cu.cuEventRecord(e, NULL));
    assert_ok(cu.cuCtxPopCurrent_v2(NULL));
    assert_ok(cu.cuDevicePrimaryCtxRelease_v2(1));
    assert_ok(cu.cuStreamDestroy_v2(s));
    assert_ok(cu.cuEventDestroy_v2(e));
    assert_breaks(400, "stream that was destroyed", cu.cuStreamSynchronize(s));
    assert_breaks(400, "stream that was destroyed", cu.cuStreamDestroy_v2(s));
    assert_breaks(400, "event that was destroyed", cu.cuEventSynchronize(e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lazy, load_current, unload),
        cmocka_unit_test_setup_teardown(test_default_stream, load_current, unload),
        cmocka_unit_test_setup_teardown(test_events_order_streams, load_current, unload),
        cmocka_unit_test_setup_teardown(test_times, load_current, unload),
        cmocka_unit_test_setup_teardown(test_handles, load_current, unload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
