/* SPDX-License-Identifier: Apache-2.0
 *
 * The decisions of `rung tune` where kernels stand later than their archs already, which no kernel of the tool's own
 * registry need do: the ladder is the test's.
 */
#include <setjmp.h> /* after these: cmocka */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "say.h"
#include "tune.h"

static tune_ladder ladder;

bool tune_ladder_of(const char *op, const char *device, const char *variant, const char *const *archs, size_t count,
                    tune_ladder *out)
{
    (void)op;
    (void)device;
    (void)variant;
    (void)archs;
    (void)count;
    *out = ladder;
    return true;
}

enum { RUNGS = 3 };
static const char *const names[RUNGS] = {"x86-64-v4", "x86-64-v3", "generic"};

static json_t *result(const char *arch, double seconds)
{
    return json_pack("{ssssssss s{sisisi} s{sfsfsf} sfsfsnsfsnsn}", "op", "gemm_tn", "device", "cpu", "arch", arch,
                     "variant", "default", "sizes", "m", 1, "n", 2, "k", 3, "seconds", "median", seconds, "low",
                     0.99 * seconds, "high", 1.01 * seconds, "flops", 1.0, "bytes", 1.0, "gflops", "gb_per_second", 1.0,
                     "bound", "roof_fraction");
}

/* The kernels of gemm_tn in the order that the registry gives them now, with seconds for each arch, newest first. */
static tune_table decide(const size_t place[RUNGS], const double seconds[RUNGS], bench_file *bench)
{
    ladder = (tune_ladder){.count = RUNGS};
    json_t *results = json_array();
    proofs *proven = proofs_new("rk", false);
    json_t *machine = json_object();
    json_put(machine, "processor", json_text("p"));
    json_put(machine, "level", json_text("l"));
    proofs_add_run(proven, machine, RUNG_PROOF_NATIVE, "0x1");
    for (size_t i = 0; i < RUNGS; i++) {
        ladder.arch[i] = names[i];
        ladder.place[i] = place[i];
        json_add(results, result(names[i], seconds[i]));
        cell_key key = {"gemm_tn", "cpu", names[i], "default"};
        proof_row *row = proofs_add(proven, &key);
        row->state = RUNG_PROOF_PASSED;
        row->from = 0;
    }
    json_t *root = json_pack("{s{ssssss}snso}", "machine", "processor", "p", "level", "l", "system", "s", "roof",
                             "results", results);
    assert_true(bench_file_take(root, "test", bench));
    tune_table t = {.bench = bench, .proofs = proven, .margin = 0.05};
    assert_true(tune_decide(&t));
    assert_int_equal(t.count, RUNGS - 1); /* the last has no older rival */
    assert_string_equal(t.row[0].arch, names[0]);
    return t;
}

static void end(tune_table *t)
{
    proofs_free((proofs *)t->proofs);
    bench_file_free((bench_file *)t->bench);
    tune_free(t);
}

static const size_t as_archs[RUNGS] = {0, 1, 2}, behind_v3[RUNGS] = {1, 0, 2};

static void what_stands_right_stays(void **state)
{
    (void)state;
    bench_file bench;
    tune_table t = decide(behind_v3, (const double[]){2, 1, 9}, &bench);
    assert_string_equal(t.row[0].now, "x86-64-v3");
    assert_string_equal(t.row[0].proposed, "x86-64-v3");
    assert_false(t.row[0].change);
    assert_string_equal(t.row[0].why, "x86-64-v3 is faster at every size, and stands in front already");
    assert_null(t.row[1].now);
    assert_int_equal(t.changes, 0);
    end(&t);
}

static void what_is_refuted_is_taken_back(void **state)
{
    (void)state;
    bench_file bench;
    tune_table t = decide(behind_v3, (const double[]){1, 2, 9}, &bench);
    assert_string_equal(t.row[0].now, "x86-64-v3");
    assert_null(t.row[0].proposed);
    assert_true(t.row[0].change);
    assert_string_equal(t.row[0].why, "faster than x86-64-v3 at every size");
    assert_int_equal(t.changes, 1);
    end(&t);
}

/* Noise, or less than the margin, is no reason to change anything either way. */
static void what_is_not_clear_stays(void **state)
{
    (void)state;
    static const double unclear[] = {1.0, 1.01, 1.04, 0.99, 0.965};
    for (size_t i = 0; i < sizeof unclear / sizeof *unclear; i++) {
        bench_file bench;
        tune_table t = decide(behind_v3, (const double[]){unclear[i], 1, 9}, &bench);
        assert_string_equal(t.row[0].proposed, "x86-64-v3");
        assert_false(t.row[0].change);
        end(&t);
        t = decide(as_archs, (const double[]){unclear[i], 1, 9}, &bench);
        assert_null(t.row[0].now);
        assert_null(t.row[0].proposed);
        assert_false(t.row[0].change);
        end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_right_stays),
        cmocka_unit_test(what_is_refuted_is_taken_back),
        cmocka_unit_test(what_is_not_clear_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
