/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads with buffers of their own, on one platform and on several.
 */
#include "scene.h"

#include <pthread.h>

enum { THREADS = 4, N = 256, STEPS = 200 };

typedef struct worker {
    const scene *s;
    rung_platform *p;
    rung_queue *shared;
    unsigned char start, got;
    int failed;
    void *kept;
} worker;

/* What the steps below make of a byte. */
static unsigned char expected(unsigned char start)
{
    unsigned char y = start;
    for (int i = 0; i < STEPS; i++)
        y = (unsigned char)(3 * y + start + i);
    return y;
}

static void *work(void *user)
{
    worker *w = user;
    rung_queue *own = NULL;
    rung_buffer *y = NULL;
    rung_buffer *x = NULL;
    w->failed += rung_queue_create(w->p, &own, NULL) != RUNG_OK;
    w->failed += rung_buffer_create(w->p, N, &y, NULL) != RUNG_OK;
    w->failed += rung_buffer_create(w->p, N, &x, NULL) != RUNG_OK;
    memset(rung_buffer_host(y), w->start, N);
    memset(rung_buffer_host(x), w->start, N);
    for (int i = 0; i < STEPS; i++) {
        rung_queue *const queues[] = {own, w->shared, NULL};
        rung_queue *queue = queues[(i + w->start) % 3];
        uint32_t op = (uint32_t)(i / 7) % OPS;
        w->failed += scene_call_on(w->p, queue, w->s, op, y, x, N, (unsigned char)i, false) != RUNG_OK;
        if (i % 50 == 49) {
            rung_queue_destroy(own);
            w->failed += rung_queue_create(w->p, &own, NULL) != RUNG_OK;
        }
    }
    const unsigned char *bytes = rung_buffer_read(y);
    w->got = bytes == NULL ? 0 : bytes[N - 1];
    rung_queue_destroy(own);
    rung_buffer_destroy(y);
    rung_buffer_destroy(x);
    return NULL;
}

static void run(worker *workers)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(workers[i].failed, 0);
        assert_int_equal(workers[i].got, expected(workers[i].start));
    }
}

static void on_one_platform(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,rocm,cpu");
    rung_queue *shared = scene_queue(p);
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++)
        workers[i] = (worker){.s = &s, .p = p, .shared = shared, .start = (unsigned char)(i + 1)};
    run(workers);
    rung_transfers all = rung_platform_transfers(p);
    assert_true(all.to_device >= THREADS * 2 && all.to_host_bytes >= all.to_host * N);
    rung_queue_destroy(shared);
    scene_end(p);
}

/* One for each, two of them with the devices the other way round. */
static void on_platforms_of_their_own(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    worker workers[THREADS];
    rung_queue *queues[THREADS];
    for (int i = 0; i < THREADS; i++) {
        rung_platform *p = scene_open(&s, i % 2 ? "rocm,cuda,cpu" : "cuda,rocm,cpu");
        queues[i] = scene_queue(p);
        workers[i] = (worker){.s = &s, .p = p, .shared = queues[i], .start = (unsigned char)(i + 1)};
    }
    run(workers);
    for (int i = 0; i < THREADS; i++) {
        rung_queue_destroy(queues[i]);
        rung_platform_close(workers[i].p);
    }
    mock_reset();
}

/* First uses, and what is kept, from several threads at once: each makes one before any is kept. */
static pthread_barrier_t barrier;
static char objects[THREADS];
static atomic_int made, destroyed;

static rung_status make(void **object, char *figures, size_t size)
{
    (void)figures;
    (void)size;
    (void)pthread_barrier_wait(&barrier);
    *object = &objects[atomic_fetch_add(&made, 1)];
    return RUNG_OK;
}

static void destroy(void *object)
{
    assert_true((char *)object >= objects && (char *)object < objects + THREADS);
    atomic_fetch_add(&destroyed, 1);
}

static const rung_keep kind = {make, destroy};

static void *keep(void *user)
{
    worker *w = user;
    rung_ctx cx = rung_ctx_of(w->p);
    cx.memory = RUNG_MEMORY_DEVICE;
    unsigned ordinal = rung_first_use(&cx, &w->s->registry, ON_CUDA);
    rung_device_call call;
    if (rung_device_begin(&cx, &w->s->registry, ON_CUDA, ordinal, NULL, NULL, 0, &call) != RUNG_OK) {
        w->failed++;
        return NULL;
    }
    w->failed += rung_kept(&call.cx, &kind, &w->kept) != RUNG_OK;
    for (int i = 0; i < STEPS; i++) {
        void *again;
        w->failed += rung_kept(&call.cx, &kind, &again) != RUNG_OK || again != w->kept;
    }
    w->failed += rung_device_end(&call, RUNG_OK) != RUNG_OK;
    return NULL;
}

static void one_object_is_kept(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    pthread_t threads[THREADS];
    worker workers[THREADS];
    assert_int_equal(pthread_barrier_init(&barrier, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.s = &s, .p = p};
        assert_int_equal(pthread_create(&threads[i], NULL, keep, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(workers[i].failed, 0);
        assert_ptr_equal(workers[i].kept, workers[0].kept);
    }
    assert_int_equal(atomic_load(&made), THREADS);
    assert_int_equal(atomic_load(&destroyed), THREADS - 1);
    scene_end(p);
    assert_int_equal(atomic_load(&destroyed), THREADS);
    assert_int_equal(pthread_barrier_destroy(&barrier), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_one_platform),
        cmocka_unit_test(on_platforms_of_their_own),
        cmocka_unit_test(one_object_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
