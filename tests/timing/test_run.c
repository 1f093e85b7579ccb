/* SPDX-License-Identifier: Apache-2.0
 *
 * test_run.c: which cells are timed, and what is told of them. Not how long they take.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hand_made.h"
#include "rk/rk.h"
#include "rung/bench.h"

enum { MOST = 256 };

typedef struct told {
    char results[MOST][160], left_out[MOST][160];
    size_t result_count, left_out_count, last_done, count;
    size_t stop_after; /* 0: never */
} told;

static int on_result(const rung_bench_result *r, size_t done, size_t count, void *user)
{
    told *t = user;
    (void)snprintf(t->results[t->result_count++], sizeof t->results[0], "%s %s/%s/%s %zu", r->cell.op, r->cell.device,
                   r->cell.arch, r->cell.variant, r->sizes[0]);
    assert_true(done > t->last_done && done <= count);
    t->last_done = done;
    t->count = count;
    assert_int_equal(r->turns, 3);
    assert_true(r->calls > 0);
    assert_true(r->low > 0 && r->low <= r->median && r->median <= r->high && isfinite(r->high));
    assert_true(r->bytes > 0);
    if (strcmp(r->cell.op, "gemm_tn") == 0)
        assert_near(r->flops, r->sizes[0] == 2 ? 60 : 51200, 0);
    else
        assert_near(r->flops, 0, 0);
    return t->stop_after != 0 && t->result_count == t->stop_after;
}

static void on_left_out(const rung_cell *cell, const char *why, void *user)
{
    told *t = user;
    assert_true(why[0] != '\0');
    (void)snprintf(t->left_out[t->left_out_count++], sizeof t->left_out[0], "%s %s/%s/%s: %s", cell->op, cell->device,
                   cell->arch, cell->variant, why);
}

static bool has(char texts[MOST][160], size_t count, const char *wanted)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(texts[i], wanted, strlen(wanted)) == 0)
            return true;
    return false;
}

static const rung_bench_options brief = {.turns = 3, .seconds = 1e-9};

static void every_cell_is_timed_or_left_out(void **state)
{
    (void)state;
    told t = {0};
    rung_error err;
    const unsigned long before = hand_made_calls;
    assert_int_equal(rung_bench_run(&hand_made_proof, &brief, on_result, on_left_out, &t, &err), RUNG_OK);
    assert_true(hand_made_calls > before);
    assert_int_equal(t.last_done, t.count);
    assert_int_equal(t.result_count, t.count);
    assert_true(has(t.results, t.result_count, "gemm_tn cpu/generic/default 2"));
    assert_true(has(t.results, t.result_count, "gemm_tn cpu/generic/default 20"));
    assert_true(has(t.results, t.result_count, "gemm_tn accel/sm90/default 2"));
    assert_true(has(t.results, t.result_count, "flow_match_step cpu/generic/default 1000"));
    assert_true(has(t.left_out, t.left_out_count, "rbf_factors cpu/generic/default: its op"));
    for (size_t i = 0; i < t.left_out_count; i++)
        assert_false(has(t.results, t.result_count, t.left_out[i]));
}

static void patterns_choose(void **state)
{
    (void)state;
    static const char *const only[] = {"gemm_tn cpu/generic/default", "flow_* accel/*"};
    rung_bench_options options = brief;
    options.only = only;
    options.only_count = 2;
    told t = {0};
    assert_int_equal(rung_bench_run(&hand_made_proof, &options, on_result, on_left_out, &t, NULL), RUNG_OK);
    assert_int_equal(t.result_count, 3);
    assert_string_equal(t.results[0], "flow_match_step accel/generic/default 1000");
    assert_string_equal(t.results[1], "gemm_tn cpu/generic/default 2");
    assert_string_equal(t.results[2], "gemm_tn cpu/generic/default 20");
}

static void a_pattern_that_fits_nothing_is_an_error(void **state)
{
    (void)state;
    static const char *const only[] = {"gemm_tn", "nonesuch"};
    rung_bench_options options = brief;
    options.only = only;
    options.only_count = 2;
    told t = {0};
    rung_error err;
    assert_int_equal(rung_bench_run(&hand_made_proof, &options, on_result, on_left_out, &t, &err), RUNG_ERR_ARGUMENT);
    assert_string_equal(err.text, "no cell fits \"nonesuch\"");
    assert_int_equal(t.result_count, 0);
}

static void the_report_ends_it(void **state)
{
    (void)state;
    told t = {.stop_after = 2};
    assert_int_equal(rung_bench_run(&hand_made_proof, &brief, on_result, NULL, &t, NULL), RUNG_OK);
    assert_int_equal(t.result_count, 2);
}

