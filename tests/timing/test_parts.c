/* SPDX-License-Identifier: Apache-2.0
 *
 * test_parts.c: statistics, ceilings, patterns, caches and arguments.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "cache.h"
#include "ceiling.h"
#include "hand_made.h"
#include "load.h"
#include "roof.h"
#include "samples.h"

static void check_spread(double *samples, size_t count, double low, double median, double high)
{
    const rung_bench_spread s = rung_bench_spread_of(samples, count);
    assert_near(s.low, low, 1e-15);
    assert_near(s.median, median, 1e-15);
    assert_near(s.high, high, 1e-15);
}

/* As numpy.quantile(x, [0.25, 0.5, 0.75]) has them. */
static void medians_and_quartiles(void **state)
{
    (void)state;
    check_spread((double[]){7}, 1, 7, 7, 7);
    check_spread((double[]){3, 1}, 2, 1.5, 2, 2.5);
    check_spread((double[]){5, 1, 4}, 3, 2.5, 4, 4.5);
    check_spread((double[]){4, 1, 3, 2}, 4, 1.75, 2.5, 3.25);
    check_spread((double[]){5, 3, 1, 4, 2}, 5, 2, 3, 4);
    check_spread((double[]){2, 2, 2, 1000, 2, 2}, 6, 2, 2, 2);
}

static rung_bench_result result_of(const rung_proof_op *op, double flops, double bytes)
{
    return (rung_bench_result){.op = op, .flops = flops, .bytes = bytes};
}

static void ceilings_by_formula(void **state)
{
    (void)state;
    const rung_bench_roof roof = {.copy = 10e9, .f32 = 100e9, .f64 = 50e9};
    rung_bench_result r = result_of(&hand_made_gemm_tn, 1e9, 1e8); /* 20 ms of arithmetic, 10 ms of memory */
    rung_bench_ceiling(&r, &roof);
    assert_true(r.arithmetic);
    assert_near(r.ceiling, 0.02, 1e-12);
    r = result_of(&hand_made_gemm_tn, 1e9, 4e8); /* 40 ms of memory */
    rung_bench_ceiling(&r, &roof);
    assert_false(r.arithmetic);
    assert_near(r.ceiling, 0.04, 1e-12);
    r = result_of(&hand_made_flow_match_step, 3e9, 1e8); /* of floats: 30 ms of arithmetic */
    rung_bench_ceiling(&r, &roof);
    assert_true(r.arithmetic);
    assert_near(r.ceiling, 0.03, 1e-12);
    r = result_of(&hand_made_flow_match_step, 0, 1e8); /* nobody says how much is computed */
    rung_bench_ceiling(&r, &roof);
    assert_false(r.arithmetic);
    assert_near(r.ceiling, 0.01, 1e-12);
}

static void bytes_of_a_call(void **state)
{
    (void)state;
    rung_value values[RUNG_PROOF_ARGS_MAX] = {0};
    values[3].size = 20;
    values[4].size = 300;
    values[5].size = 256;
    /* c is read and written */
    const double doubles = 2 * 20 * 300 + 256 * 20 + 256 * 300;
    assert_near(rung_bench_bytes(&hand_made_gemm_tn, values), 8 * doubles, 0);
    values[3].size = 1000;
    assert_near(rung_bench_bytes(&hand_made_flow_match_step, values), 12000, 0);
    assert_true(rung_bench_is_f64(&hand_made_gemm_tn));
    assert_false(rung_bench_is_f64(&hand_made_flow_match_step));
}

static void cache_sizes(void **state)
{
    (void)state;
    assert_int_equal(rung_bench_cache_size("32768K\n"), 32 << 20);
    assert_int_equal(rung_bench_cache_size("3M"), 3 << 20);
    assert_int_equal(rung_bench_cache_size("512"), 512);
    assert_int_equal(rung_bench_cache_size(""), 0);
    assert_int_equal(rung_bench_cache_size("-1K"), 0);
    assert_int_equal(rung_bench_cache_size("99999999999999999999G"), 0);
    assert_true(rung_bench_last_cache() > 0);
}

