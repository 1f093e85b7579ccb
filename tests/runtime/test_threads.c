/* SPDX-License-Identifier: Apache-2.0
 *
 * Sixteen threads at once: each opens, asks, calls and closes platforms of its own, and all call through a shared one.
 */
#include "fixture.h"

#include <pthread.h>

enum { THREADS = 16, ROUNDS = 200 };

typedef struct work {
    rung_platform *shared;
    pthread_barrier_t *start;
    int failures;
} work;

static int one_round(rung_platform *shared, int round)
{
    static const char *const chains[] = {NULL, "cpu/generic", "accel", "accel/sm85", "cpu"};
    rung_platform *p;
    rung_error err;
    if (rung_platform_open(&fx_registry, chains[round % 5], RUNG_OPEN_NO_ENV, &p, &err) != RUNG_OK)
        return 1;
    rung_resolution found;
    int32_t number = 0;
    rung_ctx cx = rung_ctx_of(p);
    int failed = rung_resolve_name(p, "which", "fast", RUNG_MEMORY_HOST, &found, &err) != RUNG_OK;
    failed |= fx_which(&cx, &number) != RUNG_OK || number == 0;
    failed |= rung_resolve_name(p, "witch", NULL, RUNG_MEMORY_HOST, &found, &err) != RUNG_ERR_UNKNOWN;
    rung_platform_close(p);
    rung_ctx common = rung_ctx_of(shared);
    failed |= fx_which(&common, &number) != RUNG_OK || number != 11;
    return failed;
}

static void *run(void *user)
{
    work *w = user;
    (void)pthread_barrier_wait(w->start);
    for (int round = 0; round < ROUNDS; round++)
        w->failures += one_round(w->shared, round);
    return NULL;
}

static void sixteen_threads(void **state)
{
    (void)state;
    rung_platform *shared;
    assert_int_equal(rung_platform_open(&fx_registry, "accel/sm90", 0, &shared, NULL), RUNG_OK);
    pthread_barrier_t start;
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    pthread_t threads[THREADS];
    work works[THREADS];
    for (int i = 0; i < THREADS; i++) {
        works[i] = (work){shared, &start, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, run, &works[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(works[i].failures, 0);
    }
    assert_int_equal(pthread_barrier_destroy(&start), 0);
    rung_platform_close(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixteen_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