static int count_progress(double part, const char *op, void *user)
{
    told *t = user;
    assert_true(part > 0 && part <= 1);
    assert_true(strcmp(op, "gemm_tn") == 0 || strcmp(op, "flow_match_step") == 0);
    return ++t->last_done == 4;
}

static void progress_is_told_and_may_end_it(void **state)
{
    (void)state;
    told t = {0};
    rung_bench_options options = brief;
    options.progress = count_progress;
    assert_int_equal(rung_bench_run(&hand_made_proof, &options, on_result, NULL, &t, NULL), RUNG_OK);
    assert_int_equal(t.last_done, 4);
    assert_int_equal(t.result_count, 0);
}

static int check_ceiling(const rung_bench_result *r, size_t done, size_t count, void *user)
{
    (void)done;
    (void)count;
    const rung_bench_roof *roof = user;
    if (strcmp(r->cell.device, "cpu") != 0)
        assert_near(r->ceiling, 0, 0);
    else if (strcmp(r->cell.op, "gemm_tn") == 0)
        assert_near(r->ceiling, fmax(r->flops / roof->f64, r->bytes / roof->copy), 1e-18);
    else
        assert_near(r->ceiling, r->bytes / roof->copy, 1e-18);
    return 0;
}

static void only_cells_of_the_processor_have_a_ceiling(void **state)
{
    (void)state;
    rung_bench_roof roof = {.copy = 1e10, .f32 = 2e9, .f64 = 1e9};
    rung_bench_options options = brief;
    options.roof = &roof;
    assert_int_equal(rung_bench_run(&hand_made_proof, &options, check_ceiling, NULL, &roof, NULL), RUNG_OK);
}

static rung_status open_nothing(const rung_registry *registry, const char *chain, unsigned flags, rung_platform **out,
                                rung_error *err)
{
    (void)registry;
    (void)flags;
    (void)out;
    err->status = RUNG_ERR_UNAVAILABLE;
    (void)snprintf(err->text, sizeof err->text, "%s is not here", chain);
    return RUNG_ERR_UNAVAILABLE;
}

static void what_cannot_be_opened_is_left_out(void **state)
{
    (void)state;
    static const char *const only[] = {"cpu/generic"};
    rung_bench_options options = brief;
    options.only = only;
    options.only_count = 1;
    options.open = open_nothing;
    told t = {0};
    assert_int_equal(rung_bench_run(&hand_made_proof, &options, on_result, on_left_out, &t, NULL), RUNG_OK);
    assert_int_equal(t.result_count, 0);
    assert_true(has(t.left_out, t.left_out_count, "gemm_tn cpu/generic/default: cpu/generic is not here"));
}

static rung_status refuse(const rung_ctx *cx, const rung_value *values)
{
    (void)cx;
    (void)values;
    return RUNG_ERR_NUMERIC;
}

static void a_call_that_fails_is_left_out_and_the_others_go_on(void **state)
{
    (void)state;
    rung_proof_op broken = hand_made_flow_match_step;
    broken.call = refuse;
    const rung_proof_op *const ops[] = {&broken, &hand_made_gemm_tn};
    rung_proof proof = hand_made_proof;
    proof.ops = ops;
    static const char *const only[] = {"* cpu/generic/default"};
    rung_bench_options options = brief;
    options.only = only;
    options.only_count = 1;
    told t = {0};
    assert_int_equal(rung_bench_run(&proof, &options, on_result, on_left_out, &t, NULL), RUNG_OK);
    assert_int_equal(t.result_count, 2);
    assert_true(has(t.left_out, t.left_out_count, "flow_match_step cpu/generic/default: a call failed"));
}

static void bad_arguments(void **state)
{
    (void)state;
    rung_proof other = hand_made_proof;
    other.abi++;
    rung_error err;
    assert_int_equal(rung_bench_run(&other, NULL, on_result, NULL, NULL, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(err.status, RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_bench_run(NULL, NULL, on_result, NULL, NULL, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_bench_run(&hand_made_proof, NULL, NULL, NULL, NULL, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_bench_roof_measure(NULL), RUNG_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_is_timed_or_left_out),
        cmocka_unit_test(patterns_choose),
        cmocka_unit_test(a_pattern_that_fits_nothing_is_an_error),
        cmocka_unit_test(the_report_ends_it),
        cmocka_unit_test(progress_is_told_and_may_end_it),
        cmocka_unit_test(only_cells_of_the_processor_have_a_ceiling),
        cmocka_unit_test(what_cannot_be_opened_is_left_out),
        cmocka_unit_test(a_call_that_fails_is_left_out_and_the_others_go_on),
        cmocka_unit_test(bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
