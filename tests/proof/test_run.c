/* SPDX-License-Identifier: Apache-2.0
 *
 * How a proof is run: which cells, with which seed, how thoroughly, in which process, and what it reports.
 */
#define _POSIX_C_SOURCE 200809L /* sigprocmask */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cells.h"
#include "pf/proof.h"

enum { KEPT_MAX = 16 };

typedef struct kept {
    size_t count, limit; /* results; 0: no limit, else the run is ended there */
    rung_proof_result results[KEPT_MAX];
    char names[KEPT_MAX][CELL_NAME];
} kept;

static int keep(const rung_proof_result *result, size_t done, size_t count, void *user)
{
    kept *k = user;
    assert_in_range(done, 1, count);
    assert_int_equal(done, k->count + 1);
    assert_in_range(done, 1, KEPT_MAX);
    k->results[k->count] = *result;
    cell_name(&result->cell, k->names[k->count]);
    k->count++;
    return k->count == k->limit;
}

static kept run(rung_proof_options options)
{
    static kept k;
    memset(&k, 0, sizeof k);
    rung_error err = {0};
    rung_status status = rung_proof_run(&pf_proof, &options, keep, &k, &err);
    if (status != RUNG_OK)
        fail_msg("%s", err.text);
    return k;
}

#define ONLY(...) .only = (const char *const[]){__VA_ARGS__}, .only_count = COUNT(((const char *const[]){__VA_ARGS__}))

/* ---- which ------------------------------------------------------------------------------------------------------- */

static void patterns_choose_cells(void **state)
{
    (void)state;
    kept k = run((rung_proof_options){ONLY("blend", "s* accel/*/*", "cpu/neon", "sum cpu/generic/wi?hin")});
    static const char *const want[] = {
        "blend cpu/generic/default",  "blend cpu/generic/finite", "blend cpu/generic/reads", "blend cpu/generic/right",
        "step accel/generic/default", "step cpu/neon/default",    "sum cpu/generic/within",
    };
    assert_int_equal(k.count, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++)
        assert_string_equal(k.names[i], want[i]);
}

static void a_pattern_that_fits_no_cell_is_refused(void **state)
{
    (void)state;
    static const char *const only[] = {"blend", "nonesuch"};
    rung_proof_options options = {.only = only, .only_count = COUNT(only)};
    kept k = {0};
    rung_error err = {0};
    assert_int_equal(rung_proof_run(&pf_proof, &options, keep, &k, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(err.status, RUNG_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "nonesuch"));
    assert_int_equal(k.count, 0);
}

static void tables_for_another_version_are_refused(void **state)
{
    (void)state;
    rung_proof other = pf_proof;
    other.abi++;
    rung_error err = {0};
    kept k = {0};
    assert_int_equal(rung_proof_run(&other, NULL, keep, &k, &err), RUNG_ERR_ARGUMENT);
    assert_true(err.text[0] != '\0');
    assert_int_equal(k.count, 0);
}

static void an_op_of_which_nothing_is_known_is_missed(void **state)
{
    (void)state;
    const rung_proof_op *ops[KEPT_MAX];
    rung_proof fewer = pf_proof;
    fewer.ops = ops;
    fewer.op_count = 0;
    assert_in_range(pf_proof.op_count, 1, KEPT_MAX);
    for (size_t i = 0; i < pf_proof.op_count; i++)
        if (strcmp(pf_proof.ops[i]->name, "blend") != 0)
            ops[fewer.op_count++] = pf_proof.ops[i];
    rung_proof_options options = {ONLY("blend cpu/generic/right", "sum cpu/generic/right")};
    static kept k;
    rung_error err = {0};
    assert_int_equal(rung_proof_run(&fewer, &options, keep, &k, &err), RUNG_OK);
    assert_int_equal(k.count, 2);
    assert_int_equal(k.results[0].state, RUNG_PROOF_MISSED);
    assert_true(k.results[0].why[0] != '\0');
    assert_int_equal(k.results[1].state, RUNG_PROOF_PASSED);
}

static void a_report_may_end_the_run(void **state)
{
    (void)state;
    static kept k;
    memset(&k, 0, sizeof k);
    k.limit = 2;
    rung_proof_options options = {ONLY("blend")};
    assert_int_equal(rung_proof_run(&pf_proof, &options, keep, &k, NULL), RUNG_OK);
    assert_int_equal(k.count, 2);
}

/* ---- how --------------------------------------------------------------------------------------------------------- */

static void a_seed_repeats_a_run(void **state)
{
    (void)state;
    const rung_proof_options options = {ONLY("sum cpu/generic/near"), .seed = 0x123456789abcdefu};
    rung_proof_result first = run(options).results[0], again = run(options).results[0];
    assert_int_equal(first.state, RUNG_PROOF_FAILED);
    assert_string_equal(first.why, again.why);
    assert_non_null(strstr(first.why, "123456789abcdef"));
    assert_true(first.seed == options.seed);
    assert_true(first.worst == again.worst);
    assert_true(first.checks == again.checks && first.failures == again.failures);

    rung_proof_options other = options;
    other.seed = 5;
    rung_proof_result differs = run(other).results[0];
    assert_int_equal(differs.state, RUNG_PROOF_FAILED);
    assert_true(differs.worst != first.worst);
}

static void quick_runs_are_of_fewer_cases(void **state)
{
    (void)state;
    rung_proof_result whole = run((rung_proof_options){ONLY("step cpu/generic/right")}).results[0];
    rung_proof_result quick = run((rung_proof_options){ONLY("step cpu/generic/right"), .quick = true}).results[0];
    assert_int_equal(whole.state, RUNG_PROOF_PASSED);
    assert_int_equal(quick.state, RUNG_PROOF_PASSED);
    assert_in_range(quick.cases, 1, whole.cases / 2);
    assert_int_equal(quick.examples, whole.examples);
    assert_true(quick.quick && !whole.quick);
}

static void the_process_makes_no_difference(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *cell = i == 0 ? "step cpu/generic/right" : "step cpu/generic/nan";
        rung_proof_result child = run((rung_proof_options){ONLY(cell)}).results[0];
        rung_proof_result here = run((rung_proof_options){ONLY(cell), .in_process = true}).results[0];
        assert_int_equal(here.state, i == 0 ? RUNG_PROOF_PASSED : RUNG_PROOF_FAILED);
        assert_int_equal(child.state, here.state);
        assert_string_equal(child.why, here.why);
        assert_true(child.cases == here.cases && child.checks == here.checks && child.failures == here.failures);
    }
}

