/* SPDX-License-Identifier: Apache-2.0
 *
 * Data that follows the device: the results of the processor with the transfers that are needed and no others, as the
 * library counts them and as the driver sees them.
 */
#include "calls.h"

enum { N = 500 };

/* Transfers since the last call, and copies of the driver. */
typedef struct moved {
    rung_platform *p;
    rung_transfers before;
    int copies;
} moved;

static moved watch(rung_platform *p)
{
    return (moved){.p = p, .before = rung_platform_transfers(p), .copies = copies()};
}

static void assert_moved(moved *m, unsigned in, unsigned out, size_t in_bytes, size_t out_bytes)
{
    const rung_transfers now = rung_platform_transfers(m->p);
    assert_int_equal(now.to_device - m->before.to_device, in);
    assert_int_equal(now.to_host - m->before.to_host, out);
    assert_int_equal(now.to_device_bytes - m->before.to_device_bytes, in_bytes);
    assert_int_equal(now.to_host_bytes - m->before.to_host_bytes, out_bytes);
    assert_int_equal(copies() - m->copies, in + out);
    *m = watch(m->p);
}

enum { BYTES = N * sizeof(float) };

/* x and y of a chain of ops on the GPU and the processor in turn. */
static void alternate(rung_platform *p, rung_queue *q, float *out, moved *m)
{
    rung_ctx cx = rung_ctx_of(p);
    cx.queue = q;
    rung_buffer *x = buffer_of(p, 0.5F, N);
    rung_buffer *y = buffer_of(p, 3, N);
    if (m != NULL)
        *m = watch(p);
    for (int turn = 0; turn < 3; turn++) {
        assert_int_equal(cu_axpy_buf(&cx, y, x, NULL, NULL, N, 0.3F), RUNG_OK);
        if (m != NULL) /* x stays on both */
            assert_moved(m, turn == 0 ? 2 : 1, 0, turn == 0 ? 2 * BYTES : BYTES, 0);
        assert_int_equal(cu_turn_buf(&cx, y, N), RUNG_OK);
        if (m != NULL)
            assert_moved(m, 0, 1, 0, BYTES);
    }
    memcpy(out, rung_buffer_read(y), BYTES);
    if (m != NULL)
        assert_moved(m, 0, 0, 0, 0);
    rung_buffer_destroy(x);
    rung_buffer_destroy(y);
}

static void test_alternating(void **state)
{
    (void)state;
    static float on_cpu[N], on_gpu[N];
    steer("");
    rung_platform *cpu = open_on("cpu");
    alternate(cpu, NULL, on_cpu, NULL);
    rung_platform_close(cpu);
    rung_platform *p = open_gpu(GPU_80);
    rung_queue *q = NULL;
    assert_int_equal(rung_queue_create(p, &q, NULL), RUNG_OK);
    for (int with_queue = 0; with_queue < 2; with_queue++) {
        moved m;
        int launched = calls("cuLaunchKernel");
        memset(on_gpu, 0, sizeof on_gpu);
        alternate(p, with_queue ? q : NULL, on_gpu, &m);
        assert_memory_equal(on_cpu, on_gpu, BYTES);
        assert_int_equal(calls("cuLaunchKernel"), launched + 3);
    }
    rung_queue_destroy(q);
    close_last(p);
}

/* A program whose ops are all there moves nothing once the data is. */
static void test_staying(void **state)
{
    (void)state;
    steer("");
    rung_platform *p = open_gpu(GPU_80);
    rung_ctx cx = rung_ctx_of(p);
    rung_queue *q[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++)
        assert_int_equal(rung_queue_create(p, &q[i], NULL), RUNG_OK);
    rung_buffer *x = buffer_of(p, 1, N);
    rung_buffer *y = NULL;
    assert_int_equal(rung_buffer_create(p, BYTES, &y, NULL), RUNG_OK);
    assert_int_equal(cu_some_buf(&cx, y, N), RUNG_OK); /* 80 */
    moved m = watch(p);
    assert_non_null(rung_buffer_device(x, NULL, NULL));
    assert_moved(&m, 1, 0, BYTES, 0);
    for (int i = 0; i < 6; i++) { /* on queues in turn, which nobody waits for */
        cx.queue = q[i % 2];
        assert_int_equal(cu_axpy_buf(&cx, y, x, NULL, NULL, N, 1), RUNG_OK);
    }
    assert_true(alive("work") > 0);
    assert_moved(&m, 0, 0, 0, 0);
    assert_holds(y, 86, 6, N);
    assert_moved(&m, 0, 1, 0, BYTES);
    assert_holds(y, 86, 6, N);
    assert_moved(&m, 0, 0, 0, 0);
    rung_buffer_destroy(x);
    rung_buffer_destroy(y);
    rung_queue_destroy(q[0]);
    rung_queue_destroy(q[1]);
    close_last(p);
}

