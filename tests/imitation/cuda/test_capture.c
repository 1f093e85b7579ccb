/* SPDX-License-Identifier: Apache-2.0
 *
 * test_capture.c: captured streams, what they forbid, and graphs.
 */
#include <pthread.h>

#include "imitated_cuda.h"

enum { GLOBAL, OF_THREAD, RELAXED, N = 100 };

static void *end(void *s)
{
    void *graph = NULL;
    assert_ok(cu.cuStreamEndCapture(s, &graph));
    assert_non_null(graph);
    return graph;
}

static int status_of(void *s)
{
    int status = -1;
    assert_ok(cu.cuStreamIsCapturing(s, &status));
    return status;
}

static void test_graph_is_replayed(void **state)
{
    (void)state;
    void *library = loaded(&image_sm80), *f = function(library, WORDS("scale"));
    void *s = stream(1), *memory = NULL, *exec = NULL;
    const uintptr_t x = alloc(N * sizeof(float)), y = alloc(N * sizeof(float));
    assert_ok(cu.cuMemHostAlloc(&memory, N * sizeof(float), 0));
    float *host = memory, got[N] = {0};
    assert_int_equal(status_of(s), 0);
    assert_ok(cu.cuStreamBeginCapture_v2(s, GLOBAL));
    assert_int_equal(status_of(s), 1);
    assert_ok(cu.cuMemcpyHtoDAsync_v2(x, host, N * sizeof(float), s));
    assert_ok(scale(f, s, y, x, N, 2.0F)); /* its parameters are those of now */
    assert_ok(cu.cuMemcpyDtoDAsync_v2(x, y, N * sizeof(float), s));
    void *graph = end(s);
    assert_int_equal(live("work"), 0);
    assert_ok(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
    assert_ok(cu.cuGraphDestroy(graph));
    for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < N; i++)
            host[i] = (float)(round * i);
        assert_ok(cu.cuGraphLaunch(exec, s));
        assert_int_equal(live("work"), 3);
        assert_ok(cu.cuStreamSynchronize(s));
        assert_ok(cu.cuMemcpyDtoH_v2(got, y, sizeof got));
        assert_true(got[N - 1] == 2.0F * (float)(round * (N - 1)));
    }
    assert_ok(cu.cuLibraryUnload(library));
    assert_breaks(400, "was unloaded", cu.cuGraphLaunch(exec, s));
    assert_ok(cu.cuGraphExecDestroy(exec));
    assert_breaks(400, "exec that was destroyed", cu.cuGraphLaunch(exec, s));
    assert_ok(cu.cuStreamDestroy_v2(s)); /* with the copy of before the kernel on it */
    assert_ok(cu.cuMemFree_v2(x));
    assert_ok(cu.cuMemFree_v2(y));
    assert_ok(cu.cuMemFreeHost(memory));
}

/* Every call that a capture in the global mode forbids gives 900 and ends its validity. */
static void test_forbidden(void **state)
{
    (void)state;
    const uintptr_t at = alloc(8);
    void *e = event(0), *other = stream(1);
    enum { CALLS = 10 };
    for (int call = 0; call < CALLS; call++) {
        void *s = stream(1), *graph = &graph, *memory;
        uintptr_t more;
        assert_ok(cu.cuStreamBeginCapture_v2(s, GLOBAL));
        assert_ok(cu.cuMemsetD8Async(at, 0, 8, s));
        const int before = violations();
        const int codes[CALLS] = {
            call == 0 ? cu.cuMemAlloc_v2(&more, 8) : 900,
            call == 1 ? cu.cuMemFree_v2(at) : 900,
            call == 2 ? cu.cuStreamSynchronize(s) : 900,
            call == 3 ? cu.cuStreamSynchronize(other) : 900,
            call == 4 ? cu.cuCtxSynchronize() : 900,
            call == 5 ? cu.cuEventSynchronize(e) : 900,
            call == 6 ? cu.cuMemHostAlloc(&memory, 8, 0) : 900,
            call == 7 ? cu.cuMemcpyDtoH_v2(&more, at, 8) : 900,
            call == 8 ? cu.cuStreamQuery(s) : 900,
            call == 9 ? cu.cuLibraryLoadData(&memory, image_sm80.data, NULL, NULL, 0, NULL, NULL, 0) : 900,
        };
        for (int i = 0; i < CALLS; i++)
            assert_int_equal(codes[i], 900);
        assert_int_equal(violations(), before + 1);
        broken++;
        assert_int_equal(status_of(s), 2);
        assert_breaks(901, "not valid any more", cu.cuMemsetD8Async(at, 0, 8, s));
        assert_breaks(901, "not valid any more", cu.cuStreamEndCapture(s, &graph));
        assert_null(graph);
        assert_int_equal(status_of(s), 0);
        assert_ok(cu.cuStreamDestroy_v2(s));
    }
    assert_ok(cu.cuStreamDestroy_v2(other));
    assert_ok(cu.cuEventDestroy_v2(e));
    assert_ok(cu.cuMemFree_v2(at));
}

static void test_default_stream(void **state)
{
    (void)state;
    const uintptr_t at = alloc(8);
    void *blocking = stream(0), *other = stream(1), *graph = NULL;
    int status;
    assert_breaks(900, "never captured", cu.cuStreamBeginCapture_v2(NULL, GLOBAL));
    assert_ok(cu.cuStreamBeginCapture_v2(other, GLOBAL));
    assert_ok(cu.cuMemsetD8Async(at, 0, 8, NULL)); /* does not wait for it */
    assert_ok(cu.cuGraphDestroy(end(other)));
    assert_ok(cu.cuStreamBeginCapture_v2(blocking, RELAXED));
    assert_int_equal(cu.cuStreamIsCapturing(NULL, &status), 906);
    assert_breaks(906, "the default stream waits", cu.cuMemsetD8Async(at, 0, 8, NULL));
    assert_breaks(901, "not valid any more", cu.cuStreamEndCapture(blocking, &graph));
    assert_ok(cu.cuStreamDestroy_v2(blocking));
    assert_ok(cu.cuStreamDestroy_v2(other));
    assert_ok(cu.cuMemFree_v2(at));
}

