/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors that end the use of a device: the call that meets one says so, what the host or another card has goes on, and
 * what only the device had is told as lost.
 */
#include "calls.h"

enum { N = 100 };

typedef struct scene {
    rung_platform *p, *other; /* of an 8.0 and of a 9.0 */
    rung_ctx cx;
    rung_queue *q;
    rung_buffer *x, *z; /* the host has them */
    rung_buffer *y;     /* the device alone has it */
} scene;

static scene begin(void)
{
    steer("");
    scene s = {.p = open_gpu(GPU_80), .other = open_gpu(GPU_90)};
    s.cx = rung_ctx_of(s.p);
    s.x = buffer_of(s.p, 1, N);
    s.z = buffer_of(s.p, 0, N);
    s.y = buffer_of(s.p, 0, N);
    assert_int_equal(rung_queue_create(s.p, &s.q, NULL), RUNG_OK);
    assert_int_equal(cu_axpy_buf(&s.cx, s.y, s.x, NULL, NULL, N, 2), RUNG_OK);
    assert_int_equal(NUMBER(s.other, which), 901);
    heard_nothing();
    return s;
}

/* After the device was lost by the error `call`. */
static void goes_on(scene *s, const char *call)
{
    char line[192];
    (void)snprintf(line, sizeof line, "cu: cuda is lost: %s returned 700 (CUDA_ERROR_ILLEGAL_ADDRESS)", call);
    assert_heard(line);
    assert_heard("which ends the use of the device by this process");
    assert_null(strstr(strstr(heard(), "is lost") + 1, "is lost")); /* once */
    assert_true(has_text(why_not(s->p, "axpy", "sm80"), call));

    s->cx.queue = NULL;
    int launched = calls("cuLaunchKernel");
    assert_int_equal(cu_axpy_buf(&s->cx, s->z, s->x, s->x, NULL, N, 1), RUNG_OK); /* 2 + 3 i */
    assert_holds(s->z, 2, 3, N);
    assert_holds(s->x, 1, 1, N);
    assert_int_equal(NUMBER(s->p, which), 0);
    assert_int_equal(calls("cuLaunchKernel"), launched);

    heard_nothing();
    assert_null(rung_buffer_read(s->y));
    assert_heard("bytes 0 to 399 of a buffer were only on a device that this process can use no more");
    assert_int_equal(cu_turn_buf(&s->cx, s->y, N), RUNG_ERR_DEVICE);
    assert_int_equal(cu_which_buf(&s->cx, s->y, N), RUNG_OK); /* what is written whole is there again */
    assert_holds(s->y, 0, 0, N);

    rung_error err;
    assert_int_equal(rung_queue_wait(s->q, &err), RUNG_ERR_DEVICE);
    assert_true(has_text(err.text, "lost"));
    assert_int_equal(NUMBER(s->other, which), 901);
    assert_int_equal(NUMBER(s->other, some), 80);
}

static void end(scene *s)
{
    rung_queue_destroy(s->q);
    rung_buffer_destroy(s->x);
    rung_buffer_destroy(s->y);
    rung_buffer_destroy(s->z);
    rung_platform_close(s->p);
    assert_int_equal(NUMBER(s->other, which), 901);
    rung_platform_close(s->other);
    assert_int_equal(alive("contexts"), 0);
    assert_int_equal(alive("libraries"), 0);
    assert_int_equal(alive("work"), 0);
    assert_no_violation();
    steer("");
    rung_platform *p = open_gpu(GPU_80);
    assert_int_equal(NUMBER(p, which), 80);
    rung_platform_close(p);
    assert_no_violation();
}

static void test_launch(void **state)
{
    (void)state;
    scene s = begin();
    steer("cuLaunchKernel#1=700;");
    assert_int_equal(cu_axpy_buf(&s.cx, s.y, s.x, NULL, NULL, N, 2), RUNG_ERR_DEVICE);
    goes_on(&s, "cuLaunchKernel");
    end(&s);
}

/* The kernel itself is at fault: who waits for it is told. */
static void test_wait(void **state)
{
    (void)state;
    scene s = begin();
    steer("kernel:cu_axpy__cuda_sm80=700;");
    assert_int_equal(cu_axpy_buf(&s.cx, s.y, s.x, NULL, NULL, N, 2), RUNG_ERR_DEVICE);
    goes_on(&s, "cuStreamSynchronize");
    end(&s);
}

static void test_queue(void **state)
{
    (void)state;
    scene s = begin();
    steer("kernel:cu_axpy__cuda_sm80=700;");
    s.cx.queue = s.q;
    assert_int_equal(cu_axpy_buf(&s.cx, s.y, s.x, NULL, NULL, N, 2), RUNG_OK); /* it has not run */
    rung_error err;
    assert_int_equal(rung_queue_wait(s.q, &err), RUNG_ERR_DEVICE);
    assert_true(has_text(err.text, "cuda: waiting for a queue: cuStreamSynchronize returned 700"));
    goes_on(&s, "cuStreamSynchronize");
    end(&s);
}

static void test_copy_in(void **state)
{
    (void)state;
    scene s = begin();
    steer("cuMemcpyHtoDAsync#1=700;");
    assert_int_equal(cu_axpy_buf(&s.cx, s.y, s.z, NULL, NULL, N, 2), RUNG_ERR_DEVICE);
    goes_on(&s, "cuMemcpyHtoDAsync");
    end(&s);
}

