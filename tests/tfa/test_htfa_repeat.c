/* SPDX-License-Identifier: Apache-2.0
 *
 * test_htfa_repeat.c: the same bits for every number of threads and every order of the subjects.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "subjects.h"

/* order [count]: subject i of b is order[i] of a. */
static void assert_same_bits(const rung_htfa_result *a, const rung_htfa_result *b, const size_t *order)
{
    assert_memory_equal(a->theta, b->theta, 4 * FACTORS * sizeof(double));
    assert_memory_equal(a->spread, b->spread, 2 * FACTORS * sizeof(double));
    assert_memory_equal(a->error, b->error, 2 * FACTORS * sizeof(double));
    assert_int_equal(a->rounds, b->rounds);
    assert_true(a->moved == b->moved);
    for (size_t i = 0; i < a->subjects; i++) {
        const rung_tfa_result *p = a->subject[order[i]], *q = b->subject[i];
        assert_memory_equal(a->share + order[i] * FACTORS, b->share + i * FACTORS, FACTORS * sizeof(double));
        assert_true(a->noise[order[i]] == b->noise[i]);
        assert_memory_equal(p->theta, q->theta, 4 * FACTORS * sizeof(double));
        assert_int_equal(p->volumes, q->volumes);
        assert_memory_equal(p->weights, q->weights, FACTORS * p->volumes * sizeof(double));
        assert_memory_equal(p->residual, q->residual, p->voxels * sizeof(double));
        assert_int_equal(p->iterations, q->iterations);
    }
}

static void order_does_not_matter(void **state)
{
    (void)state;
    static const size_t orders[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}};
    subjects s = subjects_new(&(subjects_recipe){4, 0.6, 0.9, 2, 3, 11});
    rung_htfa_result *first = subjects_fit(&s, orders[0], 4, 0);
    for (size_t i = 1; i < 3; i++) {
        rung_htfa_result *other = subjects_fit(&s, orders[i], 4, 0);
        assert_same_bits(first, other, orders[i]);
        rung_htfa_result_free(other);
    }
    rung_htfa_result_free(first);
    subjects_free(&s);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    static const size_t order[3] = {0, 1, 2};
    subjects s = subjects_new(&(subjects_recipe){3, 0.6, 0.9, 0, 0, 12});
    rung_htfa_result *one = subjects_fit(&s, order, 3, 1);
    for (unsigned threads = 0; threads <= 5; threads++) {
        rung_htfa_result *other = subjects_fit(&s, order, 3, threads);
        assert_same_bits(one, other, order);
        rung_htfa_result_free(other);
    }
    rung_htfa_result_free(one);
    subjects_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(threads_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
