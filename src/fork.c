/* SPDX-License-Identifier: Apache-2.0
 *
 * fork.c: the drivers of the process, the platforms that use them, and what happens to both in a forked child.
 *
 * Nothing is done before a fork, or in the parent after it: a lock taken there would wait for a thread that may itself
 * wait for one that the C library takes around a fork. musl takes the loader's, which is held while constructors run,
 * and constructors may open platforms. Instead, every change of what the child reads is one atomic store, so that any
 * moment will do for a fork, and the one lock, which only opening and closing take, is opened in the child.
 *
 * A child notices that it is one by its process id as well: handlers of the host that were registered before this one
 * run before it, and some ways to make a child run none.
 */
#include "fork.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "names.h"
#include "platform.h"

enum { DRIVERS_MAX = 16 };

static rung_driver drivers[DRIVERS_MAX];
static atomic_uint n_drivers;
static _Atomic(rung_platform *) watched; /* the last one first */
static atomic_flag busy = ATOMIC_FLAG_INIT;
static _Atomic long process; /* whose all this is; 0: nobody's yet */

static void notice(void);

static void lock(void)
{
    notice();
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        (void)sched_yield();
}

static void unlock(void)
{
    atomic_flag_clear_explicit(&busy, memory_order_release);
}

/* ---- in the child ------------------------------------------------------------------------------------------------ */

static bool is_given_up(const rung_platform *p, uint32_t op, uint8_t ordinal)
{
    const rung_registry *registry = p->head.registry;
    const rung_cell_row *cell = &registry->cells[registry->ops[op].first_cell + ordinal];
    const rung_position *position = rung_position_of(p, registry->arch_names[cell->arch].device);
    return position != NULL && position->forked;
}

/* What was chosen on a device that is given up is chosen anew by the next call. */
static void forget_choices(const rung_platform *p)
{
    size_t choices = (size_t)(RUNG_MEMORY_ANY + 1) * p->head.plane;
    for (size_t i = 0; i < choices; i++) {
        uint32_t op = (uint32_t)(i % p->head.plane / p->head.variants);
        uint8_t ordinal = atomic_load_explicit(&p->choice[i], memory_order_relaxed);
        if (ordinal != RUNG_NO_CHOICE && is_given_up(p, op, ordinal))
            atomic_store_explicit(&p->choice[i], RUNG_NO_CHOICE, memory_order_relaxed);
    }
}

static void give_up_forked(rung_platform *p)
{
    bool changed = false;
    for (uint32_t i = 0; i < p->positions; i++) {
        rung_position *position = &p->position[i];
        if (position->forked || position->of_process == NULL || !rung_driver_is_forked(position->of_process))
            continue;
        position->forked = changed = true;
        rung_text_join(&p->reason, (const char *const[]){"; ", rung_device_text(p->head.registry, position->device),
                                                         ": ", rung_reason_text(RUNG_REASON_FORKED), NULL});
    }
    if (!changed)
        return;
    rung_judge_archs(p);
    forget_choices(p);
    atomic_store(&p->fork_untold, true);
}

/* Whether the driver is newly given up. Where it was being asked for the first time, the parent is who initialised it.
 */
static bool give_up_driver(rung_driver *driver)
{
    bool asking = atomic_exchange(&driver->asking, 0) != 0;
    if (asking && atomic_load(&driver->owner) == 0)
        atomic_store(&driver->owner, (long)getppid());
    return (asking || atomic_load(&driver->owner) != 0) && !atomic_exchange(&driver->forked, true);
}

/* There is one thread, and whatever the others of the parent were doing stands still for good. Calls nothing that may
 * wait or allocate. */
static void begin_anew(void)
{
    unlock();
    bool changed = false;
    for (unsigned i = 0; i < atomic_load(&n_drivers); i++)
        changed = give_up_driver(&drivers[i]) || changed;
    for (rung_platform *p = changed ? atomic_load(&watched) : NULL; p != NULL; p = p->next_watched)
        give_up_forked(p);
}

static _Atomic bool noticed; /* before the handler ran */

/* To be called before anything of this file is read or changed. */
static void notice(void)
{
    long me = (long)getpid();
    long known = atomic_load(&process);
    if (known == me || !atomic_compare_exchange_strong(&process, &known, me) || known == 0)
        return;
    atomic_store(&noticed, true);
    begin_anew();
}

static void in_child(void)
{
    long me = (long)getpid();
    bool same = atomic_exchange(&process, me) == me; /* or it has the parent's number, in a namespace of its own */
    if (!atomic_exchange(&noticed, false) || !same)
        begin_anew();
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int failed;

static void register_handler(void)
{
    failed = pthread_atfork(NULL, NULL, in_child);
}

/* ---- drivers ----------------------------------------------------------------------------------------------------- */

rung_driver *rung_driver_of(const char *device)
{
    lock();
    unsigned n = atomic_load(&n_drivers);
    unsigned at = 0;
    while (at < n && strcmp(drivers[at].device, device) != 0)
        at++;
    if (at == n && n < DRIVERS_MAX) {
        rung_text name = rung_text_in(drivers[n].device, sizeof drivers[n].device);
        rung_text_add(&name, device);
        atomic_store(&n_drivers, n + 1);
    }
    unlock();
    /* no machine has more; those of one that did would share the last and be given up together */
    return &drivers[at < DRIVERS_MAX ? at : DRIVERS_MAX - 1];
}

void rung_driver_use(rung_driver *driver)
{
    notice();
    (void)pthread_once(&once, register_handler);
    long nobody = 0;
    (void)atomic_compare_exchange_strong(&driver->owner, &nobody, (long)getpid());
}

void rung_driver_ask_begin(rung_driver *driver)
{
    notice();
    (void)atomic_fetch_add(&driver->asking, 1);
}

void rung_driver_ask_end(rung_driver *driver)
{
    notice();
    unsigned asking = atomic_load(&driver->asking); /* 0 in a child that was forked in between */
    while (asking != 0 && !atomic_compare_exchange_weak(&driver->asking, &asking, asking - 1)) {
    }
}

bool rung_driver_is_forked(const rung_driver *driver)
{
    notice();
    return atomic_load(&driver->forked);
}

void rung_driver_tell(const rung_driver *driver, rung_text *t)
{
    rung_text_add(t, "its driver was initialised in process ");
    rung_text_uint(t, (uint64_t)atomic_load(&driver->owner));
    rung_text_add(t, ", this is ");
    rung_text_uint(t, (uint64_t)getpid());
}

/* ---- platforms --------------------------------------------------------------------------------------------------- */

bool rung_fork_watch(rung_platform *p)
{
    (void)pthread_once(&once, register_handler);
    if (failed != 0)
        return false;
    lock();
    p->next_watched = atomic_load(&watched);
    atomic_store(&watched, p);
    unlock();
    return true;
}

void rung_fork_unwatch(rung_platform *p)
{
    lock();
    _Atomic(rung_platform *) *at = &watched;
    rung_platform *other;
    while ((other = atomic_load(at)) != NULL && other != p)
        at = &other->next_watched;
    if (other != NULL)
        atomic_store(at, atomic_load(&p->next_watched));
    unlock();
}
