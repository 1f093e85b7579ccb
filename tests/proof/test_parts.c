/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of the proof that a run does not show: which sizes there are, what is drawn, where arrays stand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cells.h"
#include "proof/draw.h"
#include "proof/guard.h"
#include "proof/shape.h"
#include "proof/sizes.h"

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

static bool has_size(unsigned dims, unsigned role, size_t wanted)
{
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    for (size_t i = 0; i < rung_proof_small_count(dims); i++) {
        rung_proof_small(dims, i, sizes);
        if (sizes[role] == wanted)
            return true;
    }
    for (size_t i = 0; i < rung_proof_role_count(dims); i++) {
        rung_proof_role(dims, i, 0, sizes);
        if (sizes[role] == wanted)
            return true;
    }
    return false;
}

static void every_size_is_in_every_role(void **state)
{
    (void)state;
    static const size_t wanted[] = {0,  1,  2,  3,  7,   8,   9,   15,  16,  17,  31,  32,
                                    33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 101, 4099};
    for (unsigned dims = 1; dims <= 3; dims++)
        for (unsigned role = 0; role < dims; role++)
            for (size_t i = 0; i < COUNT(wanted); i++)
                if (!has_size(dims, role, wanted[i]))
                    fail_msg("no size %zu of number %u of %u", wanted[i], role, dims);
}

static void small_sizes_are_combined_and_stay_few(void **state)
{
    (void)state;
    for (unsigned dims = 0; dims <= RUNG_PROOF_DIMS_MAX; dims++)
        assert_in_range(rung_proof_small_count(dims), 1, 1500);
    bool seen[3][3][3] = {0};
    size_t sizes[RUNG_PROOF_DIMS_MAX], count = 0;
    for (size_t i = 0; i < rung_proof_small_count(3); i++) {
        rung_proof_small(3, i, sizes);
        if (sizes[0] > 2 || sizes[1] > 2 || sizes[2] > 2)
            continue;
        count += !seen[sizes[0]][sizes[1]][sizes[2]];
        seen[sizes[0]][sizes[1]][sizes[2]] = true;
    }
    assert_int_equal(count, 27);
}

static void partners_shrink_to_one(void **state)
{
    (void)state;
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    rung_proof_role(3, 0, PROOF_SHRINKS, sizes);
    assert_int_equal(sizes[0], 31);
    assert_int_equal(sizes[1], 1);
    assert_int_equal(sizes[2], 1);
}

/* ---- what is drawn ----------------------------------------------------------------------------------------------- */

enum { ROWS = 40, COLUMNS = 3 };

static rung_proof_op op_with(rung_proof_arg *arg)
{
    arg->name = "a";
    arg->pointer = true;
    arg->access = RUNG_PROOF_READ;
    arg->unread_if_zero = RUNG_PROOF_NO_ARG;
    return (rung_proof_op){.name = "drawn", .args = arg, .arg_count = 1};
}

static void intervals_are_those_of_the_last_axis(void **state)
{
    (void)state;
    static const double interval[] = {-60, -59, 1, 2, 40, 41};
    rung_proof_arg arg = {.type = RUNG_PROOF_FLOAT,
                          .axes = 2,
                          .shape = {{RUNG_PROOF_NO_ARG, ROWS}, {RUNG_PROOF_NO_ARG, COLUMNS}},
                          .intervals = COLUMNS,
                          .interval = interval};
    const rung_proof_op op = op_with(&arg);
    proof_random r = rung_proof_random_of(1, 1);
    float drawn[ROWS * COLUMNS];
    rung_proof_draw_array(&op, 0, NULL, &r, drawn);
    for (size_t i = 0; i < COUNT(drawn); i++)
        assert_true((double)drawn[i] >= interval[2 * (i % COLUMNS)] &&
                    (double)drawn[i] <= interval[2 * (i % COLUMNS) + 1]);
    assert_true(drawn[0] != drawn[COLUMNS]);
}

static void integers_are_whole_and_reach_both_bounds(void **state)
{
    (void)state;
    static const double interval[] = {-2.5, 3.5};
    rung_proof_arg arg = {
        .type = RUNG_PROOF_INT8, .axes = 1, .shape = {{RUNG_PROOF_NO_ARG, 400}}, .intervals = 1, .interval = interval};
    const rung_proof_op op = op_with(&arg);
    proof_random r = rung_proof_random_of(1, 1);
    int8_t drawn[400];
    unsigned seen[6] = {0};
    rung_proof_draw_array(&op, 0, NULL, &r, drawn);
    for (size_t i = 0; i < COUNT(drawn); i++) {
        assert_in_range(drawn[i] + 2, 0, 5);
        seen[drawn[i] + 2]++;
    }
    for (size_t i = 0; i < COUNT(seen); i++)
        assert_true(seen[i] > 0);
    arg.intervals = 0;
    rung_proof_draw_array(&op, 0, NULL, &r, drawn);
    assert_non_null(memchr(drawn, INT8_MIN, sizeof drawn));
    assert_non_null(memchr(drawn, INT8_MAX, sizeof drawn));
}

