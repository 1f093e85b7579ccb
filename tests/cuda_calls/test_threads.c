/* SPDX-License-Identifier: Apache-2.0
 *
 * Several cards, several platforms of one card, and several threads with one platform, at the same time.
 */
#include "calls.h"

#include <pthread.h>

enum { N = 64, TURNS = 8, MOST = 8 };

typedef struct worker {
    pthread_t thread;
    const char *chain; /* NULL: with the platform that it is given */
    rung_platform *p;
    int number; /* that `which` has to write */
    const char *went_wrong;
} worker;

/* cmocka's assertions are for the thread that runs the test. */
#define MUST(what)                                                                                                     \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            w->went_wrong = #what;                                                                                     \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

/* y = y + x, y = 1 - y on the processor, and so on. */
static void work(worker *w, rung_queue *q, rung_buffer *x, rung_buffer *y)
{
    rung_ctx cx = rung_ctx_of(w->p);
    cx.queue = q;
    float *xs = rung_buffer_host(x);
    float *ys = rung_buffer_host(y);
    MUST(xs != NULL && ys != NULL);
    for (int i = 0; i < N; i++)
        xs[i] = ys[i] = (float)i;
    for (int turn = 0; turn < TURNS; turn++) {
        MUST(cu_axpy_buf(&cx, y, x, NULL, NULL, N, turn % 2 == 0 ? 1 : -1) == RUNG_OK);
        MUST(cu_turn_buf(&cx, y, N) == RUNG_OK);
        MUST(number(w->p, cu_which_buf, N) == w->number);
    }
    const float *at = rung_buffer_read(y);
    MUST(at != NULL);
    /* 1 - (y + x), then 1 - (that - x) = y + 2 x: twice x more in two turns */
    for (int i = 0; i < N; i++)
        MUST(at[i] == (float)i + (float)TURNS * (float)i);
    MUST(rung_queue_wait(q, NULL) == RUNG_OK);
}

static void *run(void *of)
{
    worker *w = of;
    rung_queue *q = NULL;
    rung_buffer *x = NULL;
    rung_buffer *y = NULL;
    if (w->chain != NULL && try_open(w->chain, 0, &w->p, NULL) != RUNG_OK) {
        w->went_wrong = "opening";
        return NULL;
    }
    if (rung_queue_create(w->p, &q, NULL) == RUNG_OK &&
        rung_buffer_create(w->p, N * sizeof(float), &x, NULL) == RUNG_OK &&
        rung_buffer_create(w->p, N * sizeof(float), &y, NULL) == RUNG_OK)
        work(w, q, x, y);
    else
        w->went_wrong = "making queues and buffers";
    rung_buffer_destroy(x);
    rung_buffer_destroy(y);
    rung_queue_destroy(q);
    if (w->chain != NULL)
        rung_platform_close(w->p);
    return NULL;
}

static void all_at_once(worker *w, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(pthread_create(&w[i].thread, NULL, run, &w[i]), 0);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pthread_join(w[i].thread, NULL), 0);
        if (w[i].went_wrong != NULL)
            print_error("%zu: %s\n", i, w[i].went_wrong);
    }
    for (size_t i = 0; i < count; i++)
        assert_null(w[i].went_wrong);
}

/* Two of them of one card, and one with a cap. */
static void test_own_platforms(void **state)
{
    (void)state;
    steer("");
    worker w[] = {
        {.chain = "cuda:0", .number = 75},      {.chain = "cuda:1", .number = 80},
        {.chain = "cuda:1", .number = 80},      {.chain = "cuda:5", .number = 901},
        {.chain = "cuda:7", .number = 1002},    {.chain = "cuda:11", .number = 120},
        {.chain = "cuda:9/sm90", .number = 90},
    };
    all_at_once(w, sizeof w / sizeof *w);
    assert_all_given_back();
}

/* Their first uses come together. */
static void test_one_platform(void **state)
{
    (void)state;
    steer("");
    rung_platform *p = open_gpu(GPU_80);
    worker w[MOST];
    for (int i = 0; i < MOST; i++)
        w[i] = (worker){.p = p, .number = 80};
    all_at_once(w, MOST);
    assert_int_equal(alive("contexts"), 1);
    close_last(p);
}

/* The same where the first candidate cannot be loaded by anybody. */
static void test_demoted_together(void **state)
{
    (void)state;
    steer("cuLibraryGetKernel=500;");
    rung_platform *p = open_gpu(GPU_80);
    worker w[MOST];
    for (int i = 0; i < MOST; i++)
        w[i] = (worker){.p = p, .number = 0};
    all_at_once(w, MOST);
    assert_true(has_text(why_not(p, "which", "sm80"), "load failed"));
    close_last(p);
    steer("");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_platforms), cmocka_unit_test(test_one_platform),
                                       cmocka_unit_test(test_demoted_together)};
    return cmocka_run_group_tests(tests, machine_begin, machine_end);
}
