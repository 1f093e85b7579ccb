/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that choose and forget at once, and children that are forked while they do.
 */
#include "machine.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 16, ROUNDS = 300, KEYS = 12, CHILDREN = 50 };

/* Facts that tell which key they are of: the platform is named after the Python. */
static rung_status find(const rung_backend_request *request, bool full, rung_facts *out, rung_error *err)
{
    (void)err;
    const machine m = {.platform = request->python};
    facts_of(&m, full, out);
    return RUNG_OK;
}

/* 0 when the answer is of what was asked. */
static int choose(unsigned n, unsigned flags)
{
    char python[32];
    (void)snprintf(python, sizeof python, "cpu/%u", n % KEYS);
    const rung_backend_request request = {.registry = &rk_registry, .python = python, .flags = flags};
    rung_choice c;
    if (rung_select_by(find, &request, NULL, &c, NULL) != RUNG_OK)
        return 1;
    return strcmp(c.chosen.device, python) != 0 || (c.cached && (flags & RUNG_SELECT_FRESH));
}

typedef struct work {
    pthread_barrier_t *start;
    const atomic_bool *stop; /* NULL: so many rounds */
    unsigned number;
    int wrong;
} work;

static void *run(void *user)
{
    work *w = user;
    (void)pthread_barrier_wait(w->start);
    for (unsigned round = 0; w->stop == NULL ? round < ROUNDS : !atomic_load(w->stop); round++) {
        w->wrong += choose(w->number + round, round % 7 == 0 ? RUNG_SELECT_FRESH : round % 2 ? RUNG_SELECT_FULL : 0);
        if (round % 5 == 0)
            rung_select_refresh();
    }
    return NULL;
}

static void begin(pthread_t *threads, work *works, int n, pthread_barrier_t *start, const atomic_bool *stop)
{
    assert_int_equal(pthread_barrier_init(start, NULL, (unsigned)n), 0);
    for (int i = 0; i < n; i++) {
        works[i] = (work){start, stop, (unsigned)i, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, run, &works[i]), 0);
    }
}

static int end(pthread_t *threads, const work *works, int n, pthread_barrier_t *start)
{
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        wrong += works[i].wrong;
    }
    assert_int_equal(pthread_barrier_destroy(start), 0);
    rung_select_refresh();
    return wrong;
}

static void every_answer_is_of_what_was_asked(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    work works[THREADS];
    pthread_barrier_t start;
    begin(threads, works, THREADS, &start, NULL);
    assert_int_equal(end(threads, works, THREADS, &start), 0);
}

static void children_choose_whatever_other_threads_did_at_the_fork(void **state)
{
    (void)state;
    enum { BUSY = 3 };
    pthread_t threads[BUSY];
    work works[BUSY];
    pthread_barrier_t start;
    atomic_bool stop = false;
    begin(threads, works, BUSY, &start, &stop);
    int wrong = 0;
    for (unsigned i = 0; i < CHILDREN; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            rung_select_refresh();
            _exit(choose(i, 0) + choose(i, RUNG_SELECT_FULL));
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        wrong += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
    atomic_store(&stop, true);
    assert_int_equal(end(threads, works, BUSY, &start) + wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_is_of_what_was_asked),
        cmocka_unit_test(children_choose_whatever_other_threads_did_at_the_fork),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