/* What the loop counts is what it does: 1 is where x / 2 + 1 / 2 goes, from any beginning. */
static void rates_do_their_work(void **state)
{
    (void)state;
    const rung_bench_rate *const rates[] = {&rung_bench_rate_generic, rung_bench_rate_here()};
    for (int i = 0; i < 2; i++) {
        assert_near(rates[i]->f64(100), rates[i]->f64_flops / 2, 1e-9);
        assert_near(rates[i]->f32(100), rates[i]->f32_flops / 2, 1e-3);
    }
    const rung_bench_rate *rate = rates[0];
    double begun = 0;
    for (int i = 1; i <= 12; i++)
        begun += (1 + 0.125 * i) * rate->f64_flops / 24;
    assert_near(rate->f64(0), begun, 1e-9);
}

/* The same ranges as in proofs, but for those that are open. */
static void scalars_are_of_their_ranges(void **state)
{
    (void)state;
    static const struct {
        bool has_low, has_high;
        double low, high, least, most;
    } ranges[] = {{false, false, 0, 0, -1, 1}, {true, true, 0, 1, 0, 1},       {true, false, 0, 0, 0, 1},
                  {true, false, 7, 0, 7, 8},   {true, true, 7, 9, 7, 9},       {false, true, 0, -4, -5, -4},
                  {true, true, 3, 3, 3, 3},    {true, true, 0, INFINITY, 0, 1}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const rung_proof_arg scalar = {.type = RUNG_PROOF_DOUBLE,
                                       .has_low = ranges[i].has_low,
                                       .has_high = ranges[i].has_high,
                                       .low = ranges[i].low,
                                       .high = ranges[i].high};
        const rung_proof_op op = {.args = &scalar, .arg_count = 1};
        for (uint64_t seed = 1; seed <= 100; seed++) {
            rung_bench_load load;
            assert_int_equal(rung_bench_load_open(&load, &op, NULL, seed), RUNG_OK);
            assert_true(load.values[0].d >= ranges[i].least && load.values[0].d <= ranges[i].most);
            rung_bench_load_close(&load);
        }
    }
}

/* What is read and written is kept, and comes back; what only is written is not; arrays do not overlap. */
static void loads_are_restored(void **state)
{
    (void)state;
    rung_bench_load load, again;
    const size_t sizes[] = {5, 7, 9};
    assert_int_equal(rung_bench_load_open(&load, &hand_made_gemm_tn, sizes, 3), RUNG_OK);
    assert_int_equal(rung_bench_load_open(&again, &hand_made_gemm_tn, sizes, 3), RUNG_OK);
    assert_non_null(load.kept[0]);
    assert_null(load.kept[1]);
    assert_int_equal(load.bytes[0], 5 * 7 * 8);
    for (int i = 0; i < 3; i++) {
        assert_int_equal((size_t)load.values[i].array % 64, 0);
        assert_memory_equal(load.values[i].array, again.values[i].array, load.bytes[i]);
    }
    memset(load.values[0].array, 0xff, load.bytes[0]);
    assert_memory_equal(load.values[1].array, again.values[1].array, load.bytes[1]);
    rung_bench_load_restore(&load, 0, load.values[0].array);
    for (int i = 0; i < 3; i++)
        assert_memory_equal(load.values[i].array, again.values[i].array, load.bytes[i]);
    rung_bench_load_close(&load);
    rung_bench_load_close(&again);
    const size_t huge[] = {(size_t)1 << 31, (size_t)1 << 31, 1};
    assert_int_equal(rung_bench_load_open(&load, &hand_made_gemm_tn, huge, 3), RUNG_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_and_quartiles), cmocka_unit_test(ceilings_by_formula),
        cmocka_unit_test(bytes_of_a_call),       cmocka_unit_test(cache_sizes),
        cmocka_unit_test(rates_do_their_work),   cmocka_unit_test(scalars_are_of_their_ranges),
        cmocka_unit_test(loads_are_restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