/* ---- what is reported -------------------------------------------------------------------------------------------- */

static void failures_are_listed(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    rung_proof_result result = run((rung_proof_options){ONLY("step cpu/generic/nan"), .failures = file}).results[0];
    rewind(file);
    char line[2048];
    unsigned lines = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        assert_non_null(strchr(line, '\n'));
        assert_non_null(strstr(line, "step cpu/generic/nan"));
        lines++;
    }
    assert_int_equal(fclose(file), 0);
    assert_true(result.failures > 8);
    assert_int_equal(lines, 8);
}

static void a_result_tells_what_was_compared(void **state)
{
    (void)state;
    kept k = run((rung_proof_options){
        ONLY("draw cpu/generic/other", "halve cpu/generic/right", "sum cpu/generic/within", "variance accel/*"),
        .how = RUNG_PROOF_EMULATOR});
    assert_int_equal(k.count, 4);
    const rung_proof_result *draw = &k.results[0], *halve = &k.results[1], *sum = &k.results[2], *rough = &k.results[3];
    assert_int_equal(sum->how, RUNG_PROOF_EMULATOR);
    assert_string_equal(rung_proof_state_text(sum->state, sum->how), "passed under an emulator");
    /* of which half of the tolerance is used */
    assert_true(sum->worst > 0.45 && sum->worst < 0.55);
    assert_true(sum->worst_wide > 0.45 && sum->worst_wide < 0.55);
    assert_int_equal(sum->examples, 2);
    assert_int_equal(halve->examples, 4);
    assert_true(halve->worst_wide < 0.0); /* integers have no wider ones */
    assert_true(draw->worst_wide < 0.0);
    assert_int_equal(draw->examples, 0);
    assert_int_equal(rough->state, RUNG_PROOF_FAILED);
    assert_true(rough->worst <= 1.0 && rough->worst_wide > 1.0);
    assert_true(sum->registers);
}

static void states_have_names(void **state)
{
    (void)state;
    assert_string_equal(rung_proof_state_text(RUNG_PROOF_PASSED, RUNG_PROOF_NATIVE), "passed");
    assert_string_equal(rung_proof_state_text(RUNG_PROOF_PASSED, RUNG_PROOF_EMULATOR), "passed under an emulator");
    assert_string_equal(rung_proof_state_text(RUNG_PROOF_PASSED, RUNG_PROOF_FAKE_DRIVER), "passed on the fake driver");
    assert_string_equal(rung_proof_state_text(RUNG_PROOF_UNPROVEN, RUNG_PROOF_EMULATOR), "unproven");
    assert_string_equal(rung_proof_state_text(RUNG_PROOF_FAILED, RUNG_PROOF_FAKE_DRIVER), "failed");
    assert_string_equal(rung_proof_state_text(RUNG_PROOF_MISSED, RUNG_PROOF_NATIVE), "missed");
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

static void signals_that_the_caller_ignores_or_blocks_are_no_hindrance(void **state)
{
    (void)state;
    sigset_t all, before, during;
    assert_int_equal(sigfillset(&all), 0);
    void (*const child)(int) = signal(SIGCHLD, SIG_IGN);
    assert_int_equal(sigprocmask(SIG_SETMASK, &all, &before), 0);
    kept k = run((rung_proof_options){ONLY("step cpu/generic/right", "step cpu/generic/illegal"), .quick = true});
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, &during), 0);
    assert_int_equal(sigismember(&during, SIGCHLD), 1);
    assert_true(signal(SIGCHLD, child) == SIG_IGN);
    assert_int_equal(k.count, 2);
    assert_int_equal(k.results[0].state, RUNG_PROOF_FAILED);
    assert_int_equal(k.results[1].state, RUNG_PROOF_PASSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_choose_cells),
        cmocka_unit_test(a_pattern_that_fits_no_cell_is_refused),
        cmocka_unit_test(tables_for_another_version_are_refused),
        cmocka_unit_test(an_op_of_which_nothing_is_known_is_missed),
        cmocka_unit_test(a_report_may_end_the_run),
        cmocka_unit_test(a_seed_repeats_a_run),
        cmocka_unit_test(quick_runs_are_of_fewer_cases),
        cmocka_unit_test(the_process_makes_no_difference),
        cmocka_unit_test(failures_are_listed),
        cmocka_unit_test(a_result_tells_what_was_compared),
        cmocka_unit_test(states_have_names),
        cmocka_unit_test(signals_that_the_caller_ignores_or_blocks_are_no_hindrance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