/* By Cholesky factorisation of A - I / 2: all eigenvalues are above that. */
static void positive_definite_matrices_are(void **state)
{
    (void)state;
    enum { K = 33 };
    rung_proof_arg arg = {.type = RUNG_PROOF_DOUBLE,
                          .axes = 2,
                          .shape = {{RUNG_PROOF_NO_ARG, K}, {RUNG_PROOF_NO_ARG, K}},
                          .values = RUNG_PROOF_POSITIVE_DEFINITE};
    const rung_proof_op op = op_with(&arg);
    proof_random r = rung_proof_random_of(1, 1);
    static double a[K][K];
    rung_proof_draw_array(&op, 0, NULL, &r, a);
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(a[i][j] == a[j][i] && a[i][j] != 0.0);
    for (size_t i = 0; i < K; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i][j] - (i == j ? 0.5 : 0.0);
            for (size_t p = 0; p < j; p++)
                sum -= a[i][p] * a[j][p];
            if (i == j)
                assert_true(sum > 0.0);
            a[i][j] = i == j ? sqrt(sum) : sum / a[j][j];
        }
    }
}

static void scalars_come_to_all_that_matters(void **state)
{
    (void)state;
    static const double tries[] = {0.5};
    const rung_proof_arg arg = {.type = RUNG_PROOF_DOUBLE,
                                .has_low = true,
                                .low = 0.25,
                                .has_high = true,
                                .high = INFINITY,
                                .tries = 1,
                                .try_values = tries};
    proof_random r = rung_proof_random_of(1, 1);
    assert_int_equal(rung_proof_levels(&arg), 3); /* 0.5, 0.25 and a random one: infinity is not tried */
    assert_true(rung_proof_level(&arg, 0, &r) == 0.5);
    assert_true(rung_proof_level(&arg, 1, &r) == 0.25);
    static const double infinite[] = {0.5, INFINITY}; /* unless it is named, and then not where something else is */
    rung_proof_arg other = arg;
    other.tries = 2;
    other.try_values = infinite;
    assert_int_equal(rung_proof_levels(&other), 4);
    assert_true(rung_proof_level(&other, 1, &r) == INFINITY);
    for (unsigned i = 0; i < 100; i++)
        assert_true(isfinite(rung_proof_draw_scalar(&other, &r)));
    for (unsigned i = 0; i < 100; i++) {
        const double value = rung_proof_draw_scalar(&arg, &r);
        assert_true(value >= 0.25 && isfinite(value));
    }
    assert_true(rung_proof_in_range(&arg, 0.25) && !rung_proof_in_range(&arg, 0.2) && !rung_proof_in_range(&arg, NAN));
}

