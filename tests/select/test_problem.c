/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"

static void estimates(void **state)
{
    (void)state;
    const uint64_t big = UINT64_C(1) << 40;
    const uint64_t half = UINT64_C(1) << 32;
    const struct {
        rung_problem problem;
        uint64_t mb;
    } cases[] = {
        {{1000, 100, 4}, 1},
        {{10000, 500, 10}, 77},
        {{100000, 300, 20}, 488},
        {{200000, 1000, 50}, 3205},
        {{500000, 1200, 100}, 9920},
        {{0, 0, 0}, 0},
        {{0, 1000000, 0}, 0},
        {{65535, 1, 0}, 0}, /* the last byte below a MB, and the first of it */
        {{65536, 1, 0}, 1},
        {{half, half, half}, UINT64_C(3) << 48},
        {{UINT64_MAX, 1, 1}, (UINT64_C(1) << 49) - 1}, /* carries in both sums */
        {{big, big - 1, 0}, UINT64_MAX - (UINT64_C(1) << 24) + 1},
        {{big, big, 0}, UINT64_MAX},          /* 2^64: one more than can be told */
        {{UINT64_MAX, 65536, 0}, UINT64_MAX}, /* exactly */
        {{UINT64_MAX, UINT64_MAX, 0}, UINT64_MAX},
        {{UINT64_MAX, UINT64_MAX, UINT64_MAX}, UINT64_MAX},
        {{UINT64_MAX, 0, UINT64_MAX}, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(rung_problem_mb(&cases[i].problem), cases[i].mb);
}

/* Against the definition, for sizes whose products fit. */
static void estimates_of_many_sizes(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 10000; i++) {
        uint64_t size[3];
        for (int j = 0; j < 3; j++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            size[j] = (x >> 20) % (UINT64_C(1) << (x % 29));
        }
        const rung_problem p = {size[0], size[1], size[2]};
        uint64_t bytes = 2 * 8 * (p.voxels * p.volumes + p.factors * p.volumes + p.factors * p.voxels);
        assert_int_equal(rung_problem_mb(&p), bytes / MB);
    }
}

static void four_fifths(void **state)
{
    (void)state;
    assert_true(rung_problem_fits(0, 1));
    assert_false(rung_problem_fits(1, 1));
    assert_true(rung_problem_fits(80, 100));
    assert_false(rung_problem_fits(81, 100));
    assert_true(rung_problem_fits(3205, 4007));
    assert_false(rung_problem_fits(3205, 4006));
    assert_true(rung_problem_fits(UINT64_MAX, 0)); /* not known */
    assert_true(rung_problem_fits(UINT64_MAX / 5 * 4, UINT64_MAX));
    assert_false(rung_problem_fits(UINT64_MAX / 5 * 4 + 1, UINT64_MAX));
    for (uint64_t memory = 1; memory < 1000; memory++)
        for (uint64_t needed = 0; needed < 1000; needed++)
            assert_int_equal(rung_problem_fits(needed, memory), 5 * needed <= 4 * memory);
}

static void figures_are_told(void **state)
{
    (void)state;
    const machine m = {.kinds = {{"cuda", RUNG_STATE_USABLE, 2, 609, 0, NULL}},
                       .frameworks = {{"jax", RUNG_BUILT_CPU | RUNG_BUILT_CUDA, "0.7.2", "12", 0, NULL}},
                       .available_mb = 20000};
    const rung_backend_request request = {.registry = &rk_registry, .flags = RUNG_SELECT_FULL | RUNG_SELECT_FRESH};
    const rung_problem problem = {100000, 300, 20};
    rung_choice c;
    the_machine = &m;
    assert_int_equal(rung_select_by(find_machine, &request, &problem, &c, NULL), RUNG_OK);
    assert_int_equal(c.needed_mb, 488);
    assert_int_equal(c.gpu_memory_mb, 609);
    assert_int_equal(c.memory_mb, 20000);
    assert_int_equal(c.fits, 0);
    assert_int_equal(c.warnings, 1);
    assert_int_equal(rung_select_by(find_machine, &request, NULL, &c, NULL), RUNG_OK);
    assert_int_equal(c.needed_mb, 0);
    assert_int_equal(c.gpu_memory_mb, 609);
    assert_int_equal(c.fits, 1);
    assert_int_equal(c.warnings, 0);
}

/* What is known to be all taken is not what nobody knows. */
static rung_status find_no_memory(const rung_backend_request *request, bool full, rung_facts *out, rung_error *err)
{
    rung_status status = find_machine(request, full, out, err);
    out->host.memory_available = 1;
    return status;
}

static void no_memory_is_known(void **state)
{
    (void)state;
    const machine m = {.available_mb = 20000};
    const rung_backend_request request = {.registry = &rk_registry, .flags = RUNG_SELECT_FULL | RUNG_SELECT_FRESH};
    rung_choice c;
    the_machine = &m;
    const rung_problem some = {100000, 300, 20};
    assert_int_equal(rung_select_by(find_no_memory, &request, &some, &c, NULL), RUNG_OK);
    assert_int_equal(c.memory_mb, 0);
    assert_int_equal(c.fits, 0);
    const rung_problem nothing = {0, 0, 0};
    assert_int_equal(rung_select_by(find_no_memory, &request, &nothing, &c, NULL), RUNG_OK);
    assert_int_equal(c.fits, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates),        cmocka_unit_test(estimates_of_many_sizes), cmocka_unit_test(four_fifths),
        cmocka_unit_test(figures_are_told), cmocka_unit_test(no_memory_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
