/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "rung/dispatch.h"

static rung_platform *open_here(const char *chain)
{
    rung_platform *p = NULL;
    assert_int_equal(rung_platform_open(&fx_registry, chain, RUNG_OPEN_NO_ENV, &p, NULL), RUNG_OK);
    return p;
}

static void nothing_was_copied(const rung_buffer *buffer)
{
    rung_transfers t = rung_buffer_transfers(buffer);
    assert_true(t.to_device == 0 && t.to_host == 0 && t.to_device_bytes == 0 && t.to_host_bytes == 0);
}

static void a_buffer_holds_what_was_put_in(void **state)
{
    (void)state;
    rung_platform *p = open_here("accel");
    static const size_t sizes[] = {0, 1, 63, 64, 65, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        rung_buffer *buffer;
        rung_error err;
        assert_int_equal(rung_buffer_create(p, sizes[i], &buffer, &err), RUNG_OK);
        assert_int_equal(rung_buffer_size(buffer), sizes[i]);
        unsigned char *host = rung_buffer_host(buffer);
        assert_non_null(host);
        assert_int_equal((uintptr_t)host % 64, 0);
        memset(host, 0xa5, sizes[i]);
        assert_ptr_equal(rung_buffer_host(buffer), host);
        assert_ptr_equal(rung_buffer_read(buffer), host);
        assert_ptr_equal(rung_buffer_device(buffer, NULL, &err), host);
        nothing_was_copied(buffer);
        rung_buffer_destroy(buffer);
    }
    rung_platform_close(p);
}

static void wrapped_memory_is_the_caller_s(void **state)
{
    (void)state;
    rung_platform *p = open_here("cpu");
    char memory[16] = "mine";
    rung_buffer *buffer;
    assert_int_equal(rung_buffer_wrap(p, memory, sizeof memory, &buffer, NULL), RUNG_OK);
    assert_ptr_equal(rung_buffer_host(buffer), memory);
    rung_buffer_destroy(buffer);
    assert_string_equal(memory, "mine");
    assert_int_equal(rung_buffer_wrap(p, NULL, 0, &buffer, NULL), RUNG_OK);
    assert_null(rung_buffer_host(buffer));
    rung_buffer_destroy(buffer);
    rung_platform_close(p);
}

static void parts_share_the_memory(void **state)
{
    (void)state;
    rung_platform *p = open_here("accel");
    rung_buffer *whole;
    rung_buffer *part;
    rung_buffer *inner;
    assert_int_equal(rung_buffer_create(p, 100, &whole, NULL), RUNG_OK);
    assert_int_equal(rung_buffer_slice(whole, 40, 60, &part, NULL), RUNG_OK);
    assert_int_equal(rung_buffer_slice(part, 4, 16, &inner, NULL), RUNG_OK);
    assert_int_equal(rung_buffer_size(inner), 16);
    char *host = rung_buffer_host(whole);
    assert_ptr_equal(rung_buffer_host(part), host + 40);
    assert_ptr_equal(rung_buffer_host(inner), host + 44);
    rung_ctx cx = rung_ctx_of(p);
    float x[4] = {1, 2, 3, 4};
    rung_buffer *in;
    assert_int_equal(rung_buffer_wrap(p, x, sizeof x, &in, NULL), RUNG_OK);
    assert_int_equal(fx_scale_buf(&cx, inner, in, 4, 2.0f), RUNG_OK);
    assert_int_equal(fx_scale_buf(&cx, inner, in, 5, 2.0f), RUNG_ERR_ARGUMENT);
    float last;
    memcpy(&last, host + 44 + 3 * sizeof last, sizeof last);
    assert_true(last == 8.0f);
    rung_buffer_destroy(in);
    rung_buffer_destroy(inner);
    rung_buffer_destroy(part);
    rung_buffer_destroy(whole);
    rung_platform_close(p);
}

