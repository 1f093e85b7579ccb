/* SPDX-License-Identifier: Apache-2.0
 *
 * parallel.c: threads for one batch of tasks at a time. Batches are long (milliseconds) compared with starting a
 * thread, so there is no pool to keep, to fork with, or to shut down.
 */
#define _GNU_SOURCE
#include "internal.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

enum { MOST_THREADS = TFA_STRIPS };

typedef struct batch {
    tfa_task_fn *fn;
    void *user;
    size_t tasks;
    atomic_size_t next;
    atomic_int status;
    atomic_uint workers;
} batch;

static void *work(void *argument)
{
    batch *b = argument;
    unsigned worker = atomic_fetch_add(&b->workers, 1);
    for (;;) {
        size_t task = atomic_fetch_add(&b->next, 1);
        if (task >= b->tasks || atomic_load(&b->status) != 0)
            return NULL;
        int status = b->fn(b->user, task, worker);
        if (status != 0)
            atomic_store(&b->status, status);
    }
}

int rung_tfa_parallel(unsigned threads, size_t tasks, tfa_task_fn *fn, void *user)
{
    batch b = {.fn = fn, .user = user, .tasks = tasks};
    pthread_t started[MOST_THREADS];
    unsigned count = 0;
    while (count + 1 < threads && count + 1 < tasks && count < MOST_THREADS) {
        if (pthread_create(&started[count], NULL, work, &b) != 0)
            break; /* fewer threads do the same work */
        count++;
    }
    work(&b);
    for (unsigned i = 0; i < count; i++)
        pthread_join(started[i], NULL);
    return atomic_load(&b.status);
}

unsigned rung_tfa_cpus(void)
{
    cpu_set_t set;
    int count = 0;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        count = CPU_COUNT(&set);
    if (count < 1)
        count = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (count < 1)
        return 1;
    return count > MOST_THREADS ? MOST_THREADS : (unsigned)count;
}