/* A second stream comes in through an event, and has to be waited for. */
static void test_two_streams(void **state)
{
    (void)state;
    const uintptr_t at = alloc(8);
    void *a = stream(1), *b = stream(1), *fork = event(2), *join = event(2), *graph = NULL, *exec = NULL;
    for (int joined = 0; joined < 2; joined++) {
        assert_ok(cu.cuStreamBeginCapture_v2(a, GLOBAL));
        assert_ok(cu.cuMemsetD8Async(at, 1, 8, a));
        assert_ok(cu.cuEventRecord(fork, a));
        assert_ok(cu.cuStreamWaitEvent(b, fork, 0));
        assert_int_equal(status_of(b), 1);
        assert_ok(cu.cuMemsetD8Async(at, 2, 4, b));
        assert_ok(cu.cuEventRecord(join, b));
        assert_breaks(903, "did not begin on this stream", cu.cuStreamEndCapture(b, &graph));
        if (!joined) {
            assert_breaks(904, "not waited for", cu.cuStreamEndCapture(a, &graph));
            continue;
        }
        assert_ok(cu.cuStreamWaitEvent(a, join, 0));
        assert_ok(cu.cuGraphInstantiateWithFlags(&exec, graph = end(a), 0));
    }
    unsigned char got[8];
    assert_int_equal(status_of(b), 0);
    assert_ok(cu.cuGraphLaunch(exec, b));
    assert_ok(cu.cuStreamSynchronize(b));
    assert_ok(cu.cuMemcpyDtoH_v2(got, at, 8));
    assert_int_equal(got[3], 2);
    assert_int_equal(got[4], 1);
    assert_ok(cu.cuGraphDestroy(graph));
    assert_ok(cu.cuGraphExecDestroy(exec));
    /* an event from outside of the capture */
    assert_ok(cu.cuEventRecord(fork, b));
    assert_ok(cu.cuStreamBeginCapture_v2(a, GLOBAL));
    assert_breaks(905, "from outside", cu.cuStreamWaitEvent(a, fork, 0));
    assert_breaks(901, "not valid", cu.cuStreamEndCapture(a, &graph));
    /* and one from inside */
    assert_ok(cu.cuStreamBeginCapture_v2(a, RELAXED));
    assert_ok(cu.cuEventRecord(fork, a));
    assert_breaks(907, "part of a capture", cu.cuEventQuery(fork));
    assert_ok(cu.cuGraphDestroy(end(a)));
    void *all[] = {fork, join};
    for (int i = 0; i < 2; i++)
        assert_ok(cu.cuEventDestroy_v2(all[i]));
    assert_ok(cu.cuStreamDestroy_v2(a));
    assert_ok(cu.cuStreamDestroy_v2(b));
    assert_ok(cu.cuMemFree_v2(at));
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

static int code_of_other_thread;

static void *allocate(void *context)
{
    uintptr_t at = 0;
    (void)cu.cuCtxPushCurrent_v2(context);
    code_of_other_thread = cu.cuMemAlloc_v2(&at, 8);
    if (code_of_other_thread == 0)
        code_of_other_thread = cu.cuMemFree_v2(at);
    (void)cu.cuCtxPopCurrent_v2(NULL);
    return NULL;
}

static void test_modes(void **state)
{
    (void)state;
    static const struct {
        int here, there; /* what an allocation gives, in this thread and in another */
    } expected[] = {{900, 900}, {900, 0}, {0, 0}};
    void *context = NULL, *graph = NULL;
    assert_ok(cu.cuCtxGetCurrent(&context));
    for (int mode = GLOBAL; mode <= RELAXED; mode++) {
        void *s = stream(1);
        pthread_t other;
        uintptr_t at = 0;
        assert_ok(cu.cuStreamBeginCapture_v2(s, mode));
        assert_breaks(1, "captured already", cu.cuStreamBeginCapture_v2(s, mode));
        assert_ok(pthread_create(&other, NULL, allocate, context));
        assert_ok(pthread_join(other, NULL));
        assert_int_equal(code_of_other_thread, expected[mode].there);
        assert_int_equal(status_of(s), expected[mode].there == 0 ? 1 : 2);
        assert_int_equal(cu.cuMemAlloc_v2(&at, 8), expected[mode].here);
        broken += (expected[mode].here != 0) + (expected[mode].there != 0);
        if (mode == RELAXED) {
            assert_ok(cu.cuGraphDestroy(end(s)));
            assert_ok(cu.cuMemFree_v2(at));
        } else {
            assert_breaks(901, "not valid", cu.cuStreamEndCapture(s, &graph));
        }
        assert_breaks(1, "not captured", cu.cuStreamEndCapture(s, &graph));
        assert_ok(cu.cuStreamDestroy_v2(s));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_graph_is_replayed, load_current, unload),
        cmocka_unit_test_setup_teardown(test_forbidden, load_current, unload),
        cmocka_unit_test_setup_teardown(test_default_stream, load_current, unload),
        cmocka_unit_test_setup_teardown(test_two_streams, load_current, unload),
        cmocka_unit_test_setup_teardown(test_modes, load_current, unload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