static void integer_scalars_are_whole(void **state)
{
    (void)state;
    const rung_proof_arg arg = {.type = RUNG_PROOF_UINT8, .has_low = true, .low = 3, .has_high = true, .high = 5};
    proof_random r = rung_proof_random_of(1, 1);
    unsigned seen[3] = {0};
    for (unsigned i = 0; i < 100; i++) {
        const double value = rung_proof_level(&arg, 2, &r);
        assert_true(value == 3.0 || value == 4.0 || value == 5.0);
        seen[(unsigned)value - 3]++;
    }
    assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static void numbers_of_every_kind_come_back(void **state)
{
    (void)state;
    for (proof_kind kind = RUNG_PROOF_FLOAT; kind <= PROOF_WIDE; kind++) {
        rung_wide array[2];
        const proof_limits limits = rung_proof_limits_of(kind);
        const double values[] = {0.0, 1.0, 100.0, limits.low, limits.high, limits.tiny, limits.normal};
        for (size_t i = 0; i < COUNT(values); i++) {
            rung_proof_store(array, kind, 1, values[i]);
            if (rung_proof_load(array, kind, 1) != values[i])
                fail_msg("kind %u has %g for %g", kind, rung_proof_load(array, kind, 1), values[i]);
        }
        rung_proof_store(array, kind, 0, NAN);
        assert_true(rung_proof_kind_floats(kind) == (bool)isnan(rung_proof_load(array, kind, 0)));
    }
    int8_t small;
    rung_proof_store(&small, RUNG_PROOF_INT8, 0, 1000.0);
    assert_int_equal(small, INT8_MAX);
}

static void nan_is_nan_and_zeros_have_signs(void **state)
{
    (void)state;
    const float a[] = {NAN, 0.0F, 1.0F}, b[] = {-NAN, -0.0F, 1.0F};
    assert_true(rung_proof_same(a, b, RUNG_PROOF_FLOAT, 0));
    assert_false(rung_proof_same(a, b, RUNG_PROOF_FLOAT, 1));
    assert_true(rung_proof_same(a, b, RUNG_PROOF_FLOAT, 2));
}

static void permutations_are_along_one_size(void **state)
{
    (void)state;
    rung_proof_arg arg = {.type = RUNG_PROOF_INT32, .axes = 3, .shape = {{1, 0}, {RUNG_PROOF_NO_ARG, 2}, {1, 0}}};
    const rung_proof_op op = op_with(&arg);
    const rung_value values[] = {{.size = 0}, {.size = 3}};
    const size_t order[] = {2, 0, 1};
    int32_t from[3][2][3], to[3][2][3];
    for (size_t i = 0; i < 18; i++)
        (&from[0][0][0])[i] = (int32_t)i;
    rung_proof_permute(&op, 0, values, 1, order, to, from);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 2; j++)
            for (size_t k = 0; k < 3; k++)
                assert_int_equal(to[i][j][k], from[order[i]][j][order[k]]);
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static void arrays_stand_where_they_should(void **state)
{
    (void)state;
    enum { COUNT_OF = 5, BYTES = COUNT_OF * sizeof(float) };
    const uintptr_t page = 4096; /* of whatever size a page is, this is a part */
    char *array = rung_proof_guard_place(0, BYTES, sizeof(float), PROOF_AT_END);
    assert_non_null(array);
    assert_int_equal(((uintptr_t)array + BYTES) % page, 0);
    array = rung_proof_guard_place(0, BYTES, sizeof(float), PROOF_AT_START);
    assert_int_equal((uintptr_t)array % page, 0);
    for (int place = 0; place < PROOF_PLACES; place++) {
        array = rung_proof_guard_place(0, BYTES, sizeof(float), place);
        assert_int_equal((uintptr_t)array % 64, (size_t)place * sizeof(float) % 64);
    }
    rung_proof_guard_free();
}

static void what_is_written_around_is_seen(void **state)
{
    (void)state;
    enum { BYTES = 20 };
    for (int place = PROOF_AT_START; place < 2; place++) {
        for (int side = 0; side < 2; side++) {
            if (place == (side == 0 ? PROOF_AT_START : PROOF_AT_END))
                continue; /* a page that may not be touched */
            char *array = rung_proof_guard_place(3, BYTES, sizeof(float), place);
            assert_non_null(array);
            memset(array, 0, BYTES);
            assert_true(rung_proof_guard_intact(3));
            array[side == 0 ? -1 : BYTES] = 0;
            assert_false(rung_proof_guard_intact(3));
        }
    }
    unsigned slot;
    ptrdiff_t offset;
    size_t bytes;
    const char *array = rung_proof_guard_place(3, BYTES, sizeof(float), PROOF_AT_END);
    assert_true(rung_proof_guard_find(array + BYTES, &slot, &offset, &bytes));
    assert_int_equal(slot, 3);
    assert_int_equal(offset, BYTES);
    assert_int_equal(bytes, BYTES);
    assert_false(rung_proof_guard_find(&slot, &slot, &offset, &bytes));
    rung_proof_guard_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_is_in_every_role),
        cmocka_unit_test(small_sizes_are_combined_and_stay_few),
        cmocka_unit_test(partners_shrink_to_one),
        cmocka_unit_test(intervals_are_those_of_the_last_axis),
        cmocka_unit_test(integers_are_whole_and_reach_both_bounds),
        cmocka_unit_test(positive_definite_matrices_are),
        cmocka_unit_test(scalars_come_to_all_that_matters),
        cmocka_unit_test(integer_scalars_are_whole),
        cmocka_unit_test(numbers_of_every_kind_come_back),
        cmocka_unit_test(nan_is_nan_and_zeros_have_signs),
        cmocka_unit_test(permutations_are_along_one_size),
        cmocka_unit_test(arrays_stand_where_they_should),
        cmocka_unit_test(what_is_written_around_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
