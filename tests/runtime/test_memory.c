/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocations, counted and made to fail: linked with --wrap for malloc and aligned_alloc.
 */
#include "fixture.h"

#include <stdlib.h>

static int allocations;
static int failing;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    allocations++;
    return failing ? NULL : __real_malloc(size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    allocations++;
    return failing ? NULL : __real_aligned_alloc(alignment, size);
}

static int ignore(const rung_cell *cell, void *user)
{
    (void)cell;
    (void)user;
    return 0;
}

static void ignore_line(rung_log_level level, const char *line, void *user)
{
    (void)level;
    (void)line;
    (void)user;
}

static void a_platform_is_one_allocation(void **state)
{
    (void)state;
    static const char *const chains[] = {NULL, "cpu/generic", "accel/sm85,cpu/generic"};
    rung_log_set(ignore_line, NULL, RUNG_LOG_DEBUG);
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        rung_platform *p;
        allocations = 0;
        assert_int_equal(rung_platform_open(&fx_registry, chains[i], 0, &p, NULL), RUNG_OK);
        assert_int_equal(allocations, 1);
        rung_platform_close(p);
    }
    rung_log_set(NULL, NULL, RUNG_LOG_INFO);
}

static void nothing_else_allocates(void **state)
{
    (void)state;
    rung_platform *p;
    rung_error err;
    assert_int_equal(rung_platform_open(&fx_registry, "accel", 0, &p, NULL), RUNG_OK);
    rung_buffer *buffer;
    assert_int_equal(rung_buffer_create(p, 64, &buffer, NULL), RUNG_OK);
    assert_non_null(rung_buffer_host(buffer)); /* its memory is allocated when it is needed */
    allocations = 0;
    failing = 1;
    rung_ctx cx = rung_ctx_of(p);
    int32_t number = 0;
    rung_resolution found;
    rung_cell cell;
    rung_platform *none;
    rung_status statuses[] = {
        fx_which(&cx, &number),
        fx_which_buf(&cx, buffer),
        rung_resolve_name(p, "which", "fast", RUNG_MEMORY_HOST, &found, &err),
        rung_explain(p, FX_OP_WHICH, 0, ignore, NULL),
        rung_matrix(&fx_registry, p, ignore, NULL),
        rung_cell_find(&fx_registry, "which", "cpu", "generic", NULL, &cell, &err),
    };
    rung_status unknown = rung_resolve_name(p, "witch", NULL, RUNG_MEMORY_HOST, &found, &err);
    rung_status refused = rung_platform_open(&fx_registry, "gpu", 0, &none, &err);
    failing = 0;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        assert_int_equal(statuses[i], RUNG_OK);
    assert_int_equal(unknown, RUNG_ERR_UNKNOWN);
    assert_int_equal(refused, RUNG_ERR_UNKNOWN);
    assert_int_equal(allocations, 0);
    rung_buffer_destroy(buffer);
    rung_platform_close(p);
}

static void out_of_memory_is_an_answer(void **state)
{
    (void)state;
    rung_platform *p = NULL;
    rung_buffer *buffer = NULL;
    rung_error err;
    char memory[4];
    failing = 1;
    rung_status status = rung_platform_open(&fx_registry, NULL, 0, &p, &err);
    failing = 0;
    assert_int_equal(status, RUNG_ERR_MEMORY);
    assert_string_equal(err.text, "out of memory");
    assert_null(p);
    assert_int_equal(rung_platform_open(&fx_registry, NULL, 0, &p, &err), RUNG_OK);
    failing = 1;
    rung_status created = rung_buffer_create(p, 100, &buffer, &err);
    rung_status wrapped = rung_buffer_wrap(p, memory, sizeof memory, &buffer, &err);
    rung_queue *queue = NULL;
    rung_event *event = NULL;
    rung_status queued = rung_queue_create(p, &queue, &err);
    rung_status recorded = rung_event_create(p, &event, &err);
    failing = 0;
    assert_int_equal(queued, RUNG_ERR_MEMORY);
    assert_int_equal(recorded, RUNG_ERR_MEMORY);
    assert_true(queue == NULL && event == NULL);
    assert_int_equal(created, RUNG_ERR_MEMORY);
    assert_int_equal(wrapped, RUNG_ERR_MEMORY);
    assert_null(buffer);

    /* a buffer's memory and parts */
    rung_buffer *part = NULL;
    assert_int_equal(rung_buffer_create(p, sizeof(int32_t), &buffer, &err), RUNG_OK);
    rung_ctx cx = rung_ctx_of(p);
    failing = 1;
    void *host = rung_buffer_host(buffer);
    void *device = rung_buffer_device(buffer, NULL, &err);
    rung_status called = fx_which_buf(&cx, buffer);
    rung_status cut = rung_buffer_slice(buffer, 0, 1, &part, NULL);
    failing = 0;
    assert_true(host == NULL && device == NULL && part == NULL);
    assert_int_equal(err.status, RUNG_ERR_MEMORY);
    assert_int_equal(called, RUNG_ERR_MEMORY);
    assert_int_equal(cut, RUNG_ERR_MEMORY);
    assert_int_equal(fx_which_buf(&cx, buffer), RUNG_OK);
    rung_buffer_destroy(buffer);
    rung_platform_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_platform_is_one_allocation),
        cmocka_unit_test(nothing_else_allocates),
        cmocka_unit_test(out_of_memory_is_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
