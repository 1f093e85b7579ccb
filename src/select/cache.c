/* SPDX-License-Identifier: Apache-2.0 */
#include "cache.h"

#include <pthread.h>
#include <string.h>

#include "rung/select.h"

/* How many, more than any program asks for; beyond that the oldest is given up. And the longest name of a Python, with
 * its end: facts of one with a longer name are not kept. */
enum { KEPT = 8, PYTHON_MAX = 1024 };

typedef struct entry {
    rung_facts facts;
    const rung_registry *registry; /* NULL: nothing is kept here */
    uint64_t generation;           /* in which it was kept: one of an earlier one is forgotten */
    bool full;
    bool has_python;
    char python[PYTHON_MAX];
} entry;

/* State of the process, all of it under the lock: the facts, where the next go, and how often all were forgotten. The
 * lock is held for a copy at most, never while anything is looked for or told; and nothing is allocated, so that a
 * child that was forked in the middle of anything can go on. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry kept[KEPT];
static unsigned next;
static uint64_t generation;

/* ---- fork -------------------------------------------------------------------------------------------------------- */

/* A fork while another thread holds the lock would leave it locked in the child for good. What was found in the parent
 * is forgotten in the child: the driver of a GPU may not have followed. */
static void before_fork(void)
{
    (void)pthread_mutex_lock(&lock);
}

static void in_parent(void)
{
    (void)pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
    generation++;
    (void)pthread_mutex_unlock(&lock);
}

static void watch_forks(void)
{
    (void)pthread_atfork(before_fork, in_parent, in_child);
}

static void enter(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, watch_forks);
    (void)pthread_mutex_lock(&lock);
}

static void leave(void)
{
    (void)pthread_mutex_unlock(&lock);
}

/* ---- the cache --------------------------------------------------------------------------------------------------- */

static bool is_of(const entry *one, const rung_cache_key *key)
{
    return one->generation == generation && one->registry == key->registry && one->full == key->full &&
           one->has_python == (key->python != NULL) && (key->python == NULL || strcmp(one->python, key->python) == 0);
}

bool rung_cache_get(const rung_cache_key *key, rung_facts *out, uint64_t *ticket)
{
    bool found = false;
    enter();
    *ticket = generation;
    for (unsigned i = 0; i < KEPT && !found; i++) {
        found = is_of(&kept[i], key);
        if (found)
            *out = kept[i].facts;
    }
    leave();
    return found;
}

void rung_cache_put(const rung_cache_key *key, const rung_facts *facts, uint64_t ticket)
{
    const char *python = key->python == NULL ? "" : key->python;
    size_t len = strlen(python);
    if (len >= PYTHON_MAX)
        return;
    enter();
    if (ticket == generation) {
        unsigned at = 0;
        while (at < KEPT && !is_of(&kept[at], key))
            at++;
        if (at == KEPT) {
            at = next;
            next = (next + 1) % KEPT;
        }
        entry *one = &kept[at];
        one->facts = *facts;
        one->registry = key->registry;
        one->generation = generation;
        one->full = key->full;
        one->has_python = key->python != NULL;
        memcpy(one->python, python, len + 1);
    }
    leave();
}

void rung_select_refresh(void)
{
    enter();
    generation++;
    leave();
}
