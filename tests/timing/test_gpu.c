/* SPDX-License-Identifier: Apache-2.0
 *
 * test_gpu.c: cells on a device with memory of its own, which is imitated: they are called through buffers, and leave
 * nothing behind. What times they have means nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "hand_made.h"
#include "kernels/testbed.h"
#include "rk/rk.h"
#include "rung/bench.h"

typedef struct told {
    char text[4096]; /* a line for each cell */
    uint64_t copies; /* to the device, of the platform at work */
} told;

static rung_platform *last;

static rung_status open_there(const rung_registry *registry, const char *chain, unsigned flags, rung_platform **out,
                              rung_error *err)
{
    assert_ptr_equal(registry, &rk_registry);
    const rung_status status = testbed_open(chain, flags, out, err);
    if (status == RUNG_OK)
        last = *out;
    return status;
}

static void add(told *t, const rung_cell *cell, const char *what)
{
    const size_t used = strlen(t->text);
    (void)snprintf(t->text + used, sizeof t->text - used, "%s %s/%s/%s: %s\n", cell->op, cell->device, cell->arch,
                   cell->variant, what);
}

static int on_result(const rung_bench_result *r, size_t done, size_t count, void *user)
{
    (void)done;
    (void)count;
    assert_true(r->median > 0);
    assert_near(r->ceiling, 0, 0);
    add(user, &r->cell, "timed");
    return 0;
}

static void on_left_out(const rung_cell *cell, const char *why, void *user)
{
    add(user, cell, why);
}

static void run(told *t, const char *pattern, unsigned turns)
{
    const rung_bench_roof roof = {1e9, 1e9, 1e9};
    const rung_bench_options options = {
        .only = &pattern, .only_count = 1, .turns = turns, .seconds = 1e-9, .roof = &roof, .open = open_there};
    rung_error err;
    assert_int_equal(rung_bench_run(&hand_made_proof, &options, on_result, on_left_out, t, &err), RUNG_OK);
}

/* The GPU is one of 8.0: images of newer ones are left out, with the reason. */
static void cells_of_the_device_are_timed(void **state)
{
    (void)state;
    told t = {0};
    run(&t, "gemm_tn cuda/*/default", 2);
    assert_non_null(strstr(t.text, "gemm_tn cuda/generic/default: timed\n"));
    assert_non_null(strstr(t.text, "gemm_tn cuda/sm80/default: timed\n"));
    assert_null(strstr(t.text, "cuda/sm90/default: timed"));
    assert_non_null(strstr(t.text, "gemm_tn cuda/sm90/default: "));
    assert_non_null(strstr(t.text, "gemm_tn cuda/sm90a/default: "));
    assert_null(strstr(t.text, "not built"));
}

static int watch(double part, const char *op, void *user)
{
    (void)part;
    (void)op;
    told *t = user;
    t->copies = rung_platform_transfers(last).to_device;
    return 0;
}

/* flow_match_step reads two arrays: they are brought once for each pass, however many calls it makes. */
static void data_is_there_already(void **state)
{
    (void)state;
    const char *pattern = "flow_match_step cuda/sm80/default";
    told t = {0};
    const rung_bench_options options = {
        .only = &pattern, .only_count = 1, .turns = 2, .seconds = 1e-9, .open = open_there, .progress = watch};
    assert_int_equal(rung_bench_run(&hand_made_proof, &options, on_result, on_left_out, &t, NULL), RUNG_OK);
    assert_string_equal(t.text, "flow_match_step cuda/sm80/default: timed\n");
    assert_int_equal(t.copies, 2 * 2);
}

static void nothing_is_left(void **state)
{
    (void)state;
    const char *said = testbed_end();
    if (said != NULL)
        fail_msg("%s", said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_of_the_device_are_timed),
        cmocka_unit_test(data_is_there_already),
        cmocka_unit_test(nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