static void bad_arguments(void **state)
{
    (void)state;
    rung_platform *p = open_here("cpu");
    rung_buffer *buffer = NULL;
    rung_error err;
    assert_int_equal(rung_buffer_create(NULL, 1, &buffer, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_create(p, 1, NULL, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_create(p, SIZE_MAX, &buffer, &err), RUNG_ERR_MEMORY);
    assert_int_equal(rung_buffer_create(p, PTRDIFF_MAX, &buffer, &err), RUNG_ERR_MEMORY);
    assert_int_equal(rung_buffer_wrap(NULL, &err, 1, &buffer, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_wrap(p, NULL, 1, &buffer, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_wrap(p, &err, 1, NULL, NULL), RUNG_ERR_ARGUMENT);
    assert_null(buffer);
    rung_buffer_destroy(NULL);
    assert_int_equal(rung_buffer_size(NULL), 0);
    assert_null(rung_buffer_host(NULL));
    assert_null(rung_buffer_read(NULL));
    assert_null(rung_buffer_device(NULL, NULL, &err));
    assert_int_equal(err.status, RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_slice(NULL, 0, 0, &buffer, &err), RUNG_ERR_ARGUMENT);
    assert_null(buffer);
    nothing_was_copied(NULL);
    assert_int_equal(rung_platform_transfers(NULL).to_host, 0);
    rung_platform_close(p);
}

static void a_buffer_call_computes_what_the_plain_one_does(void **state)
{
    (void)state;
    static const char *const chains[] = {"cpu/generic", "accel/sm90"};
    for (size_t c = 0; c < 2; c++) {
        rung_platform *p = open_here(chains[c]);
        enum { N = 9 };
        rung_buffer *y;
        rung_buffer *x;
        float in[N];
        for (int i = 0; i < N; i++)
            in[i] = (float)i;
        assert_int_equal(rung_buffer_create(p, N * sizeof(float), &y, NULL), RUNG_OK);
        assert_int_equal(rung_buffer_wrap(p, in, sizeof in, &x, NULL), RUNG_OK);
        rung_ctx cx = rung_ctx_of(p);
        assert_int_equal(fx_scale_buf(&cx, y, x, N, 2.0f), RUNG_OK);
        const float *out = rung_buffer_host(y);
        for (int i = 0; i < N; i++)
            assert_true(out[i] == 2.0f * (float)i);
        nothing_was_copied(x);
        nothing_was_copied(y);
        assert_int_equal(rung_platform_transfers(p).to_device, 0);
        assert_int_equal(fx_scale_buf(&cx, y, x, N + 1, 2.0f), RUNG_ERR_ARGUMENT);
        assert_int_equal(fx_scale_buf(&cx, NULL, x, N, 2.0f), RUNG_ERR_ARGUMENT);
        assert_int_equal(fx_scale_buf(NULL, y, x, N, 2.0f), RUNG_ERR_ARGUMENT);
        cx.variant = FX_VARIANT_REMOTE;
        assert_int_equal(fx_scale_buf(&cx, y, x, N, 2.0f), RUNG_ERR_NO_KERNEL);
        rung_buffer_destroy(x);
        rung_buffer_destroy(y);
        rung_platform_close(p);
    }
}

static void a_buffer_of_another_platform_is_refused(void **state)
{
    (void)state;
    rung_platform *a = open_here("cpu");
    rung_platform *b = open_here("cpu");
    rung_buffer *y;
    float x[1] = {1.0f};
    rung_buffer *in;
    assert_int_equal(rung_buffer_create(a, sizeof(float), &y, NULL), RUNG_OK);
    assert_int_equal(rung_buffer_wrap(b, x, sizeof x, &in, NULL), RUNG_OK);
    rung_ctx cx = rung_ctx_of(a);
    assert_int_equal(fx_scale_buf(&cx, y, in, 1, 2.0f), RUNG_ERR_ARGUMENT);
    rung_buffer_destroy(y);
    rung_buffer_destroy(in);
    rung_platform_close(a);
    rung_platform_close(b);
}

/* What generated code calls. */
static void the_beginning_of_a_buffer_call(void **state)
{
    (void)state;
    rung_platform *p = open_here("accel");
    rung_ctx cx = rung_ctx_of(p);
    rung_ctx plain;
    rung_buffer *buffer;
    assert_int_equal(rung_buffer_create(p, 8, &buffer, NULL), RUNG_OK);
    rung_buffer_use uses[] = {{buffer, 8, RUNG_ACCESS_READ_WRITE, NULL}, {NULL, 8, RUNG_ACCESS_READ, &cx}};
    cx.threads = 3;
    cx.memory = RUNG_MEMORY_DEVICE; /* that of plain pointers, of which there are none */
    assert_int_equal(rung_buffer_call(&cx, &fx_registry, FX_OP_SCALE, uses, 2, &plain), RUNG_OK);
    assert_int_equal(plain.memory, RUNG_MEMORY_HOST);
    assert_int_equal(plain.threads, 3);
    assert_ptr_equal(uses[0].data, rung_buffer_host(buffer));
    assert_null(uses[1].data);
    assert_int_equal(rung_buffer_call(&cx, &fx_registry, FX_OP_SCALE, NULL, 0, &plain), RUNG_OK);
    assert_int_equal(rung_buffer_call(&cx, &fx_registry, FX_OP_COUNT, uses, 2, &plain), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_call(&cx, &fx_registry, 0, uses, 2, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_call(&cx, &fx_registry, 0, NULL, 2, &plain), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_call(&cx, NULL, 0, uses, 2, &plain), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_call(NULL, &fx_registry, 0, uses, 2, &plain), RUNG_ERR_ARGUMENT);
    const rung_buffer_use bad[] = {{buffer, 9, RUNG_ACCESS_READ, NULL}, {buffer, 8, 0, NULL}, {buffer, 8, 4, NULL}};
    for (int i = 0; i < 3; i++) {
        uses[1] = bad[i];
        assert_int_equal(rung_buffer_call(&cx, &fx_registry, FX_OP_SCALE, uses, 2, &plain), RUNG_ERR_ARGUMENT);
    }
    cx.variant = FX_VARIANT_REMOTE;
    assert_int_equal(rung_buffer_call(&cx, &fx_registry, FX_OP_SCALE, uses, 1, &plain), RUNG_ERR_NO_KERNEL);
    rung_buffer_destroy(buffer);
    rung_platform_close(p);
}

static rung_reason succeeds(const rung_registry *registry, uint32_t cell, uint32_t builder, rung_text *detail,
                            void *user)
{
    (void)registry;
    (void)cell;
    (void)builder;
    (void)detail;
    (void)user;
    return RUNG_REASON_NONE;
}

/* A machine that was imitated without a driver: the cell can be chosen, and its device cannot be used. */
static void a_device_that_cannot_be_opened(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *fx = fixture_of(&f, 1);
    const rung_found present = {"cuda", RUNG_REASON_NONE, "", "sm90", 1, 0, false};
    rung_machine machine = machine_x86(0);
    machine.found = &present;
    machine.n_found = 1;
    machine.first_use = succeeds;
    rung_platform *p = open_on(fx, "cuda", 0, &machine);
    rung_ctx cx = rung_ctx_of(p);
    rung_ctx plain;
    assert_int_equal(rung_buffer_call(&cx, fx, FX_OP_WHICH, NULL, 0, &plain), RUNG_ERR_DEVICE);
    rung_platform_close(p);
}

static void no_kernel_or_a_context_that_does_not_fit(void **state)
{
    (void)state;
    rung_platform *p = open_here("cpu");
    rung_ctx cx = rung_ctx_of(p);
    assert_int_equal(rung_no_kernel(&cx, &fx_registry), RUNG_ERR_NO_KERNEL);
    assert_int_equal(rung_no_kernel(&cx, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_no_kernel(NULL, &fx_registry), RUNG_ERR_ARGUMENT);
    cx.memory = 3;
    assert_int_equal(rung_no_kernel(&cx, &fx_registry), RUNG_ERR_ARGUMENT);
    cx = (rung_ctx){.platform = NULL};
    assert_int_equal(rung_no_kernel(&cx, &fx_registry), RUNG_ERR_ARGUMENT);
    rung_platform_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_holds_what_was_put_in),
        cmocka_unit_test(wrapped_memory_is_the_caller_s),
        cmocka_unit_test(parts_share_the_memory),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(a_buffer_call_computes_what_the_plain_one_does),
        cmocka_unit_test(a_buffer_of_another_platform_is_refused),
        cmocka_unit_test(the_beginning_of_a_buffer_call),
        cmocka_unit_test(a_device_that_cannot_be_opened),
        cmocka_unit_test(no_kernel_or_a_context_that_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