static void test_copy_out(void **state)
{
    (void)state;
    scene s = begin();
    steer("cuMemcpyDtoHAsync#1=700;");
    assert_null(rung_buffer_read(s.y));
    goes_on(&s, "cuMemcpyDtoHAsync");
    end(&s);
}

/* The question whose memory an array or the workspace is: that is no bad argument. */
static void test_pointers(void **state)
{
    (void)state;
    for (int workspace = 0; workspace < 3; workspace++) {
        scene s = begin();
        rung_error err;
        rung_buffer *scratch = buffer_of(s.p, 0, 1024 / sizeof(float));
        assert_int_equal(cu_total_buf(&(rung_ctx){.platform = s.p, .workspace_buffer = scratch}, s.z, s.x, N), RUNG_OK);
        float *y = rung_buffer_device(s.y, NULL, &err);
        float *x = rung_buffer_device(s.x, NULL, &err);
        rung_ctx cx = s.cx;
        cx.memory = RUNG_MEMORY_DEVICE;
        cx.workspace = rung_buffer_device(scratch, NULL, &err);
        cx.workspace_size = 1024;
        assert_non_null(rung_buffer_host(s.z));
        assert_non_null(rung_buffer_read(s.x));
        heard_nothing();
        steer(workspace == 1 ? "cuPointerGetAttributes#3=700;" : "cuPointerGetAttributes#1=700;");
        if (workspace == 2)
            assert_int_equal(cu_total_buf(&cx, s.z, s.x, N), RUNG_ERR_DEVICE);
        else
            assert_int_equal(cu_total(&cx, y, x, N), RUNG_ERR_DEVICE);
        rung_buffer *whole = s.x;
        s.x = buffer_of(s.p, 1, N);
        rung_buffer_destroy(s.z);
        s.z = buffer_of(s.p, 0, N);
        goes_on(&s, "cuPointerGetAttributes");
        rung_buffer_destroy(whole);
        rung_buffer_destroy(scratch);
        end(&s);
    }
}

/* At the first use of a kernel: it is not the image that is bad. */
static void test_image(void **state)
{
    (void)state;
    static const char *const entries[] = {"cuLibraryLoadData", "cuLibraryGetKernel", "cuKernelGetFunction"};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        char how[64];
        steer("");
        rung_platform *p = open_gpu(GPU_80);
        heard_nothing();
        (void)snprintf(how, sizeof how, "%s#1=700;", entries[i]);
        steer(how);
        assert_int_equal(NUMBER(p, which), 0);
        (void)snprintf(how, sizeof how, "cu: cuda is lost: %s returned 700", entries[i]);
        assert_heard(how);
        assert_true(has_text(why_not(p, "which", "sm80"), "device unusable: "));
        assert_true(has_text(why_not(p, "axpy", "sm80"), "device unusable: "));
        uint32_t demoted = 7;
        assert_int_equal(rung_warm(p, &demoted, NULL), RUNG_OK); /* there is nothing left to be tried */
        assert_int_equal(demoted, 0);
        rung_platform_close(p);
        assert_no_violation();
        steer("");
    }
}

/* Plain calls with memory of the device have nowhere else to go. */
static void test_plain(void **state)
{
    (void)state;
    scene s = begin();
    rung_error err;
    float *y = rung_buffer_device(s.y, NULL, &err);
    assert_non_null(y);
    steer("cuLaunchKernel#1=700;");
    s.cx.memory = RUNG_MEMORY_DEVICE;
    assert_int_equal(cu_which(&s.cx, y, N), RUNG_ERR_DEVICE);
    assert_int_not_equal(cu_which(&s.cx, y, N), RUNG_OK);
    s.cx.memory = RUNG_MEMORY_HOST;
    float on_host[N];
    assert_int_equal(cu_which(&s.cx, on_host, N), RUNG_OK);
    assert_true(on_host[N - 1] == 0);
    goes_on(&s, "cuLaunchKernel");
    end(&s);
}

/* Met by the question whose memory an array is. */
static void test_asked(void **state)
{
    (void)state;
    scene s = begin();
    float *y = rung_buffer_device(s.y, NULL, NULL);
    assert_non_null(y);
    steer("cuPointerGetAttributes#1=700;");
    s.cx.memory = RUNG_MEMORY_DEVICE;
    assert_int_equal(cu_which(&s.cx, y, N), RUNG_ERR_DEVICE);
    s.cx.memory = RUNG_MEMORY_HOST;
    goes_on(&s, "cuPointerGetAttributes");
    end(&s);
}

/* Another platform of the same card, which shares its context, meets the error at its next call. */
static void test_same_card(void **state)
{
    (void)state;
    scene s = begin();
    rung_platform *twin = open_gpu(GPU_80);
    assert_int_equal(NUMBER(twin, which), 80);
    steer("cuLaunchKernel#1=700;");
    assert_int_equal(cu_axpy_buf(&s.cx, s.y, s.x, NULL, NULL, N, 2), RUNG_ERR_DEVICE);
    assert_int_equal(NUMBER(twin, which), -1);
    assert_int_equal(NUMBER(twin, which), 0);
    rung_platform_close(twin);
    rung_queue_destroy(s.q);
    s.q = NULL;
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launch),  cmocka_unit_test(test_wait),      cmocka_unit_test(test_queue),
        cmocka_unit_test(test_copy_in), cmocka_unit_test(test_copy_out),  cmocka_unit_test(test_plain),
        cmocka_unit_test(test_asked),   cmocka_unit_test(test_same_card), cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_image),
    };
    return cmocka_run_group_tests(tests, machine_begin, machine_end);
}