/* What nobody has written, and what is about to be written whole, is not moved. */
static void test_not_needed(void **state)
{
    (void)state;
    steer("");
    rung_platform *p = open_gpu(GPU_80);
    rung_ctx cx = rung_ctx_of(p);
    rung_buffer *y = NULL;
    assert_int_equal(rung_buffer_create(p, BYTES, &y, NULL), RUNG_OK);
    moved m = watch(p);
    assert_non_null(rung_buffer_device(y, NULL, NULL));
    rung_buffer_destroy(y);
    y = buffer_of(p, 0, N);
    assert_int_equal(cu_which_buf(&cx, y, N), RUNG_OK);
    assert_int_equal(cu_exact_buf(&cx, y, N), RUNG_OK); /* on the processor */
    assert_holds(y, 0, 0, N);
    assert_moved(&m, 0, 0, 0, 0);
    rung_buffer_destroy(y);
    close_last(p);
}

static void test_parts(void **state)
{
    (void)state;
    steer("");
    rung_platform *p = open_gpu(GPU_80);
    rung_ctx cx = rung_ctx_of(p);
    rung_buffer *whole = buffer_of(p, 1, N);
    rung_buffer *part[2] = {NULL, NULL};
    enum { AT = 100, LEN = 50 };
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(rung_buffer_slice(whole, (AT + i * LEN) * sizeof(float), LEN * sizeof(float), &part[i], NULL),
                         RUNG_OK);
    moved m = watch(p);
    assert_int_equal(cu_axpy_buf(&cx, part[0], part[1], NULL, NULL, LEN, 1), RUNG_OK);
    assert_moved(&m, 2, 0, 2 * LEN * sizeof(float), 0);
    assert_holds(part[0], 101 + 151, 2, LEN);
    assert_moved(&m, 0, 1, 0, LEN * sizeof(float));
    assert_int_equal(cu_which_buf(&cx, part[1], LEN), RUNG_OK);
    const float *at = rung_buffer_read(whole);
    assert_moved(&m, 0, 1, 0, LEN * sizeof(float));
    for (size_t i = 0; i < N; i++) {
        float expected = (float)(i + 1);
        if (i >= AT && i < AT + LEN)
            expected = 252 + 2 * (float)(i - AT);
        else if (i >= AT + LEN && i < AT + 2 * LEN)
            expected = 80;
        assert_true(at[i] == expected);
    }
    rung_buffer_destroy(part[0]);
    rung_buffer_destroy(part[1]);
    rung_buffer_destroy(whole);
    close_last(p);
}

/* The GPUs of this machine have 256 MiB. */
static void test_out_of_memory(void **state)
{
    (void)state;
    steer("");
    rung_platform *p = open_gpu(GPU_80);
    rung_ctx cx = rung_ctx_of(p);
    enum { LARGE = 160 << 20 };
    rung_buffer *first = NULL;
    rung_buffer *second = NULL;
    rung_error err;
    assert_int_equal(rung_buffer_create(p, LARGE, &first, &err), RUNG_OK);
    assert_int_equal(rung_buffer_create(p, LARGE, &second, &err), RUNG_OK);
    assert_int_equal(cu_which_buf(&cx, first, 10), RUNG_OK);
    int kilobytes = alive("kilobytes");
    heard_nothing();
    assert_int_equal(cu_which_buf(&cx, second, 10), RUNG_ERR_MEMORY);
    assert_heard("cu: cuda: memory for a buffer of 167772160 bytes: cuMemAlloc returned 2 (CUDA_ERROR_OUT_OF_MEMORY)");
    assert_null(rung_buffer_device(second, NULL, &err));
    assert_int_equal(err.status, RUNG_ERR_MEMORY);
    assert_int_equal(alive("kilobytes"), kilobytes);
    assert_holds(first, 80, 0, 10);
    assert_int_equal(NUMBER(p, which), 80); /* the device is no worse for it */
    rung_buffer_destroy(first);
    assert_int_equal(cu_which_buf(&cx, second, 10), RUNG_OK);
    assert_holds(second, 80, 0, 10);
    rung_buffer_destroy(second);
    close_last(p);
}

/* Copies of several pieces of pinned memory, with a rest; and where there is none of it. */
static void test_staging(void **state)
{
    (void)state;
    static const char *const how[] = {"", "cuMemHostAlloc=2;", "pageable=1;"};
    enum { MANY = 9 * (1 << 18) + 7 }; /* floats: 9 MiB and 28 bytes */
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        steer(how[i]);
        rung_platform *p = open_gpu(GPU_80);
        rung_ctx cx = rung_ctx_of(p);
        rung_queue *q = NULL;
        assert_int_equal(rung_queue_create(p, &q, NULL), RUNG_OK);
        rung_buffer *b = buffer_of(p, 1, MANY);
        assert_non_null(rung_buffer_device(b, q, NULL));
        float *host = NULL;
        assert_int_equal(calls("cuMemcpyHtoDAsync_v2"), i == 1 ? 1 : 3);
        rung_buffer *end = NULL;
        enum { END = 10 };
        assert_int_equal(rung_buffer_slice(b, (MANY - END) * sizeof(float), END * sizeof(float), &end, NULL), RUNG_OK);
        cx.queue = q;
        assert_int_equal(cu_which_buf(&cx, end, END), RUNG_OK);
        host = rung_buffer_host(b);
        assert_non_null(host);
        for (size_t k = 0; k < MANY; k++)
            if (host[k] != (k < MANY - END ? (float)(k + 1) : 80))
                fail_msg("%s element %zu is %g", how[i], k, (double)host[k]);
        rung_buffer_destroy(end);
        rung_buffer_destroy(b);
        rung_queue_destroy(q);
        close_last(p);
    }
}

