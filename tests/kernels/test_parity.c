/* SPDX-License-Identifier: Apache-2.0
 *
 * Every declared kernel that this machine can run, against the reference: one test for each op of the registry, so that
 * an op or a kernel added to registry.yaml is tested, or reported as missed, without a change here.
 *
 *     test_parity [--only DEVICE/ARCH]    of that arch alone, and all of them have to be proven
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "coverage.h"
#include "parity.h"
#include "testbed.h"

static coverage cells;

static void test_op(void **state)
{
    const char *const *op = *state;
    assert_int_equal(coverage_test_op(&cells, *op), 0);
}

static void test_every_cell_is_accounted_for(void **state)
{
    (void)state;
    coverage_print(&cells);
    assert_true(cells.count > 0);
    for (unsigned i = 0; i < cells.count; i++) {
        if (cells.cells[i].why[0] == '\0')
            fail_msg("%s: neither proven nor explained", cells.cells[i].name);
        assert_int_not_equal(cells.cells[i].state, COVERAGE_MISSED);
        if (cells.only != NULL && cells.cells[i].state != COVERAGE_PROVEN)
            fail_msg("%s: %s", cells.cells[i].name, cells.cells[i].why);
    }
}

static int print_tolerances(void)
{
    for (size_t i = 0; i < op_tests_count; i++)
        (void)printf("%s %s %.17g %.17g\n", op_tests[i].op,
                     op_tests[i].variant != NULL ? op_tests[i].variant : "default", op_tests[i].rel, op_tests[i].abs);
    return 0;
}

static void test_testbed_was_used_well(void **state)
{
    (void)state;
    const char *said = testbed_end();
    if (said != NULL)
        fail_msg("%s", said);
}

enum { OPS = 255 };

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--tolerances") == 0)
        return print_tolerances();
    if (argc == 3 && strcmp(argv[1], "--only") == 0)
        cells.only = argv[2];

    static struct CMUnitTest tests[OPS + 2];
    static const char *names[OPS];
    uint32_t ops = rung_op_count(&rk_registry);
    if (ops > OPS || !coverage_load(&cells)) {
        (void)fprintf(stderr, "too many ops or cells for this test\n");
        return 1;
    }
    for (uint32_t op = 0; op < ops; op++) {
        names[op] = rung_op_name(&rk_registry, op);
        tests[op] = (struct CMUnitTest){.name = names[op], .test_func = test_op, .initial_state = &names[op]};
    }
    tests[ops] = (struct CMUnitTest)cmocka_unit_test(test_every_cell_is_accounted_for);
    tests[ops + 1] = (struct CMUnitTest)cmocka_unit_test(test_testbed_was_used_well);
    return _cmocka_run_group_tests("kernels", tests, ops + 2, NULL, NULL);
}