/* A launch that is refused leaves what was to be written with what it held. */
static void test_refused(void **state)
{
    (void)state;
    steer("");
    rung_platform *p = open_gpu(GPU_80);
    rung_ctx cx = rung_ctx_of(p);
    rung_queue *q = NULL;
    assert_int_equal(rung_queue_create(p, &q, NULL), RUNG_OK);
    rung_buffer *y = buffer_of(p, 1, N);
    for (int with_queue = 0; with_queue < 2; with_queue++) {
        cx.queue = with_queue ? q : NULL;
        assert_int_equal(NUMBER(p, which), 80);
        steer("cuLaunchKernel#1=2;");
        assert_int_equal(cu_which_buf(&cx, y, N), RUNG_ERR_MEMORY);
        assert_holds(y, 1, 1, N);
        steer("cuLaunchKernel#1=2;");
        assert_int_equal(cu_axpy_buf(&cx, y, y, NULL, y, N, 1), RUNG_ERR_MEMORY);
        assert_holds(y, 1, 1, N);
    }
    assert_int_equal(cu_axpy_buf(&cx, y, y, NULL, NULL, N, 1), RUNG_OK);
    assert_holds(y, 2, 2, N);
    rung_buffer_destroy(y);
    rung_queue_destroy(q);
    close_last(p);
}

/* Memory of the program's own, of every kind that a copy may meet: what it has is read before a call returns, and there
 * when one that reads it has returned. */
static void small(rung_platform *p, rung_queue *q, float *host)
{
    rung_ctx cx = rung_ctx_of(p);
    cx.queue = q;
    rung_buffer *b = NULL;
    rung_buffer *y = NULL;
    for (int i = 0; i < N; i++)
        host[i] = 1;
    assert_int_equal(rung_buffer_wrap(p, host, BYTES, &b, NULL), RUNG_OK);
    assert_int_equal(rung_buffer_create(p, BYTES, &y, NULL), RUNG_OK);
    assert_int_equal(cu_some_buf(&cx, y, N), RUNG_OK);
    assert_non_null(rung_buffer_device(b, q, NULL));
    for (int i = 0; i < N; i++)
        host[i] = 1000; /* too late */
    assert_int_equal(cu_axpy_buf(&cx, y, b, NULL, NULL, N, 5), RUNG_OK);
    assert_int_equal(cu_axpy_buf(&cx, b, y, NULL, NULL, N, 1), RUNG_OK);
    assert_ptr_equal(rung_buffer_read(b), host);
    assert_true(host[0] == 86 && host[N - 1] == 86);
    assert_holds(y, 85, 0, N);
    rung_buffer_destroy(b);
    rung_buffer_destroy(y);
}

static void test_kinds_of_memory(void **state)
{
    (void)state;
    static const char *const how[] = {"", "pageable=1;"};
    static float plain[N];
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        steer(how[i]);
        rung_platform *p = open_gpu(GPU_80);
        rung_queue *q = NULL;
        assert_int_equal(rung_queue_create(p, &q, NULL), RUNG_OK);
        small(p, NULL, plain);
        small(p, q, plain);

        int (*retain)(void **, int);
        int (*release)(int);
        int (*set)(void *);
        int (*pin)(void **, size_t, unsigned);
        int (*unpin)(void *);
        FIND("cuDevicePrimaryCtxRetain", retain);
        FIND("cuDevicePrimaryCtxRelease_v2", release);
        FIND("cuCtxSetCurrent", set);
        FIND("cuMemHostAlloc", pin);
        FIND("cuMemFreeHost", unpin);
        void *context = NULL;
        void *pinned = NULL;
        assert_int_equal(retain(&context, GPU_80), 0);
        assert_int_equal(set(context), 0);
        assert_int_equal(pin(&pinned, BYTES, 0), 0);
        small(p, NULL, pinned);
        small(p, q, pinned);
        assert_int_equal(unpin(pinned), 0);
        assert_int_equal(set(NULL), 0);
        assert_int_equal(release(GPU_80), 0);
        rung_queue_destroy(q);
        close_last(p);
    }
    steer("");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alternating),     cmocka_unit_test(test_staying),       cmocka_unit_test(test_not_needed),
        cmocka_unit_test(test_parts),           cmocka_unit_test(test_out_of_memory), cmocka_unit_test(test_staging),
        cmocka_unit_test(test_kinds_of_memory), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, machine_begin, machine_end);
}
